"""Stripe with the administrator's own key: customers, prices, subscriptions and invoices.

It shares its HTTP client with payments to accounts (`payments/stripe.py`), but never a key.
"""

from __future__ import annotations

import hashlib
from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any
from urllib.parse import quote

from django.conf import settings

from workspace.payments import circuit_breaker
from workspace.payments.provider import (
    ApiKeyRejectedError,
    CheckoutSession,
    PaymentNotFoundError,
    ProviderUnreachableError,
)
from workspace.payments.stripe_client import get_id, get_nested, request_stripe

WEBHOOK_EVENTS = (
    "checkout.session.completed",
    "checkout.session.async_payment_succeeded",
    "checkout.session.async_payment_failed",
    "checkout.session.expired",
    "customer.subscription.created",
    "customer.subscription.updated",
    "customer.subscription.deleted",
    "customer.subscription.paused",
    "customer.subscription.resumed",
    "invoice.paid",
    "invoice.payment_succeeded",
    "invoice.payment_failed",
    "charge.refunded",
    "charge.dispute.created",
    "charge.dispute.closed",
)
BREAKER_KEY = "the operator"
_INTERVAL_MONTHS = {"month": 1, "year": 12}
_PAGE_SIZE = 100
Json = Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class SubscriptionState:
    id: str
    status: str
    account: str
    customer: str
    items: tuple[dict[str, Any], ...]
    began_at: datetime
    renews_at: datetime | None
    ends_at: datetime | None


@dataclass(frozen=True, slots=True)
class InvoiceState:
    """The state of an invoice.

    `paid` is in cents. `card` is the fingerprint of the card; empty for other payment methods.
    """

    id: str
    customer: str
    subscription: str
    paid: int
    paid_at: datetime | None
    refunded: int
    is_lost: bool
    intent: str
    card: str


def is_live_key() -> bool:
    return settings.STRIPE_KEY.startswith(("sk_live_", "rk_live_"))


def send_request(
    method: str, path: str, fields: Json | None = None, *, idempotency_key: str = "", in_request: bool = False
) -> Mapping[str, Any]:
    """Send a request. Call it outside of transactions. Raise ProviderError if it fails."""
    if not settings.STRIPE_KEY:
        raise ApiKeyRejectedError("No key of Stripe's is set up here")
    if not in_request:
        return request_stripe(settings.STRIPE_KEY, method, path, fields, idempotency_key=idempotency_key)
    return circuit_breaker.call_in_request(
        BREAKER_KEY, lambda: request_stripe(settings.STRIPE_KEY, method, path, fields, idempotency_key=idempotency_key)
    )


def create_customer(account: str, name: str, email: str) -> str:
    given = {"name": name, "email": email, "metadata": {"account": account}}
    return str(
        send_request(
            "POST", "customers", given, idempotency_key=f"customer:{account}:{_hash_text(email)}", in_request=True
        )["id"]
    )


def _hash_text(text: str) -> str:
    """Return a hash of a text that may contain characters not allowed in a header."""
    return hashlib.sha256(text.encode()).hexdigest()[:16]


def create_price(product: str, plan: str, title: str, amount: int) -> str:
    metadata = {"product": product, "plan": plan}
    given = {
        "currency": "usd",
        "unit_amount": amount,
        "recurring": {"interval": "month"},
        "product_data": {"name": title, "metadata": metadata},
        "metadata": metadata,
    }
    return str(
        send_request("POST", "prices", given, idempotency_key=f"price:{product}:{plan}:{amount}", in_request=True)["id"]
    )


def open_checkout(fields: Json, idempotency_key: str) -> CheckoutSession:
    taxed = (
        {"automatic_tax": {"enabled": "true"}, "customer_update": {"address": "auto"}} if settings.STRIPE_TAX else {}
    )
    found = send_request(
        "POST", "checkout/sessions", {**fields, **taxed}, idempotency_key=idempotency_key, in_request=True
    )
    return CheckoutSession(str(found["id"]), _parse_page_url(found))


