"""The operator's inbox: who waits longest comes first. Nothing of an account's content is shown beside a thread, only
what whoever runs the installation knows of it anyway."""

from __future__ import annotations

from typing import Any

from django import forms
from django.contrib import messages
from django.db.models import F
from django.http import Http404, HttpResponse
from django.shortcuts import render

from workspace.accounts import plans
from workspace.accounts.models import Account
from workspace.dashboard.session import SignedInRequest
from workspace.dashboard.things import done
from workspace.dashboard.tool_pages import page, whole_number
from workspace.interfaces.account_pages.support import BADGES, NAMES, message_shown, sent
from workspace.storage.database import writing
from workspace.support import rules, tools
from workspace.support.models import Ticket
from workspace.support.models.ticket import CLOSED, LONGEST_MESSAGE, TEAM
from workspace.toolkit.errors import ToolError

HOME = "/app/inbox"
A_PAGE = 50


class ReplyForm(forms.Form):
    text = forms.CharField(label="Your answer", max_length=LONGEST_MESSAGE, widget=forms.Textarea(attrs={"rows": 8}))


@page()
def inbox(request: SignedInRequest) -> HttpResponse:
    """Those who wait first, the longest before the others, then what was answered; closed ones on their own."""
    _admit(request)
    is_closed = request.GET.get("show") == "closed"
    found = Ticket.objects.select_related("account")
    found = found.filter(status=CLOSED) if is_closed else found.exclude(status=CLOSED)
    order = ["-updated_at"] if is_closed else [F("waits_since").asc(nulls_last=True), "-updated_at"]
    at = whole_number(request.GET.get("offset"), 0, 0, 1_000_000)
    rows = [_row(ticket) for ticket in found.order_by(*order, "-number")[at : at + A_PAGE]]
    waiting = Ticket.objects.exclude(waits_since=None).count()
    more = at + A_PAGE if found.count() > at + A_PAGE else 0
    context = {"rows": rows, "waiting": waiting, "is_closed": is_closed, "more": more, "before": at > 0}
    return render(request, "account_pages/inbox.html", context)


@page("GET", "HEAD", "POST")
def thread(request: SignedInRequest, id: str) -> HttpResponse:
    """One thread with the account's facts, an answer, and closing."""
    _admit(request)
    ticket = _find(id)
    form = ReplyForm(request.POST if request.method == "POST" and "close" not in request.POST else None)
    try:
        if request.method == "POST" and "close" in request.POST:
            with writing():
                rules.close(rules.hold(ticket.pk), by=TEAM)
            return done(request, f"Number {ticket.number} is closed, and who asked is told.", HOME)
        if form.is_valid():
            with writing():
                rules.add(rules.hold(ticket.pk), TEAM, form.cleaned_data["text"])
            return done(request, f"Answered: the mail to {ticket.email} leaves now.", HOME)
    except ToolError as refusal:
        messages.error(request, refusal.message)
    context = {
        "form": form,
        "ticket": _row(ticket),
        "messages_of": [message_shown(one) for one in tools.messages_of(ticket)],
        "facts": _facts(ticket.account) if ticket.account else None,
        "follows": ticket.follows,
        "home": HOME,
    }
    return render(request, "account_pages/inbox_thread.html", context, status=422 if form.errors else 200)


@page()
def file(request: SignedInRequest, id: str, upload_id: str) -> HttpResponse:
    _admit(request)
    return sent(_find(id), upload_id)


def _admit(request: SignedInRequest) -> None:
    """Whoever runs the installation; for all others there is no such page."""
    if not request.user.is_operator:
        raise Http404


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
        "pays": account.pays if account else False,
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
        "plans": paid,
    }
