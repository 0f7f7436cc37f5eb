"""The operator's inbox: who waits longest comes first. Nothing of an account's content is shown beside a thread, only
what whoever runs the installation knows of it anyway."""

from __future__ import annotations

from typing import Any

from django import forms
from django.conf import settings
from django.contrib import messages
from django.db.models import F
from django.http import Http404, HttpResponse
from django.shortcuts import render

from workspace.accounts import plans
from workspace.accounts.models import Account, Person
from workspace.dashboard.item_presenters import done
from workspace.dashboard.session import SignedInRequest, redirect_whole
from workspace.dashboard.tool_views import whole_number
from workspace.delivery.mail import MOST_ATTACHED
from workspace.delivery.mail import Attachment as Enclosed
from workspace.interfaces.account_pages.support_views import BADGES, NAMES, messages_shown, sent, sent_files, take_files
from workspace.interfaces.admin_pages.access import for_operators
from workspace.interfaces.file_views import as_attachment
from workspace.lib.errors import ToolError
from workspace.storage.database.transactions import writing
from workspace.storage.files.media_types import MAX_BYTES, media_type, plain_name
from workspace.support import help_articles, inbound_mail, tickets
from workspace.support.models import MailIn, Ticket
from workspace.support.models.inbound_mail import HELD
from workspace.support.models.ticket import CLOSED, LONGEST_MESSAGE, TEAM
from workspace.tools.answer import File

HOME = "/app/inbox"
A_PAGE = 50
MOST_ARTICLES = 3


class ReplyForm(forms.Form):
    text = forms.CharField(label="Your answer", max_length=LONGEST_MESSAGE, widget=forms.Textarea(attrs={"rows": 8}))


@for_operators()
def inbox(request: SignedInRequest) -> HttpResponse:
    """Those who wait first, the longest before the others, then what was answered; closed ones on their own."""
    if request.GET.get("show") == "held":
        return _held(request)
    is_closed = request.GET.get("show") == "closed"
    found = Ticket.objects.select_related("account")
    found = found.filter(status=CLOSED) if is_closed else found.exclude(status=CLOSED)
    order = ["-updated_at"] if is_closed else [F("waits_since").asc(nulls_last=True), "-updated_at"]
    at = whole_number(request.GET.get("offset"), 0, 0, 1_000_000)
    rows = [_row(ticket) for ticket in found.order_by(*order, "-number")[at : at + A_PAGE]]
    more = at + A_PAGE if found.count() > at + A_PAGE else 0
    context = {
        "rows": rows,
        "is_closed": is_closed,
        "shows": "closed" if is_closed else "open",
        "more": more,
        "before": at > 0,
        **_counts(),
    }
    return render(request, "account_pages/inbox.html", context)


@for_operators("GET", "HEAD", "POST")
def thread(request: SignedInRequest, id: str) -> HttpResponse:
    """One thread with the account's facts, an answer, and closing."""
    ticket = _find(id)
    form = ReplyForm(request.POST if request.method == "POST" and "close" not in request.POST else None)
    problems: list[str] = []
    try:
        if request.method == "POST" and "close" in request.POST:
            with writing():
                tickets.close(tickets.hold(ticket.pk), by=TEAM)
            return done(request, f"Number {ticket.number} is closed, and who asked is told.", HOME)
        if form.is_valid():
            ids, enclosed, problems = _files(request, ticket)
            if problems:
                raise ToolError("Nothing was sent: " + "; ".join(problems))
            with writing():
                held = tickets.hold(ticket.pk)
                tickets.add(held, TEAM, _with_articles(request, form), upload_ids=ids, enclosed=enclosed)
            return done(request, f"Answered: the mail to {ticket.email} leaves now.", HOME)
    except ToolError as refusal:
        messages.error(request, refusal.message)
    context = {
        "form": form,
        "ticket": _row(ticket),
        "messages_of": messages_shown(ticket),
        "mails": ticket.mails.order_by("at").defer("raw"),
        "most": MAX_BYTES // 1024 // 1024,
        "problems": problems,
        "facts": _facts(ticket.account) if ticket.account else None,
        "is_unproved": ticket.account is None and Person.objects.filter(email=ticket.email).exists(),
        "follows": ticket.follows,
        "home": HOME,
        "articles": help_articles.find(_asked(ticket), ticket.product, MOST_ARTICLES),
        "ticked": request.POST.getlist("article"),
    }
    return render(request, "account_pages/inbox_thread.html", context, status=422 if form.errors or problems else 200)