def create_portal_session(customer: str, return_url: str) -> str:
    given = {"customer": customer, "return_url": return_url}
    return _parse_page_url(send_request("POST", "billing_portal/sessions", given, in_request=True))


def _parse_page_url(data: Json) -> str:
    url = str(data.get("url") or "")
    if not url.startswith(("https://", settings.STRIPE_URL)):
        raise ProviderUnreachableError("Stripe has given no address to go on at", has_response=True)
    return url


def fetch_session(id: str, *, in_request: bool = False) -> Json:
    return send_request("GET", f"checkout/sessions/{quote(id, safe='')}", in_request=in_request)


def fetch_subscription(id: str, *, in_request: bool = False) -> SubscriptionState:
    """Return a subscription. Raise PaymentNotFoundError if there is none."""
    found = send_request("GET", f"subscriptions/{quote(id, safe='')}", in_request=in_request)
    rows = get_nested(found, "items", "data") or ()
    items = tuple(item for one in rows if (item := _parse_item(one)))
    # In newer API versions the items have the end of the period, not the subscription.
    ends = [one.get("current_period_end") for one in rows] + [found.get("current_period_end")]
    period = max((moment for one in ends if (moment := _parse_timestamp(one))), default=None)
    ending = _parse_timestamp(found.get("cancel_at")) or (period if found.get("cancel_at_period_end") else None)
    return SubscriptionState(
        id=str(found["id"]),
        status=str(found.get("status")) if not found.get("pause_collection") else "paused",
        account=str(get_nested(found, "metadata", "account") or ""),
        customer=get_id(found.get("customer")),
        items=items,
        began_at=_parse_timestamp(found.get("created")) or datetime.now(UTC),
        renews_at=None if ending else period,
        ends_at=ending,
    )


def _parse_item(item: Json) -> dict[str, Any] | None:
    """Return an item, or None if it was added manually at the provider and is not one of our plans."""
    price = item.get("price") or {}
    product, plan = get_nested(price, "metadata", "product"), get_nested(price, "metadata", "plan")
    if not product or not plan:
        return None
    interval = str(get_nested(price, "recurring", "interval") or "month")
    months = _INTERVAL_MONTHS.get(interval, 1) * int(get_nested(price, "recurring", "interval_count") or 1)
    return {
        "item": str(item["id"]),
        "product": str(product),
        "plan": str(plan),
        "amount": int(price.get("unit_amount") or 0),
        "months": months,
    }


def fetch_invoice(id: str) -> InvoiceState:
    """Return an invoice with refunds and disputes of its payment. Raise PaymentNotFoundError if there is none."""
    found = send_request("GET", f"invoices/{quote(id, safe='')}?expand%5B%5D=payments")
    parent = get_nested(found, "parent", "subscription_details", "subscription")
    of = get_id(parent or found.get("subscription"))
    paid = int(found.get("amount_paid") or 0) if found.get("status") == "paid" else 0
    intent = _payment_intent_id(found) if paid else ""
    charge = _fetch_charge(intent) if intent else {}
    return InvoiceState(
        id=str(found["id"]),
        customer=get_id(found.get("customer")),
        subscription=of,
        paid=paid,
        paid_at=_parse_timestamp(get_nested(found, "status_transitions", "paid_at"))
        or _parse_timestamp(found.get("created")),
        refunded=int(charge.get("amount_refunded") or 0),
        is_lost=bool(charge.get("disputed")) and _is_dispute_lost(intent),
        intent=intent,
        card=str(get_nested(charge, "payment_method_details", "card", "fingerprint") or ""),
    )


def _payment_intent_id(data: Json) -> str:
    for one in get_nested(data, "payments", "data") or ():
        if intent := get_id(get_nested(one, "payment", "payment_intent")):
            return intent
    return get_id(data.get("payment_intent"))


def _fetch_charge(intent: str) -> Json:
    found = send_request("GET", f"payment_intents/{quote(intent, safe='')}?expand%5B%5D=latest_charge")
    charge = found.get("latest_charge")
    return charge if isinstance(charge, Mapping) else {}


