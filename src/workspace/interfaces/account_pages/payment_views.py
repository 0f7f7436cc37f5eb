"""Payments: connecting a provider (by the owner, after a recent sign-in), the list of payments, and refunds."""

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
from workspace.interfaces.account_pages.owner_requirement import is_owner, require_owner
from workspace.lib.money import currency_decimals, format_amount
from workspace.owner_translation import owner_gettext, owner_gettext_lazy, owner_ngettext
from workspace.payments import connection as payments_connection
from workspace.payments import provider_registry, tools
from workspace.payments.connection import NotConnectedError
from workspace.payments.models import Connection, Payment
from workspace.payments.provider import PROCESSING, Provider
from workspace.payments.provider_calls import PAGE_PATH
from workspace.payments.provider_registry import find_provider, get_provider, get_title

PAGE_SIZE = 25
STATE_BADGES = {
    "open": (owner_gettext_lazy("Unpaid"), ""),
    "processing": (owner_gettext_lazy("Processing"), "wait"),
    "paid": (owner_gettext_lazy("Paid"), "good"),
    "failed": (owner_gettext_lazy("Failed"), "bad"),
    "expired": (owner_gettext_lazy("Expired"), ""),
    "partly_refunded": (owner_gettext_lazy("Partly refunded"), "wait"),
    "refunded": (owner_gettext_lazy("Refunded"), ""),
    "disputed": (owner_gettext_lazy("Disputed"), "bad"),
    "lost": (owner_gettext_lazy("Dispute lost"), "bad"),
}
REFUND_TEXTS = {
    "waiting": owner_gettext_lazy("Refund pending"),
    "done": owner_gettext_lazy("Refunded"),
    "failed": owner_gettext_lazy("Refund failed"),
}
page = build_page_decorator(
    list_path=PAGE_PATH, id_arguments=("payment_id",), find_parent_url=lambda request: PAGE_PATH
)


def _secret_field(label: str, help: str) -> forms.CharField:
    """Return a field for a secret that no page displays again, even if it was rejected."""
    widget = forms.PasswordInput(attrs={"autocomplete": "off", "spellcheck": "false"})
    return forms.CharField(label=label, max_length=payments_connection.MAX_KEY_LENGTH, help_text=help, widget=widget)


def _build_form(request: SignedInRequest, name: str, label: str, help: str) -> forms.Form:
    """Return a form with one secret, labeled with its name at the provider."""
    form = forms.Form(request.POST if request.method == "POST" else None)
    form.fields[name] = _secret_field(label, help)
    return form


@page()
def payments(request: SignedInRequest) -> HttpResponse:
    offset = parse_whole_number(request.GET.get("offset"), 0, 0, 10**6)
    found = call_tool(request, tools.list_payments, limit=PAGE_SIZE, offset=offset)
    connection = _find_connection(request.account)
    context = {
        "log": found,
        "rows": [_present_payment(row) for row in found["items"]],
        "limit": PAGE_SIZE,
        "provider": found["provider"],
        "connection": connection,
        "maker": get_provider(connection.provider) if connection is not None else None,
        "providers": provider_registry.PROVIDERS,
        "provider_titles": payments_connection.describe_provider(request.account),
        "is_owner": is_owner(request),
        "on_its_way": request.account.payments.filter(state=PROCESSING).count(),
    }
    return render(request, "account_pages/payments.html", context)


@require_owner
def connect(request: SignedInRequest, provider: str = "") -> HttpResponse:
    """Connect the provider with this name, or else the connected one, or else the first one."""
    connection = _find_connection(request.account)
    maker = _get_provider(
        provider or (connection.provider if connection is not None else provider_registry.PROVIDERS[0].name)
    )
    form = _build_form(request, "key", maker.setup.key_label, maker.setup.key_help)
    if form.is_valid():
        try:
            made = payments_connection.connect_provider(request.account, maker.name, form.cleaned_data["key"])
        except NotConnectedError as problem:
            form.add_error("key", str(problem))
        else:
            summary = f"Connected {maker.title} for payments"
            change_log.log_change(request.account, request.caller, "payments", summary)
            text = (
                owner_gettext("%(title)s connected.")
                if made.live
                else owner_gettext("%(title)s connected in test mode. Enter a live key to receive payments.")
            )
            return redirect_with_message(request, text % {"title": maker.title}, PAGE_PATH)
    context = {
        "form": form,
        "maker": maker,
        "is_connected": connection is not None and connection.provider == maker.name,
    }
    return _prevent_caching(
        render(request, "account_pages/payments_connect.html", context, status=422 if form.errors else 200)
    )


