"""Payments: connecting Stripe (the owner's act, after a fresh sign-in), what was paid, and giving it back."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from django import forms
from django.http import Http404, HttpResponse
from django.shortcuts import redirect, render

from workspace.accounts import change_log
from workspace.accounts.models import Account
from workspace.dashboard.forms import ToolForm
from workspace.dashboard.item_presenters import ask, done, moment
from workspace.dashboard.session import SignedInRequest
from workspace.dashboard.tool_views import call, pages, whole_number
from workspace.interfaces.account_pages.owner_only import by_owner, owns
from workspace.lib.money import decimals_of, shown
from workspace.lib.text import counted
from workspace.payments import connection as payments_connection
from workspace.payments import tools
from workspace.payments.circuit_breaker import PAGE
from workspace.payments.connection import NotConnected
from workspace.payments.models import Connection
from workspace.payments.provider import PROCESSING
from workspace.payments.stripe import EVENTS, NEEDED

ROWS = 25
STATES = {
    "open": ("Not paid yet", ""),
    "processing": ("On its way", "wait"),
    "paid": ("Paid", "good"),
    "failed": ("Failed", "bad"),
    "expired": ("Not paid", ""),
    "partly_refunded": ("Part given back", "wait"),
    "refunded": ("Given back", ""),
    "disputed": ("Disputed", "bad"),
    "lost": ("Dispute lost", "bad"),
}
REFUNDS = {"waiting": "on its way back", "done": "given back", "failed": "not given back"}
KEYS_AT = "https://dashboard.stripe.com/apikeys"
HOOKS_AT = "https://dashboard.stripe.com/webhooks"
page = pages(home=PAGE, ids=("payment_id",), above=lambda request: PAGE)


def _secret(label: str, help: str) -> forms.CharField:
    """What is typed once and shown by no page, also not by the one that refuses it."""
    widget = forms.PasswordInput(attrs={"autocomplete": "off", "spellcheck": "false"})
    return forms.CharField(label=label, max_length=payments_connection.LONGEST_KEY, help_text=help, widget=widget)


class KeyForm(forms.Form):
    key = _secret("Secret or restricted key", "It begins with sk_ or rk_. It is kept encrypted and never shown.")


class SecretForm(forms.Form):
    secret = _secret("Signing secret", "It begins with whsec_, and stands beside the webhook at Stripe.")


@page()
def payments(request: SignedInRequest) -> HttpResponse:
    offset = whole_number(request.GET.get("offset"), 0, 0, 10**6)
    found = call(request, tools.found, limit=ROWS, offset=offset)
    context = {
        "log": found,
        "rows": [_shown(row) for row in found["items"]],
        "limit": ROWS,
        "provider": found["provider"],
        "connection": _connection(request.account),
        "is_owner": owns(request),
        "on_its_way": request.account.payments.filter(state=PROCESSING).count(),
    }
    return render(request, "account_pages/payments.html", context)


@by_owner
def connect(request: SignedInRequest) -> HttpResponse:
    form = KeyForm(request.POST if request.method == "POST" else None)
    if form.is_valid():
        try:
            made = payments_connection.connect(request.account, form.cleaned_data["key"])
        except NotConnected as problem:
            form.add_error("key", str(problem))
        else:
            change_log.note(request.account, request.caller, "payments", "Connected Stripe, to take payments")
            mode = "" if made.live else " in test mode: no money moves until you give the key for live payments"
            return done(request, f"Stripe is connected{mode}.", PAGE)
    context = {"form": form, "rights": NEEDED, "keys_at": KEYS_AT, "connection": _connection(request.account)}
    return _private(render(request, "account_pages/payments_connect.html", context, status=422 if form.errors else 200))


@by_owner
def events(request: SignedInRequest) -> HttpResponse:
    """Where Stripe's events come in: tried again, or set up by hand."""
    connection = _connection(request.account)
    if connection is None:
        raise Http404
    if request.method == "POST" and "secret" not in request.POST:
        told = payments_connection.listen(connection)
        return done(request, "Stripe sends its events here.", PAGE) if told else redirect("payments_events")
    form = SecretForm(request.POST if request.method == "POST" else None)
    if form.is_valid():
        try:
            payments_connection.take_secret(connection, form.cleaned_data["secret"])
        except NotConnected as problem:
            form.add_error("secret", str(problem))
        else:
            return done(request, "Kept. What Stripe sends from now on is heard.", PAGE)
    context = {"form": form, "connection": connection, "events": EVENTS, "hooks_at": HOOKS_AT}
    return _private(render(request, "account_pages/payments_events.html", context, status=422 if form.errors else 200))


@by_owner
def disconnect(request: SignedInRequest) -> HttpResponse:
    connection = _connection(request.account)
    if connection is None or connection.ending:
        return redirect("payments")
    if request.method == "POST":
        payments_connection.disconnect(connection)
        change_log.note(request.account, request.caller, "payments", "Disconnected Stripe")
        return done(request, "Stripe is disconnected. What was open is ended there, and the key is forgotten.", PAGE)
    slow = request.account.payments.filter(state=PROCESSING).count()
    left = f" {counted(slow, 'payment')} on the way by a bank will be seen at Stripe only." if slow else ""
    return ask(
        request,
        title="Disconnect Stripe?",
        text=f"Nobody can pay online until you connect it again. What was paid stays listed here, and at Stripe.{left}",
        button="Disconnect",
        back=PAGE,
    )


@page("GET", "HEAD", "POST")
def refund(request: SignedInRequest, id: str) -> HttpResponse:
    row = _row(request.account, id)
    labels = {"amount": "Amount", "reason": "Why"}
    form = ToolForm(tools.refund, request, fixed={"payment_id": id}, labels=labels, amounts={"amount": row["currency"]})
    if form.submit(request.caller):
        return done(request, "On its way back. It arrives within some days.", PAGE)
    context = {"form": form, "row": _shown(row), "left": _money(row["amount"] - row["refunded"], row["currency"])}
    return render(request, "account_pages/payments_refund.html", context, status=form.status)


def _row(account: Account, id: str) -> Any:
    payment = account.payments.filter(pk=id).first()
    if payment is None:
        raise Http404
    return tools.rows_of([payment])[0]


def _connection(account: Account) -> Connection | None:
    found = Connection.objects.filter(account=account).first()
    return found if found is not None and found.key else None


def _shown(row: Mapping[str, Any]) -> dict[str, Any]:
    currency = row["currency"]
    waiting = sum(one["amount"] for one in row["refunds"] if one["state"] == "waiting")
    return {
        **row,
        "badge": STATES[row["state"]],
        "at": moment(row["paid_at"] or row["at"]),
        "sum": _money(row["amount"], currency),
        "back": _money(row["refunded"], currency) if row["state"] == "partly_refunded" else "",
        "refunds": [
            {**one, "told": REFUNDS[one["state"]], "sum": _money(one["amount"], currency)} for one in row["refunds"]
        ],
        "may_refund": row["state"] in ("paid", "partly_refunded") and row["refunded"] + waiting < row["amount"],
    }


def _money(amount: float, currency: str) -> str:
    return shown(round(amount * 10 ** decimals_of(currency)), currency)


def _private(response: HttpResponse) -> HttpResponse:
    response["Cache-Control"] = "no-store"
    return response