def fetch_payment(intent: str) -> tuple[int, bool]:
    """Return the refunded cents of a payment, and whether it has finally failed."""
    found = send_request("GET", f"payment_intents/{quote(intent, safe='')}?expand%5B%5D=latest_charge")
    is_over = found.get("status") in ("requires_payment_method", "canceled")
    if get_nested(found, "latest_charge", "disputed") and _is_dispute_lost(intent):
        return int(get_nested(found, "latest_charge", "amount") or 0), is_over
    return int(get_nested(found, "latest_charge", "amount_refunded") or 0), is_over


def _is_dispute_lost(intent: str) -> bool:
    found = send_request("GET", f"disputes?limit=1&payment_intent={quote(intent, safe='')}")
    return any(one.get("status") == "lost" for one in found.get("data") or ())


def find_invoice_for_payment(intent: str) -> str:
    """Return the invoice of a payment, or ""."""
    name = "payment%5Btype%5D=payment_intent&payment%5Bpayment_intent%5D="
    found = send_request("GET", f"invoice_payments?limit=1&{name}{quote(intent, safe='')}")
    return next((get_id(one.get("invoice")) for one in found.get("data") or ()), "")


def find_first_paid_invoice(customer: str) -> str:
    """Return the first invoice with a payment above zero, or ""."""
    rows, after = [], ""
    for _ in range(20):
        more = f"&starting_after={quote(after, safe='')}" if after else ""
        found = send_request(
            "GET", f"invoices?customer={quote(customer, safe='')}&status=paid&limit={_PAGE_SIZE}{more}"
        )
        page = list(found.get("data") or ())
        rows += [one for one in page if int(one.get("amount_paid") or 0) > 0]
        if not found.get("has_more") or not page:
            break
        after = str(page[-1]["id"])
    # The newest comes first, which decides between invoices of the same second.
    first = min(reversed(rows), key=lambda one: get_nested(one, "status_transitions", "paid_at") or 0, default=None)
    return str(first["id"]) if first else ""


def list_paid_invoices(subscription: str) -> Sequence[str]:
    found = send_request("GET", f"invoices?subscription={quote(subscription, safe='')}&status=paid&limit={_PAGE_SIZE}")
    return [str(one["id"]) for one in found.get("data") or () if int(one.get("amount_paid") or 0) > 0]


def cancel_subscription(id: str) -> None:
    """Cancel a subscription. Do nothing if it has already ended."""
    with suppress(PaymentNotFoundError):
        send_request("DELETE", f"subscriptions/{quote(id, safe='')}")


def refund_payment(intent: str, idempotency_key: str) -> None:
    send_request("POST", "refunds", {"payment_intent": intent}, idempotency_key=idempotency_key)


def expire_session(id: str) -> None:
    send_request("POST", f"checkout/sessions/{quote(id, safe='')}/expire")


def add_credit(customer: str, cents: int, month: str, description: str, idempotency_key: str) -> str:
    """Credit an amount to the customer's next invoice, or debit a negative one.

    An earlier transaction for the same month is returned instead.
    """
    sign = "back" if cents < 0 else "month"
    path = f"customers/{quote(customer, safe='')}/balance_transactions"
    for one in send_request("GET", f"{path}?limit={_PAGE_SIZE}").get("data") or ():
        if get_nested(one, "metadata", sign) == month:
            return str(one["id"])
    given = {"amount": -cents, "currency": "usd", "description": description, "metadata": {sign: month}}
    return str(send_request("POST", path, given, idempotency_key=idempotency_key)["id"])


def fetch_balance(customer: str) -> int:
    """Return the customer's credit balance in cents."""
    return -int(send_request("GET", f"customers/{quote(customer, safe='')}").get("balance") or 0)


def _parse_timestamp(seconds: Any) -> datetime | None:
    return datetime.fromtimestamp(seconds, UTC) if isinstance(seconds, int) and seconds > 0 else None
