"""Stripe by its HTTP API (docs.stripe.com/api), with an account's own key, which may be a restricted one. Its library
would be a second way out beside `http_client/client.py`, with its own timeouts and redirects, for seven calls."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence
from datetime import datetime
from typing import Any
from urllib.parse import quote

from django.conf import settings

from workspace.lib.strict_json import storable
from workspace.payments import stripe_amounts, stripe_signature
from workspace.payments.provider import (
    DISPUTED,
    DONE,
    EXPIRED,
    FAILED,
    LOST,
    OPEN,
    PAID,
    PROCESSING,
    REFUSED,
    WAITING,
    WON,
    Examined,
    Found,
    KeyRefused,
    NotGenuine,
    Opened,
    Order,
    Provider,
    ProviderRefusal,
    ProviderTrouble,
    Returned,
    Told,
    Unreachable,
)
from workspace.payments.stripe_client import VERSION, NoSuchKey, asked, id_of, within

PAGE = 100
EVENTS = (
    "checkout.session.completed",
    "checkout.session.async_payment_succeeded",
    "checkout.session.async_payment_failed",
    "checkout.session.expired",
    "charge.refunded",
    "charge.refund.updated",
    "charge.dispute.created",
    "charge.dispute.closed",
)
# what a restricted key must be allowed, as Stripe's page of keys calls it: how it is tried
_TRIED: tuple[tuple[str, str, str], ...] = (
    ("Checkout Sessions: write", "POST", "checkout/sessions"),
    ("PaymentIntents: read", "GET", "payment_intents?limit=1"),
    ("Charges and Refunds: write", "POST", "refunds"),
)
NEEDED = tuple(right for right, *_ in _TRIED)
_LANGUAGES = {"en", "de", "es"}


class Stripe(Provider):
    name, title = "stripe", "Stripe"

    def can_charge(self, amount: int, currency: str) -> bool:
        try:
            stripe_amounts.to_stripe(amount, currency)
        except stripe_amounts.NotChargeable:
            return False
        return True

    def examine(self, key: str) -> Examined:
        if not key.startswith(("sk_test_", "sk_live_", "rk_test_", "rk_live_")):
            raise KeyRefused("A secret key begins with sk_ or rk_: the publishable one (pk_) is not enough")
        live = key.startswith(("sk_live_", "rk_live_"))
        missing = [right for right, method, path in _TRIED if not self._may(key, method, path)]
        if missing:
            raise KeyRefused(f"This key is not allowed all that is needed. Give it: {', '.join(missing)}")
        try:
            found = asked(key, "GET", "account")
        except ProviderTrouble:  # a restricted key need not be allowed to
            return Examined(live)
        shown = within(found, "settings", "dashboard", "display_name") or within(found, "business_profile", "name")
        return Examined(live, str(found.get("id", ""))[:60], str(shown or "")[:200])

    def _may(self, key: str, method: str, path: str) -> bool:
        """Whether a key has a right. A POST that says nothing is refused for what it lacks, and makes nothing."""
        try:
            asked(key, method, path)
        except Unreachable:
            raise
        except KeyRefused as refusal:
            if isinstance(refusal, NoSuchKey):
                raise
            return False
        except ProviderRefusal:
            pass
        return True

    def open(self, key: str, order: Order) -> Opened:
        currency, units = order.currency.lower(), stripe_amounts.to_stripe(order.amount, order.currency)
        ours = {"payment": order.reference, "account": order.account, "purpose": order.purpose}
        found = asked(
            key,
            "POST",
            "checkout/sessions",
            {
                "mode": "payment",
                "line_items": [
                    {
                        "quantity": 1,
                        "price_data": {
                            "currency": currency,
                            "unit_amount": units,
                            "product_data": {"name": order.title},
                        },
                    }
                ],
                "client_reference_id": order.reference,
                "metadata": ours,
                "payment_intent_data": {"metadata": ours, "description": order.title},
                # the sum that was agreed, in the currency that was agreed
                "adaptive_pricing": {"enabled": "false"},
                "customer_email": order.email or None,
                "locale": order.language if order.language in _LANGUAGES else "auto",
                "success_url": order.done_url,
                "cancel_url": order.left_url,
                "expires_at": int(order.expires_at.timestamp()),
            },
            once=order.once,
        )
        url = str(found.get("url") or "")
        if not url.startswith(("https://", settings.STRIPE_URL)):
            raise Unreachable("Stripe has given no address to pay at", answered=True)
        return Opened(str(found["id"]), url)

    def find(self, key: str, session: str) -> Found:
        path = f"checkout/sessions/{quote(session, safe='')}?expand%5B%5D=payment_intent.latest_charge"
        found = asked(key, "GET", path)
        intent = found.get("payment_intent") or {}
        charge = intent.get("latest_charge") or {}
        currency = str(found.get("currency") or "").upper()
        touched = bool(charge.get("amount_refunded") or charge.get("refunded"))
        return Found(
            state=_state(found, intent),
            amount=stripe_amounts.from_stripe(int(found.get("amount_total") or 0), currency),
            currency=currency,
            intent=str(intent.get("id") or ""),
            email=str(within(found, "customer_details", "email") or "")[:254],
            refunds=self._refunds(key, str(intent["id"]), currency) if touched else (),
            dispute=self._dispute(key, str(intent["id"])) if charge.get("disputed") else "",
            problem=str(within(intent, "last_payment_error", "message") or "")[:300],
        )

    def _refunds(self, key: str, intent: str, currency: str) -> tuple[Returned, ...]:
        found = asked(key, "GET", f"refunds?limit={PAGE}&payment_intent={quote(intent, safe='')}")
        return tuple(_returned(one, currency) for one in found.get("data") or ())

    def _dispute(self, key: str, intent: str) -> str:
        try:
            found = asked(key, "GET", f"disputes?limit=1&payment_intent={quote(intent, safe='')}")
        except KeyRefused:  # a restricted key may be without; that there is one, the charge has told
            return DISPUTED
        status = [str(one.get("status")) for one in found.get("data") or ()]
        return {"won": WON, "warning_closed": WON, "lost": LOST}.get(status[0], DISPUTED) if status else DISPUTED

    def end(self, key: str, session: str) -> None:
        try:
            asked(key, "POST", f"checkout/sessions/{quote(session, safe='')}/expire")
        except KeyRefused:
            raise
        except ProviderRefusal:  # paid or over: how it stands is asked next
            pass

    def refund(self, key: str, intent: str, amount: int, currency: str, reference: str, once: str) -> Returned:
        # a try that broke off may have arrived
        for one in self._refunds(key, intent, currency):
            if one.reference == reference:
                return one
        given = {
            "payment_intent": intent,
            "amount": stripe_amounts.to_stripe(amount, currency),
            "metadata": {"refund": reference},
        }
        return _returned(asked(key, "POST", "refunds", given, once=once), currency)

    def listen(self, key: str, url: str) -> tuple[str, str]:
        given = {"url": url, "enabled_events": list(EVENTS), "api_version": VERSION, "description": "Workspace Tools"}
        found = asked(key, "POST", "webhook_endpoints", given)
        return str(found["id"]), str(found["secret"])

    def unlisten(self, key: str, id: str) -> None:
        try:
            asked(key, "DELETE", f"webhook_endpoints/{quote(id, safe='')}")
        except KeyRefused:
            raise
        except ProviderRefusal:  # somebody took it away there
            pass

    def read(self, body: bytes, header: str, secret: str, now: datetime) -> Told:
        if not stripe_signature.verify(body, header, secret, now):
            raise NotGenuine
        try:
            event = json.loads(body)
            thing, kind = event["data"]["object"], str(event["type"])
            told = Told(
                id=str(event["id"])[:100],
                kind=kind[:60],
                live=bool(event.get("livemode")),
                reference=str(within(thing, "metadata", "payment") or thing.get("client_reference_id") or "")[:40],
                session=str(thing.get("id"))[:100] if thing.get("object") == "checkout.session" else "",
                intent=id_of(thing if thing.get("object") == "payment_intent" else thing.get("payment_intent"))[:100],
            )
            for text in (told.id, told.kind, told.reference, told.session, told.intent):
                storable(text)
        except (ValueError, KeyError, TypeError, AttributeError, RecursionError):
            raise NotGenuine from None
        return told

    def touched(self, key: str, since: datetime) -> Sequence[str]:
        found: dict[str, None] = {}
        for path in ("refunds", "disputes"):
            try:
                told = asked(key, "GET", f"{path}?limit={PAGE}&created%5Bgte%5D={int(since.timestamp())}")
            except KeyRefused:
                continue
            found.update(dict.fromkeys(id_of(one.get("payment_intent")) for one in told.get("data") or ()))
        return [one for one in found if one]


def _state(session: Mapping[str, Any], intent: Mapping[str, Any]) -> str:
    if session.get("payment_status") in ("paid", "no_payment_required") or intent.get("status") == "succeeded":
        return PAID
    if session.get("status") == "expired":
        return EXPIRED
    if session.get("status") == "complete":
        return FAILED if intent.get("status") in ("requires_payment_method", "canceled") else PROCESSING
    return OPEN


def _returned(found: Mapping[str, Any], currency: str) -> Returned:
    status = str(found.get("status"))
    state = {"succeeded": DONE, "failed": REFUSED, "canceled": REFUSED}.get(status, WAITING)
    return Returned(
        id=str(found.get("id"))[:100],
        reference=str(within(found, "metadata", "refund") or "")[:40],
        amount=stripe_amounts.from_stripe(int(found.get("amount") or 0), currency),
        state=state,
        problem=str(found.get("failure_reason") or "")[:300],
    )


PROVIDERS: dict[str, Callable[[], Provider]] = {Stripe.name: Stripe}


def provider(name: str = Stripe.name) -> Provider:
    """Raises KeyError for one that there is not."""
    return PROVIDERS[name]()
