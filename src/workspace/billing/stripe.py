"""Stripe with the administrator's own key: customers, prices, subscriptions and invoices.

It shares its client with payments to accounts (`payments/stripe.py`), but never a key.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any, TypeVar
from urllib.parse import quote

from django.conf import settings

from workspace.billing import messages
from workspace.payment_clients import circuit_breaker
from workspace.payment_clients.errors import ApiKeyRejectedError, PaymentNotFoundError
from workspace.payment_clients.stripe.client import Json, StripeClient, get_id, get_nested, object_path, parse_page_url
from workspace.payments.provider import CheckoutSession

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
BREAKER_KEY = "the administrator"
_INTERVAL_MONTHS = {"month": 1, "year": 12}
T = TypeVar("T")


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
    return StripeClient(settings.STRIPE_KEY).is_live


def call_stripe(ask: Callable[[StripeClient], T], *, in_request: bool = False) -> T:
    """Call `ask(client)` and return its result. Call it outside of transactions. Raise ProviderError if it fails."""
    if not settings.STRIPE_KEY:
        raise ApiKeyRejectedError(str(messages.NO_STRIPE_KEY))
    client = StripeClient(settings.STRIPE_KEY)
    return circuit_breaker.call_in_request(BREAKER_KEY, lambda: ask(client)) if in_request else ask(client)


def send_request(
    method: str, path: str, fields: Json | None = None, *, idempotency_key: str = "", in_request: bool = False
) -> Json:
    """Send a request. Call it outside of transactions. Raise ProviderError if it fails."""
    return call_stripe(
        lambda client: client.request(method, path, fields, idempotency_key=idempotency_key), in_request=in_request
    )


def create_customer(account: str, name: str, email: str) -> str:
    given = {"name": name, "email": email, "metadata": {"account": account}}
    return str(
        send_request(
            "POST", "customers", given, idempotency_key=f"customer:{account}:{_hash_text(email)}", in_request=True
        )["id"]
    )


def _hash_text(text: str) -> str:
    """Hash text that may contain characters that headers do not allow."""
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
    opened = call_stripe(lambda client: client.open_checkout({**fields, **taxed}, idempotency_key), in_request=True)
    return CheckoutSession(*opened)


def create_portal_session(customer: str, return_url: str) -> str:
    given = {"customer": customer, "return_url": return_url}
    return parse_page_url(send_request("POST", "billing_portal/sessions", given, in_request=True))


def fetch_session(id: str, *, in_request: bool = False) -> Json:
    return call_stripe(lambda client: client.fetch_checkout(id), in_request=in_request)


def fetch_subscription(id: str, *, in_request: bool = False) -> SubscriptionState:
    """Return a subscription. Raise PaymentNotFoundError if there is none."""
    found = call_stripe(lambda client: client.fetch_object("subscriptions", id), in_request=in_request)
    rows = get_nested(found, "items", "data") or ()
    items = tuple(item for one in rows if (item := _parse_item(one)))
    # In newer API versions, the end of the period is in the items and not in the subscription.
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
    """Return an item, or None if it was added manually at the provider and is none of our plans."""
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
    """Return an invoice with the refunds and disputes of its payment. Raise PaymentNotFoundError if there is none."""
    found = call_stripe(lambda client: client.fetch_object("invoices", id, expand=("payments",)))
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
    found = call_stripe(lambda client: client.fetch_payment(intent))
    charge = found.get("latest_charge")
    return charge if isinstance(charge, Mapping) else {}


def fetch_payment(intent: str) -> tuple[int, bool]:
    """Return the refunded cents of a payment, and whether it has failed permanently."""
    found = call_stripe(lambda client: client.fetch_payment(intent))
    is_over = found.get("status") in ("requires_payment_method", "canceled")
    if get_nested(found, "latest_charge", "disputed") and _is_dispute_lost(intent):
        return int(get_nested(found, "latest_charge", "amount") or 0), is_over
    return int(get_nested(found, "latest_charge", "amount_refunded") or 0), is_over


def _is_dispute_lost(intent: str) -> bool:
    return call_stripe(lambda client: client.find_dispute_status(intent)) == "lost"


def find_invoice_for_payment(intent: str) -> str:
    """Return the id of a payment's invoice, or ""."""
    name = "payment%5Btype%5D=payment_intent&payment%5Bpayment_intent%5D="
    found = send_request("GET", f"invoice_payments?limit=1&{name}{quote(intent, safe='')}")
    return next((get_id(one.get("invoice")) for one in found.get("data") or ()), "")


def find_first_paid_invoice(customer: str) -> str:
    """Return the id of the customer's first invoice with a payment above zero, or ""."""
    rows = _list_paid_invoices({"customer": customer})
    # Invoices are listed newest first, which decides between those of the same second.
    first = min(reversed(rows), key=lambda one: get_nested(one, "status_transitions", "paid_at") or 0, default=None)
    return str(first["id"]) if first else ""


def list_paid_invoices(subscription: str) -> Sequence[str]:
    return [str(one["id"]) for one in _list_paid_invoices({"subscription": subscription})]


def _list_paid_invoices(filters: Json) -> list[Json]:
    rows = call_stripe(lambda client: client.list_objects("invoices", {**filters, "status": "paid"}))
    return [one for one in rows if int(one.get("amount_paid") or 0) > 0]


def cancel_subscription(id: str) -> None:
    """Cancel a subscription. If it has already ended, do nothing."""
    with suppress(PaymentNotFoundError):
        send_request("DELETE", object_path("subscriptions", id))


def refund_payment(intent: str, idempotency_key: str) -> None:
    call_stripe(lambda client: client.create_refund({"payment_intent": intent}, idempotency_key))


def expire_session(id: str) -> None:
    call_stripe(lambda client: client.expire_checkout(id))


def add_credit(customer: str, cents: int, month: str, description: str, idempotency_key: str) -> str:
    """Credit an amount to the customer's next invoice, or debit a negative one.

    If there already is a transaction for the same month, return that one.
    """
    sign = "back" if cents < 0 else "month"
    path = f"{object_path('customers', customer)}/balance_transactions"
    for one in call_stripe(lambda client: client.list_objects(path, {})):
        if get_nested(one, "metadata", sign) == month:
            return str(one["id"])
    given = {"amount": -cents, "currency": "usd", "description": description, "metadata": {sign: month}}
    return str(send_request("POST", path, given, idempotency_key=idempotency_key)["id"])


def fetch_balance(customer: str) -> int:
    """Return the customer's credit balance in cents."""
    return -int(call_stripe(lambda client: client.fetch_object("customers", customer)).get("balance") or 0)


def _parse_timestamp(seconds: Any) -> datetime | None:
    return datetime.fromtimestamp(seconds, UTC) if isinstance(seconds, int) and seconds > 0 else None
