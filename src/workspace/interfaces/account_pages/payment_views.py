"""Payments: connecting Stripe (by the owner, after a recent sign-in), the list of payments, and refunds."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from django import forms
from django.http import Http404, HttpResponse
from django.shortcuts import redirect, render

from workspace.accounts import change_log
from workspace.accounts.models import Account
from workspace.dashboard.forms import ToolForm
from workspace.dashboard.item_presenters import parse_time, redirect_with_message, render_confirmation
from workspace.dashboard.session import SignedInRequest
from workspace.dashboard.tool_views import build_page_decorator, call_tool, parse_whole_number
from workspace.interfaces.account_pages.owner_only import is_owner, require_owner
from workspace.lib.money import currency_decimals, format_amount
from workspace.lib.text import format_count
from workspace.payments import connection as payments_connection
from workspace.payments import tools
from workspace.payments.connection import NotConnectedError
from workspace.payments.models import Connection
from workspace.payments.provider import PROCESSING
from workspace.payments.provider_calls import PAGE_PATH
from workspace.payments.stripe import REQUIRED_PERMISSIONS, WEBHOOK_EVENTS

PAGE_SIZE = 25
STATE_BADGES = {
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
REFUND_TEXTS = {"waiting": "on its way back", "done": "given back", "failed": "not given back"}
STRIPE_KEYS_URL = "https://dashboard.stripe.com/apikeys"
STRIPE_WEBHOOKS_URL = "https://dashboard.stripe.com/webhooks"
page = build_page_decorator(home=PAGE_PATH, ids=("payment_id",), above=lambda request: PAGE_PATH)


def _secret_field(label: str, help: str) -> forms.CharField:
    """Return a field for a secret that no page shows, not even the one that rejects it."""
    widget = forms.PasswordInput(attrs={"autocomplete": "off", "spellcheck": "false"})
    return forms.CharField(label=label, max_length=payments_connection.MAX_KEY_LENGTH, help_text=help, widget=widget)


class KeyForm(forms.Form):
    key = _secret_field("Secret or restricted key", "It begins with sk_ or rk_. It is kept encrypted and never shown.")


class SecretForm(forms.Form):
    secret = _secret_field("Signing secret", "It begins with whsec_, and stands beside the webhook at Stripe.")


@page()
def payments(request: SignedInRequest) -> HttpResponse:
    offset = parse_whole_number(request.GET.get("offset"), 0, 0, 10**6)
    found = call_tool(request, tools.list_payments, limit=PAGE_SIZE, offset=offset)
    context = {
        "log": found,
        "rows": [_present_payment(row) for row in found["items"]],
        "limit": PAGE_SIZE,
        "provider": found["provider"],
        "connection": _find_connection(request.account),
        "is_owner": is_owner(request),
        "on_its_way": request.account.payments.filter(state=PROCESSING).count(),
    }
    return render(request, "account_pages/payments.html", context)


@require_owner
def connect(request: SignedInRequest) -> HttpResponse:
    form = KeyForm(request.POST if request.method == "POST" else None)
    if form.is_valid():
        try:
            made = payments_connection.connect_provider(request.account, form.cleaned_data["key"])
        except NotConnectedError as problem:
            form.add_error("key", str(problem))
        else:
            change_log.log_change(request.account, request.caller, "payments", "Connected Stripe, to take payments")
            mode = "" if made.live else " in test mode: no money moves until you give the key for live payments"
            return redirect_with_message(request, f"Stripe is connected{mode}.", PAGE_PATH)
    context = {
        "form": form,
        "rights": REQUIRED_PERMISSIONS,
        "keys_at": STRIPE_KEYS_URL,
        "connection": _find_connection(request.account),
    }
    return _prevent_caching(
        render(request, "account_pages/payments_connect.html", context, status=422 if form.errors else 200)
    )


@require_owner
def events(request: SignedInRequest) -> HttpResponse:
    """Set up the webhook for Stripe's events, automatically or by hand."""
    connection = _find_connection(request.account)
    if connection is None:
        raise Http404
    if request.method == "POST" and "secret" not in request.POST:
        told = payments_connection.register_webhook(connection)
        return (
            redirect_with_message(request, "Stripe sends its events here.", PAGE_PATH)
            if told
            else redirect("payments_events")
        )
    form = SecretForm(request.POST if request.method == "POST" else None)
    if form.is_valid():
        try:
            payments_connection.set_signing_secret(connection, form.cleaned_data["secret"])
        except NotConnectedError as problem:
            form.add_error("secret", str(problem))
        else:
            return redirect_with_message(request, "Kept. What Stripe sends from now on is heard.", PAGE_PATH)
    context = {"form": form, "connection": connection, "events": WEBHOOK_EVENTS, "hooks_at": STRIPE_WEBHOOKS_URL}
    return _prevent_caching(
        render(request, "account_pages/payments_events.html", context, status=422 if form.errors else 200)
    )