@for_operators()
def file(request: SignedInRequest, id: str, upload_id: str) -> HttpResponse:
    return sent(_find(id), upload_id)


@for_operators()
def mail(request: SignedInRequest, id: str) -> HttpResponse:
    """A mail as it came, to save and to open elsewhere."""
    found = _find_mail(id)
    return as_attachment(File(f"{found.pk}.eml", "message/rfc822", bytes(found.raw)))


@for_operators("POST")
def accept(request: SignedInRequest, id: str) -> HttpResponse:
    """A mail that was held becomes a question."""
    try:
        made = inbound_mail.accept(_find_mail(id))
    except ToolError as refusal:
        messages.error(request, refusal.message)
        return redirect_whole(request, f"{HOME}?show=held")
    return done(request, f"It is question number {made.number} now.", f"{HOME}/{made.key}")


def _held(request: SignedInRequest) -> HttpResponse:
    rows = MailIn.objects.filter(outcome=HELD).order_by("-at").defer("raw")[:A_PAGE]
    return render(request, "account_pages/inbox_held.html", {"rows": rows, "home": HOME, "shows": "held", **_counts()})


def _counts() -> dict[str, int]:
    return {
        "waiting": Ticket.objects.exclude(waits_since=None).count(),
        "held": MailIn.objects.filter(outcome=HELD).count(),
    }


def _asked(ticket: Ticket) -> str:
    last = ticket.messages.exclude(author=TEAM).order_by("-at", "-pk").values_list("text", flat=True).first()
    return f"{ticket.subject} {last or ''}"


def _with_articles(request: SignedInRequest, form: ReplyForm) -> str:
    """The answer, with the articles that were ticked behind it."""
    known = {one.slug: one for one in help_articles.everything()}
    ticked = [known[slug] for slug in request.POST.getlist("article")[:MOST_ARTICLES] if slug in known]
    lines = [f"{one.title}: {settings.BASE_URL}{one.url}" for one in ticked]
    return "\n\n".join([form.cleaned_data["text"], *(["\n".join(lines)] if lines else [])])


def _files(request: SignedInRequest, ticket: Ticket) -> tuple[list[str], list[Enclosed], list[str]]:
    """Of what the operator encloses: uploads of the asking account, what goes along with the mail, and what is wrong.
    Who has no account gets all of it by mail, and no more than a mail carries."""
    files = sent_files(request)
    fits = sum(one.size or 0 for one in files) <= MOST_ATTACHED
    if ticket.account is not None:
        ids, problems = take_files(ticket.account, files)
    else:
        ids, problems = [], [] if fits else [f"To who has no account, up to {MOST_ATTACHED // 1_000_000} MB in all"]
    enclosed: list[Enclosed] = []
    for one in files if fits and not problems else ():
        one.seek(0)
        content, name = one.read(), plain_name(one.name or "")
        try:
            enclosed.append(Enclosed(name, media_type(content, name), content))
        except ValueError as problem:
            problems.append(f"{name}: {problem}")
    return ids, enclosed, problems


def _find_mail(id: str) -> MailIn:
    found = MailIn.objects.filter(pk=id.replace("\0", "")).first()
    if found is None:
        raise Http404
    return found


def _find(key: str) -> Ticket:
    found = Ticket.objects.filter(key=key.replace("\0", "")).select_related("account", "follows").first()
    if found is None:
        raise Http404
    return found


def _row(ticket: Ticket) -> dict[str, Any]:
    account = ticket.account
    return {
        "number": ticket.number,
        "subject": ticket.subject,
        "email": ticket.email,
        "business": account.name if account else "",
        "plan": ("pays" if account.pays else "free") if account and plans.sells() else "",
        "about": NAMES.get(ticket.product, "") if ticket.product else "",
        "badge": ("Waits", "wait") if ticket.waits_since else BADGES[ticket.status],
        "is_closed": ticket.status == CLOSED,
        "is_flagged": ticket.is_flagged,
        "since": ticket.waits_since,
        "at": ticket.updated_at,
        "url": f"{HOME}/{ticket.key}",
    }


def _facts(account: Account) -> dict[str, Any]:
    paid = {plans.PRODUCTS[key].title: plan for key, plan in account.plans.items() if plan != plans.FREE}
    return {
        "id": account.pk,
        "name": account.name,
        "owner": account.owner.email,
        "since": account.created_at,
        "zone": account.time_zone,
        "is_banned": account.banned_at is not None,
        "members": account.memberships.count(),
        "asked": account.tickets.count(),
        "sells": plans.sells(),
        "plans": paid,
    }
