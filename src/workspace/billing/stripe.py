"""Stripe with the operator's own key: customers, prices, subscriptions, invoices. It shares the provider's calls with
what accounts' customers pay (`payments/stripe.py`), and never a key."""

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
from workspace.payments.provider import KeyRefused, Missing, Opened, Unreachable
from workspace.payments.stripe_client import asked, id_of, within

EVENTS = (
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
WHOSE = "the operator"
_MONTHS = {"month": 1, "year": 12}
_PAGE = 100
Json = Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class FoundSubscription:
    id: str
    status: str
    account: str
    customer: str
    items: tuple[dict[str, Any], ...]
    began_at: datetime
    renews_at: datetime | None
    ends_at: datetime | None


@dataclass(frozen=True, slots=True)
class FoundInvoice:
    """`paid` in cents; `card` is the fingerprint of the card, empty for another way of paying."""

    id: str
    customer: str
    subscription: str
    paid: int
    paid_at: datetime | None
    refunded: int
    is_lost: bool
    intent: str
    card: str


def is_live() -> bool:
    return settings.STRIPE_KEY.startswith(("sk_live_", "rk_live_"))


def ask(
    method: str, path: str, given: Json | None = None, *, once: str = "", in_request: bool = False
) -> Mapping[str, Any]:
    """Never within a transaction. Raises ProviderTrouble."""
    if not settings.STRIPE_KEY:
        raise KeyRefused("No key of Stripe's is set up here")
    if not in_request:
        return asked(settings.STRIPE_KEY, method, path, given, once=once)
    return circuit_breaker.in_a_request(WHOSE, lambda: asked(settings.STRIPE_KEY, method, path, given, once=once))


def make_customer(account: str, name: str, email: str) -> str:
    given = {"name": name, "email": email, "metadata": {"account": account}}
    return str(ask("POST", "customers", given, once=f"customer:{account}:{_digest(email)}", in_request=True)["id"])


def _digest(text: str) -> str:
    """Of what may hold any letter, for a header."""
    return hashlib.sha256(text.encode()).hexdigest()[:16]


def make_price(product: str, plan: str, title: str, amount: int) -> str:
    told = {"product": product, "plan": plan}
    given = {
        "currency": "usd",
        "unit_amount": amount,
        "recurring": {"interval": "month"},
        "product_data": {"name": title, "metadata": told},
        "metadata": told,
    }
    return str(ask("POST", "prices", given, once=f"price:{product}:{plan}:{amount}", in_request=True)["id"])


def open_checkout(given: Json, once: str) -> Opened:
    taxed = (
        {"automatic_tax": {"enabled": "true"}, "customer_update": {"address": "auto"}} if settings.STRIPE_TAX else {}
    )
    found = ask("POST", "checkout/sessions", {**given, **taxed}, once=once, in_request=True)
    return Opened(str(found["id"]), _page_of(found))


def portal(customer: str, back: str) -> str:
    given = {"customer": customer, "return_url": back}
    return _page_of(ask("POST", "billing_portal/sessions", given, in_request=True))


def _page_of(found: Json) -> str:
    url = str(found.get("url") or "")
    if not url.startswith(("https://", settings.STRIPE_URL)):
        raise Unreachable("Stripe has given no address to go on at", answered=True)
    return url


def session(id: str, *, in_request: bool = False) -> Json:
    return ask("GET", f"checkout/sessions/{quote(id, safe='')}", in_request=in_request)


def subscription(id: str, *, in_request: bool = False) -> FoundSubscription:
    """Raises Missing."""
    found = ask("GET", f"subscriptions/{quote(id, safe='')}", in_request=in_request)
    rows = within(found, "items", "data") or ()
    items = tuple(item for one in rows if (item := _item(one)))
    # where a period ends has moved from the subscription to its items
    ends = [one.get("current_period_end") for one in rows] + [found.get("current_period_end")]
    period = max((moment for one in ends if (moment := _moment(one))), default=None)
    ending = _moment(found.get("cancel_at")) or (period if found.get("cancel_at_period_end") else None)
    return FoundSubscription(
        id=str(found["id"]),
        status=str(found.get("status")) if not found.get("pause_collection") else "paused",
        account=str(within(found, "metadata", "account") or ""),
        customer=id_of(found.get("customer")),
        items=items,
        began_at=_moment(found.get("created")) or datetime.now(UTC),
        renews_at=None if ending else period,
        ends_at=ending,
    )


def _item(one: Json) -> dict[str, Any] | None:
    """None for what somebody has added there by hand that is no plan of ours."""
    price = one.get("price") or {}
    product, plan = within(price, "metadata", "product"), within(price, "metadata", "plan")
    if not product or not plan:
        return None
    interval = str(within(price, "recurring", "interval") or "month")
    months = _MONTHS.get(interval, 1) * int(within(price, "recurring", "interval_count") or 1)
    return {
        "item": str(one["id"]),
        "product": str(product),
        "plan": str(plan),
        "amount": int(price.get("unit_amount") or 0),
        "months": months,
    }


def invoice(id: str) -> FoundInvoice:
    """With what became of its payment since. Raises Missing."""
    found = ask("GET", f"invoices/{quote(id, safe='')}?expand%5B%5D=payments")
    parent = within(found, "parent", "subscription_details", "subscription")
    of = id_of(parent or found.get("subscription"))
    paid = int(found.get("amount_paid") or 0) if found.get("status") == "paid" else 0
    intent = _intent_of(found) if paid else ""
    charge = _charge(intent) if intent else {}
    return FoundInvoice(
        id=str(found["id"]),
        customer=id_of(found.get("customer")),
        subscription=of,
        paid=paid,
        paid_at=_moment(within(found, "status_transitions", "paid_at")) or _moment(found.get("created")),
        refunded=int(charge.get("amount_refunded") or 0),
        is_lost=bool(charge.get("disputed")) and _is_lost(intent),
        intent=intent,
        card=str(within(charge, "payment_method_details", "card", "fingerprint") or ""),
    )


def _intent_of(found: Json) -> str:
    for one in within(found, "payments", "data") or ():
        if intent := id_of(within(one, "payment", "payment_intent")):
            return intent
    return id_of(found.get("payment_intent"))


def _charge(intent: str) -> Json:
    found = ask("GET", f"payment_intents/{quote(intent, safe='')}?expand%5B%5D=latest_charge")
    charge = found.get("latest_charge")
    return charge if isinstance(charge, Mapping) else {}


def payment(intent: str) -> tuple[int, bool]:
    """What of a payment went back, in cents, and whether it has failed for good."""
    found = ask("GET", f"payment_intents/{quote(intent, safe='')}?expand%5B%5D=latest_charge")
    is_over = found.get("status") in ("requires_payment_method", "canceled")
    if within(found, "latest_charge", "disputed") and _is_lost(intent):
        return int(within(found, "latest_charge", "amount") or 0), is_over
    return int(within(found, "latest_charge", "amount_refunded") or 0), is_over


def _is_lost(intent: str) -> bool:
    found = ask("GET", f"disputes?limit=1&payment_intent={quote(intent, safe='')}")
    return any(one.get("status") == "lost" for one in found.get("data") or ())


def invoice_of_payment(intent: str) -> str:
    """The invoice that a payment was for; empty for another payment."""
    name = "payment%5Btype%5D=payment_intent&payment%5Bpayment_intent%5D="
    found = ask("GET", f"invoice_payments?limit=1&{name}{quote(intent, safe='')}")
    return next((id_of(one.get("invoice")) for one in found.get("data") or ()), "")


def first_paid(customer: str) -> str:
    """The first invoice on which a customer paid something; empty for none."""
    rows, after = [], ""
    for _ in range(20):
        more = f"&starting_after={quote(after, safe='')}" if after else ""
        found = ask("GET", f"invoices?customer={quote(customer, safe='')}&status=paid&limit={_PAGE}{more}")
        page = list(found.get("data") or ())
        rows += [one for one in page if int(one.get("amount_paid") or 0) > 0]
        if not found.get("has_more") or not page:
            break
        after = str(page[-1]["id"])
    # the newest comes first, and two of one second are told apart by that
    first = min(reversed(rows), key=lambda one: within(one, "status_transitions", "paid_at") or 0, default=None)
    return str(first["id"]) if first else ""


def paid_invoices(subscription: str) -> Sequence[str]:
    found = ask("GET", f"invoices?subscription={quote(subscription, safe='')}&status=paid&limit={_PAGE}")
    return [str(one["id"]) for one in found.get("data") or () if int(one.get("amount_paid") or 0) > 0]


def end_now(id: str) -> None:
    """No error where it has ended already."""
    with suppress(Missing):
        ask("DELETE", f"subscriptions/{quote(id, safe='')}")


def give_back(intent: str, once: str) -> None:
    ask("POST", "refunds", {"payment_intent": intent}, once=once)


def end_session(id: str) -> None:
    ask("POST", f"checkout/sessions/{quote(id, safe='')}/expire")


def credit(customer: str, cents: int, month: str, words: str, once: str) -> str:
    """Take so much off what the customer pays next; back on where it is negative. What was done before is found."""
    sign = "back" if cents < 0 else "month"
    path = f"customers/{quote(customer, safe='')}/balance_transactions"
    for one in ask("GET", f"{path}?limit={_PAGE}").get("data") or ():
        if within(one, "metadata", sign) == month:
            return str(one["id"])
    given = {"amount": -cents, "currency": "usd", "description": words, "metadata": {sign: month}}
    return str(ask("POST", path, given, once=once)["id"])


def balance(customer: str) -> int:
    """What the customer has to their credit, in cents."""
    return -int(ask("GET", f"customers/{quote(customer, safe='')}").get("balance") or 0)


def _moment(seconds: Any) -> datetime | None:
    return datetime.fromtimestamp(seconds, UTC) if isinstance(seconds, int) and seconds > 0 else None
