"""Stripe through its HTTP API (docs.stripe.com/api), with an account's own key, which may be restricted.

Stripe's library would bypass `http_client/client.py`, with its own timeouts and redirects, for only seven calls.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence
from datetime import datetime
from typing import Any
from urllib.parse import quote

from django.conf import settings

from workspace.lib.languages import GUEST_LANGUAGES
from workspace.lib.strict_json import ensure_storable
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
    ApiKeyRejectedError,
    CheckoutOrder,
    CheckoutSession,
    CheckoutState,
    KeyDetails,
    Provider,
    ProviderError,
    ProviderRejectedError,
    ProviderUnreachableError,
    RefundState,
    SignatureError,
    WebhookEvent,
)
from workspace.payments.stripe_client import API_VERSION, ApiKeyInvalidError, get_id, get_nested, request_stripe

PAGE_SIZE = 100
WEBHOOK_EVENTS = (
    "checkout.session.completed",
    "checkout.session.async_payment_succeeded",
    "checkout.session.async_payment_failed",
    "checkout.session.expired",
    "charge.refunded",
    "charge.refund.updated",
    "charge.dispute.created",
    "charge.dispute.closed",
)
# Required permissions of a restricted key, as named by Stripe, and a request that tests each.
_PERMISSION_PROBES: tuple[tuple[str, str, str], ...] = (
    ("Checkout Sessions: write", "POST", "checkout/sessions"),
    ("PaymentIntents: read", "GET", "payment_intents?limit=1"),
    ("Charges and Refunds: write", "POST", "refunds"),
)
REQUIRED_PERMISSIONS = tuple(right for right, *_ in _PERMISSION_PROBES)


class StripeProvider(Provider):
    name, title = "stripe", "Stripe"

    def can_charge(self, amount: int, currency: str) -> bool:
        try:
            stripe_amounts.to_stripe(amount, currency)
        except stripe_amounts.AmountNotSupportedError:
            return False
        return True

    def inspect_key(self, key: str) -> KeyDetails:
        if not key.startswith(("sk_test_", "sk_live_", "rk_test_", "rk_live_")):
            raise ApiKeyRejectedError("A secret key begins with sk_ or rk_: the publishable one (pk_) is not enough")
        live = key.startswith(("sk_live_", "rk_live_"))
        missing = [right for right, method, path in _PERMISSION_PROBES if not self._has_permission(key, method, path)]
        if missing:
            raise ApiKeyRejectedError(f"This key is not allowed all that is needed. Give it: {', '.join(missing)}")
        try:
            found = request_stripe(key, "GET", "account")
        except ProviderError:  # a restricted key may lack this permission
            return KeyDetails(live)
        shown = get_nested(found, "settings", "dashboard", "display_name") or get_nested(
            found, "business_profile", "name"
        )
        return KeyDetails(live, str(found.get("id", ""))[:60], str(shown or "")[:200])

    def _has_permission(self, key: str, method: str, path: str) -> bool:
        """Return whether a key has a permission.

        An empty POST is rejected because parameters are missing, and creates nothing.
        """
        try:
            request_stripe(key, method, path)
        except ProviderUnreachableError:
            raise
        except ApiKeyRejectedError as refusal:
            if isinstance(refusal, ApiKeyInvalidError):
                raise
            return False
        except ProviderRejectedError:
            pass
        return True

    def open_checkout(self, key: str, order: CheckoutOrder) -> CheckoutSession:
        currency, units = order.currency.lower(), stripe_amounts.to_stripe(order.amount, order.currency)
        ours = {"payment": order.reference, "account": order.account, "purpose": order.purpose}
        found = request_stripe(
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
                # Charge the agreed amount in the agreed currency.
                "adaptive_pricing": {"enabled": "false"},
                "customer_email": order.email or None,
                "locale": order.language if order.language in GUEST_LANGUAGES else "auto",
                "success_url": order.success_url,
                "cancel_url": order.cancel_url,
                "expires_at": int(order.expires_at.timestamp()),
            },
            idempotency_key=order.idempotency_key,
        )
        url = str(found.get("url") or "")
        if not url.startswith(("https://", settings.STRIPE_URL)):
            raise ProviderUnreachableError("Stripe has given no address to pay at", has_response=True)
        return CheckoutSession(str(found["id"]), url)

    def get_checkout(self, key: str, session: str) -> CheckoutState:
        path = f"checkout/sessions/{quote(session, safe='')}?expand%5B%5D=payment_intent.latest_charge"
        found = request_stripe(key, "GET", path)
        intent = found.get("payment_intent") or {}
        charge = intent.get("latest_charge") or {}
        currency = str(found.get("currency") or "").upper()
        touched = bool(charge.get("amount_refunded") or charge.get("refunded"))
        return CheckoutState(
            state=_payment_state(found, intent),
            amount=stripe_amounts.from_stripe(int(found.get("amount_total") or 0), currency),
            currency=currency,
            intent=str(intent.get("id") or ""),
            email=str(get_nested(found, "customer_details", "email") or "")[:254],
            refunds=self._fetch_refunds(key, str(intent["id"]), currency) if touched else (),
            dispute=self._fetch_dispute(key, str(intent["id"])) if charge.get("disputed") else "",
            problem=str(get_nested(intent, "last_payment_error", "message") or "")[:300],
        )

    def _fetch_refunds(self, key: str, intent: str, currency: str) -> tuple[RefundState, ...]:
        found = request_stripe(key, "GET", f"refunds?limit={PAGE_SIZE}&payment_intent={quote(intent, safe='')}")
        return tuple(_parse_refund(one, currency) for one in found.get("data") or ())

    def _fetch_dispute(self, key: str, intent: str) -> str:
        try:
            found = request_stripe(key, "GET", f"disputes?limit=1&payment_intent={quote(intent, safe='')}")
        except ApiKeyRejectedError:  # a restricted key may not read it; the charge shows that there is a dispute
            return DISPUTED
        status = [str(one.get("status")) for one in found.get("data") or ()]
        return {"won": WON, "warning_closed": WON, "lost": LOST}.get(status[0], DISPUTED) if status else DISPUTED

    def expire_checkout(self, key: str, session: str) -> None:
        try:
            request_stripe(key, "POST", f"checkout/sessions/{quote(session, safe='')}/expire")
        except ApiKeyRejectedError:
            raise
        except ProviderRejectedError:  # paid or expired: the status sync will find out
            pass

    def create_refund(
        self, key: str, intent: str, amount: int, currency: str, reference: str, idempotency_key: str
    ) -> RefundState:
        # An earlier attempt without a response may have succeeded.
        for one in self._fetch_refunds(key, intent, currency):
            if one.reference == reference:
                return one
        given = {
            "payment_intent": intent,
            "amount": stripe_amounts.to_stripe(amount, currency),
            "metadata": {"refund": reference},
        }
        return _parse_refund(request_stripe(key, "POST", "refunds", given, idempotency_key=idempotency_key), currency)

    def create_webhook(self, key: str, url: str) -> tuple[str, str]:
        given = {
            "url": url,
            "enabled_events": list(WEBHOOK_EVENTS),
            "api_version": API_VERSION,
            "description": "Workspace Tools",
        }
        found = request_stripe(key, "POST", "webhook_endpoints", given)
        return str(found["id"]), str(found["secret"])

    def delete_webhook(self, key: str, id: str) -> None:
        try:
            request_stripe(key, "DELETE", f"webhook_endpoints/{quote(id, safe='')}")
        except ApiKeyRejectedError:
            raise
        except ProviderRejectedError:  # it was already deleted there
            pass

    def parse_event(self, body: bytes, header: str, secret: str, now: datetime) -> WebhookEvent:
        if not stripe_signature.verify_event(body, header, secret, now):
            raise SignatureError
        try:
            event = json.loads(body)
            thing, kind = event["data"]["object"], str(event["type"])
            told = WebhookEvent(
                id=str(event["id"])[:100],
                kind=kind[:60],
                live=bool(event.get("livemode")),
                reference=str(get_nested(thing, "metadata", "payment") or thing.get("client_reference_id") or "")[:40],
                session=str(thing.get("id"))[:100] if thing.get("object") == "checkout.session" else "",
                intent=get_id(thing if thing.get("object") == "payment_intent" else thing.get("payment_intent"))[:100],
            )
            for text in (told.id, told.kind, told.reference, told.session, told.intent):
                ensure_storable(text)
        except (ValueError, KeyError, TypeError, AttributeError, RecursionError):
            raise SignatureError from None
        return told

    def list_changed_payments(self, key: str, since: datetime) -> Sequence[str]:
        found: dict[str, None] = {}
        for path in ("refunds", "disputes"):
            try:
                told = request_stripe(key, "GET", f"{path}?limit={PAGE_SIZE}&created%5Bgte%5D={int(since.timestamp())}")
            except ApiKeyRejectedError:
                continue
            found.update(dict.fromkeys(get_id(one.get("payment_intent")) for one in told.get("data") or ()))
        return [one for one in found if one]


def _payment_state(session: Mapping[str, Any], intent: Mapping[str, Any]) -> str:
    if session.get("payment_status") in ("paid", "no_payment_required") or intent.get("status") == "succeeded":
        return PAID
    if session.get("status") == "expired":
        return EXPIRED
    if session.get("status") == "complete":
        return FAILED if intent.get("status") in ("requires_payment_method", "canceled") else PROCESSING
    return OPEN


def _parse_refund(data: Mapping[str, Any], currency: str) -> RefundState:
    status = str(data.get("status"))
    state = {"succeeded": DONE, "failed": REFUSED, "canceled": REFUSED}.get(status, WAITING)
    return RefundState(
        id=str(data.get("id"))[:100],
        reference=str(get_nested(data, "metadata", "refund") or "")[:40],
        amount=stripe_amounts.from_stripe(int(data.get("amount") or 0), currency),
        state=state,
        problem=str(data.get("failure_reason") or "")[:300],
    )


PROVIDERS: dict[str, Callable[[], Provider]] = {StripeProvider.name: StripeProvider}


def get_provider(name: str = StripeProvider.name) -> Provider:
    """Return the provider with this name. Raise KeyError if there is none."""
    return PROVIDERS[name]()
