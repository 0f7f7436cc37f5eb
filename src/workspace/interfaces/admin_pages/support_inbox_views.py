"""The administrator's support inbox. The longest-waiting ticket comes first.

A thread shows no content of the account, only facts that the administrator knows anyway.
"""

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
from workspace.dashboard.item_presenters import redirect_with_message
from workspace.dashboard.session import SignedInRequest, redirect_full_page
from workspace.dashboard.tool_views import parse_whole_number
from workspace.delivery.mail import MAX_ATTACHMENT_BYTES
from workspace.delivery.mail import Attachment as Enclosed
from workspace.interfaces.account_pages.support_views import (
    BADGES,
    PRODUCT_NAMES,
    present_messages,
    store_files,
    ticket_file_response,
    uploaded_files,
)
from workspace.interfaces.admin_pages.access import require_operator
from workspace.interfaces.file_views import attachment_response
from workspace.interfaces.messages import ATTACHMENTS_TOO_LARGE
from workspace.lib.errors import OperationNotAllowedError
from workspace.owner_translation import owner_gettext, owner_gettext_lazy
from workspace.storage.database.transactions import write_transaction
from workspace.storage.files.media_types import MAX_BYTES, clean_file_name, detect_media_type
from workspace.support import help_articles, inbound_mail, tickets
from workspace.support.models import InboundMail, Ticket
from workspace.support.models.inbound_mail import HELD
from workspace.support.models.ticket import CLOSED, MAX_MESSAGE_LENGTH, TEAM
from workspace.tools.answer import File

HOME = "/app/inbox"
PAGE_SIZE = 50
MAX_ARTICLES = 3


class ReplyForm(forms.Form):
    text = forms.CharField(
        label=owner_gettext_lazy("Your reply"), max_length=MAX_MESSAGE_LENGTH, widget=forms.Textarea(attrs={"rows": 8})
    )


@require_operator()
def inbox(request: SignedInRequest) -> HttpResponse:
    """List waiting tickets, oldest first, and then answered ones. Closed tickets are in a separate list."""
    if request.GET.get("show") == "held":
        return _render_withheld_mails(request)
    is_closed = request.GET.get("show") == "closed"
    found = Ticket.objects.select_related("account")
    found = found.filter(status=CLOSED) if is_closed else found.exclude(status=CLOSED)
    order = ["-updated_at"] if is_closed else [F("waiting_since").asc(nulls_last=True), "-updated_at"]
    at = parse_whole_number(request.GET.get("offset"), 0, 0, 1_000_000)
    rows = [_present_ticket(ticket) for ticket in found.order_by(*order, "-number")[at : at + PAGE_SIZE]]
    more = at + PAGE_SIZE if found.count() > at + PAGE_SIZE else 0
    context = {
        "rows": rows,
        "is_closed": is_closed,
        "shows": "closed" if is_closed else "open",
        "more": more,
        "before": at > 0,
        **_count_waiting(),
    }
    return render(request, "account_pages/inbox.html", context)


@require_operator("GET", "HEAD", "POST")
def thread(request: SignedInRequest, id: str) -> HttpResponse:
    """Show a ticket with facts about the account, a reply form, and a button to close it."""
    ticket = _get_ticket(id)
    form = ReplyForm(request.POST if request.method == "POST" and "close" not in request.POST else None)
    problems: list[str] = []
    try:
        if request.method == "POST" and "close" in request.POST:
            with write_transaction():
                tickets.close_ticket(tickets.lock_ticket(ticket.pk), by=TEAM)
            return redirect_with_message(
                request,
                owner_gettext("Ticket #%(number)s closed. The customer has been notified.") % {"number": ticket.number},
                HOME,
            )
        if form.is_valid():
            ids, enclosed, problems = _store_attached_files(request, ticket)
            if problems:
                raise OperationNotAllowedError(owner_gettext("The reply was not sent. ") + "; ".join(problems))
            with write_transaction():
                held = tickets.lock_ticket(ticket.pk)
                tickets.add_message(
                    held, TEAM, _append_article_links(request, form), upload_ids=ids, attachments=enclosed
                )
            return redirect_with_message(
                request, owner_gettext("Reply sent to %(email)s.") % {"email": ticket.email}, HOME
            )
    except OperationNotAllowedError as refusal:
        messages.error(request, refusal.message)
    context = {
        "form": form,
        "ticket": _present_ticket(ticket),
        "messages_of": present_messages(ticket),
        "mails": ticket.mails.order_by("received_at").defer("raw"),
        "most": MAX_BYTES // 1024 // 1024,
        "problems": problems,
        "facts": _account_facts(ticket.account) if ticket.account else None,
        "is_unproved": ticket.account is None and Person.objects.filter(email=ticket.email).exists(),
        "follows": ticket.previous_ticket,
        "home": HOME,
        "articles": help_articles.search_articles(_latest_question_text(ticket), ticket.product, MAX_ARTICLES),
        "ticked": request.POST.getlist("article"),
    }
    return render(request, "account_pages/inbox_thread.html", context, status=422 if form.errors or problems else 200)