@require_owner
def disconnect(request: SignedInRequest) -> HttpResponse:
    connection = _find_connection(request.account)
    if connection is None or connection.is_ending:
        return redirect("payments")
    if request.method == "POST":
        payments_connection.disconnect_provider(connection)
        change_log.log_change(request.account, request.caller, "payments", "Disconnected Stripe")
        return redirect_with_message(
            request, "Stripe is disconnected. What was open is ended there, and the key is forgotten.", PAGE_PATH
        )
    slow = request.account.payments.filter(state=PROCESSING).count()
    left = f" {format_count(slow, 'payment')} on the way by a bank will be seen at Stripe only." if slow else ""
    return render_confirmation(
        request,
        title="Disconnect Stripe?",
        text=f"Nobody can pay online until you connect it again. What was paid stays listed here, and at Stripe.{left}",
        button="Disconnect",
        back=PAGE_PATH,
    )


@page("GET", "HEAD", "POST")
def refund(request: SignedInRequest, id: str) -> HttpResponse:
    row = _get_payment(request.account, id)
    labels = {"amount": "Amount", "reason": "Why"}
    form = ToolForm(tools.refund, request, fixed={"payment_id": id}, labels=labels, amounts={"amount": row["currency"]})
    if form.submit(request.caller):
        return redirect_with_message(request, "On its way back. It arrives within some days.", PAGE_PATH)
    context = {
        "form": form,
        "row": _present_payment(row),
        "left": _format_money(row["amount"] - row["refunded"], row["currency"]),
    }
    return render(request, "account_pages/payments_refund.html", context, status=form.status)


def _get_payment(account: Account, id: str) -> Any:
    payment = account.payments.filter(pk=id).first()
    if payment is None:
        raise Http404
    return tools.list_payment_data([payment])[0]


def _find_connection(account: Account) -> Connection | None:
    found = Connection.objects.filter(account=account).first()
    return found if found is not None and found.key else None


def _present_payment(row: Mapping[str, Any]) -> dict[str, Any]:
    currency = row["currency"]
    waiting = sum(one["amount"] for one in row["refunds"] if one["state"] == "waiting")
    return {
        **row,
        "badge": STATE_BADGES[row["state"]],
        "at": parse_time(row["paid_at"] or row["at"]),
        "sum": _format_money(row["amount"], currency),
        "back": _format_money(row["refunded"], currency) if row["state"] == "partly_refunded" else "",
        "refunds": [
            {**one, "told": REFUND_TEXTS[one["state"]], "sum": _format_money(one["amount"], currency)}
            for one in row["refunds"]
        ],
        "may_refund": row["state"] in ("paid", "partly_refunded") and row["refunded"] + waiting < row["amount"],
    }


def _format_money(amount: float, currency: str) -> str:
    return format_amount(round(amount * 10 ** currency_decimals(currency)), currency)


def _prevent_caching(response: HttpResponse) -> HttpResponse:
    response["Cache-Control"] = "no-store"
    return response