@require_owner
def set_up_webhook(request: SignedInRequest) -> HttpResponse:
    """Set up the webhook for the provider's events, automatically or manually."""
    connection = _find_connection(request.account)
    if connection is None:
        raise Http404
    provider = get_provider(connection.provider)
    if request.method == "POST" and "secret" not in request.POST:
        result = payments_connection.register_webhook(connection)
        return (
            redirect_with_message(
                request, owner_gettext("Events from %(title)s set up.") % {"title": provider.title}, PAGE_PATH
            )
            if result
            else redirect("payments_events")
        )
    form = _build_form(request, "secret", provider.setup.secret_label, provider.setup.secret_help)
    if form.is_valid():
        try:
            payments_connection.set_signing_secret(connection, form.cleaned_data["secret"])
        except NotConnectedError as problem:
            form.add_error("secret", str(problem))
        else:
            text = owner_gettext("Saved. You’ll now receive events from %(title)s.") % {"title": provider.title}
            return redirect_with_message(request, text, PAGE_PATH)
    context = {"form": form, "connection": connection, "maker": provider}
    return _prevent_caching(
        render(request, "account_pages/payments_events.html", context, status=422 if form.errors else 200)
    )


@require_owner
def disconnect(request: SignedInRequest) -> HttpResponse:
    connection = _find_connection(request.account)
    if connection is None or connection.is_ending:
        return redirect("payments")
    title = get_title(connection.provider)
    if request.method == "POST":
        payments_connection.disconnect_provider(connection)
        change_log.log_change(request.account, request.caller, "payments", f"Disconnected {title}")
        return redirect_with_message(
            request,
            owner_gettext("%(title)s disconnected. Open payments were canceled and the key was deleted.")
            % {"title": title},
            PAGE_PATH,
        )
    slow = request.account.payments.filter(state=PROCESSING).count()
    texts = [
        owner_gettext(
            "Connect %(title)s again to let customers pay online. Past payments stay listed here and in %(title)s."
        )
        % {"title": title}
    ]
    if slow:
        texts.append(
            owner_ngettext(
                "%(count)s pending bank payment will only be visible in %(title)s.",
                "%(count)s pending bank payments will only be visible in %(title)s.",
                slow,
            )
            % {"count": slow, "title": title}
        )
    return render_confirmation(
        request,
        title=owner_gettext("Disconnect %(title)s?") % {"title": title},
        text=" ".join(texts),
        button=owner_gettext("Disconnect"),
        back=PAGE_PATH,
    )


@page("GET", "HEAD", "POST")
def refund(request: SignedInRequest, id: str) -> HttpResponse:
    payment = _get_payment(request.account, id)
    provider = find_provider(payment.provider)
    [row] = tools.list_payment_data([payment])
    labels = {"amount": owner_gettext("Amount"), "reason": owner_gettext("Reason")}
    form = ToolForm(tools.refund, request, fixed={"payment_id": id}, labels=labels, amounts={"amount": row["currency"]})
    if form.submit(request.caller):
        return redirect_with_message(request, owner_gettext("Refund sent. It can take 5–10 days to arrive."), PAGE_PATH)
    context = {
        "form": form,
        "row": _present_payment(row),
        "refund_help": provider.setup.refund_help if provider is not None else "",
        "left": _format_money(row["amount"] - row["refunded"], row["currency"]),
    }
    return render(request, "account_pages/payments_refund.html", context, status=form.status)


def _get_payment(account: Account, id: str) -> Payment:
    payment = account.payments.filter(pk=id).first()
    if payment is None:
        raise Http404
    return payment


def _get_provider(name: str) -> Provider:
    found = find_provider(name)
    if found is None:
        raise Http404
    return found


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
            {**one, "state_text": REFUND_TEXTS[one["state"]], "sum": _format_money(one["amount"], currency)}
            for one in row["refunds"]
        ],
        "may_refund": row["state"] in ("paid", "partly_refunded") and row["refunded"] + waiting < row["amount"],
    }


def _format_money(amount: float, currency: str) -> str:
    return format_amount(round(amount * 10 ** currency_decimals(currency)), currency)


def _prevent_caching(response: HttpResponse) -> HttpResponse:
    response["Cache-Control"] = "no-store"
    return response