@require_operator()
def file(request: SignedInRequest, id: str, upload_id: str) -> HttpResponse:
    return ticket_file_response(_get_ticket(id), upload_id)


@require_operator()
def mail(request: SignedInRequest, id: str) -> HttpResponse:
    """Return an email in its original form, as a download."""
    found = _get_mail(id)
    return attachment_response(File(f"{found.pk}.eml", "message/rfc822", bytes(found.raw)))


@require_operator("POST")
def accept_mail(request: SignedInRequest, id: str) -> HttpResponse:
    """Turn a withheld email into a ticket."""
    try:
        made = inbound_mail.accept_mail(_get_mail(id))
    except OperationNotAllowedError as refusal:
        messages.error(request, refusal.message)
        return redirect_full_page(request, f"{HOME}?show=held")
    return redirect_with_message(
        request, owner_gettext("Ticket #%(number)s created.") % {"number": made.number}, f"{HOME}/{made.key}"
    )


def _render_withheld_mails(request: SignedInRequest) -> HttpResponse:
    rows = InboundMail.objects.filter(outcome=HELD).order_by("-received_at").defer("raw")[:PAGE_SIZE]
    return render(
        request, "account_pages/inbox_held.html", {"rows": rows, "home": HOME, "shows": "held", **_count_waiting()}
    )


def _count_waiting() -> dict[str, int]:
    return {
        "waiting": Ticket.objects.exclude(waiting_since=None).count(),
        "held": InboundMail.objects.filter(outcome=HELD).count(),
    }


def _latest_question_text(ticket: Ticket) -> str:
    last = ticket.messages.exclude(author=TEAM).order_by("-created_at", "-pk").values_list("text", flat=True).first()
    return f"{ticket.subject} {last or ''}"


def _append_article_links(request: SignedInRequest, form: ReplyForm) -> str:
    """Return the reply, followed by links to the selected articles."""
    known = {one.slug: one for one in help_articles.list_articles()}
    ticked = [known[slug] for slug in request.POST.getlist("article")[:MAX_ARTICLES] if slug in known]
    lines = [f"{one.title}: {settings.BASE_URL}{one.url}" for one in ticked]
    return "\n\n".join([form.cleaned_data["text"], *(["\n".join(lines)] if lines else [])])


def _store_attached_files(request: SignedInRequest, ticket: Ticket) -> tuple[list[str], list[Enclosed], list[str]]:
    """Store the files attached to a reply.

    Return uploads of the ticket's account, attachments for the email, and problems. If there is no account, all files
    are sent by email, within its size limit.
    """
    files = uploaded_files(request)
    fits = sum(one.size or 0 for one in files) <= MAX_ATTACHMENT_BYTES
    if ticket.account is not None:
        ids, problems = store_files(ticket.account, files)
    else:
        ids, problems = (
            [],
            [] if fits else [str(ATTACHMENTS_TOO_LARGE(megabytes=MAX_ATTACHMENT_BYTES // 1_000_000))],
        )
    enclosed: list[Enclosed] = []
    for one in files if fits and not problems else ():
        one.seek(0)
        content, name = one.read(), clean_file_name(one.name or "")
        try:
            enclosed.append(Enclosed(name, detect_media_type(content, name), content))
        except ValueError as problem:
            problems.append(f"{name}: {problem}")
    return ids, enclosed, problems


def _get_mail(id: str) -> InboundMail:
    found = InboundMail.objects.filter(pk=id.replace("\0", "")).first()
    if found is None:
        raise Http404
    return found


def _get_ticket(key: str) -> Ticket:
    found = Ticket.objects.filter(key=key.replace("\0", "")).select_related("account", "previous_ticket").first()
    if found is None:
        raise Http404
    return found


def _present_ticket(ticket: Ticket) -> dict[str, Any]:
    account = ticket.account
    return {
        "number": ticket.number,
        "subject": ticket.subject,
        "email": ticket.email,
        "business": account.name if account else "",
        "plan": (owner_gettext("Paid") if account.is_paying else owner_gettext("Free"))
        if account and plans.is_selling()
        else "",
        "about": PRODUCT_NAMES.get(ticket.product, "") if ticket.product else "",
        "badge": (owner_gettext("Waiting"), "wait") if ticket.waiting_since else BADGES[ticket.status],
        "is_closed": ticket.status == CLOSED,
        "is_flagged": ticket.is_flagged,
        "since": ticket.waiting_since,
        "at": ticket.updated_at,
        "url": f"{HOME}/{ticket.key}",
    }


def _account_facts(account: Account) -> dict[str, Any]:
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
        "sells": plans.is_selling(),
        "plans": paid,
    }
