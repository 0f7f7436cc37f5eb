"""Stripe as a payment provider, with an account's own key, which may be restricted."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from datetime import datetime, timedelta
from typing import Any, cast

from django.conf import settings
from django.utils.functional import lazy
from django.utils.html import format_html
from django.utils.safestring import SafeString

from workspace.lib.languages import GUEST_LANGUAGES
from workspace.lib.strict_json import ensure_storable
from workspace.owner_translation import owner_gettext_lazy
from workspace.payment_clients.errors import (
    ApiKeyRejectedError,
    ProviderError,
    ProviderRejectedError,
    ProviderUnreachableError,
    SignatureError,
)
from workspace.payment_clients.stripe import amounts, events, messages
from workspace.payment_clients.stripe.client import (
    API_VERSION,
    ApiKeyInvalidError,
    StripeClient,
    get_id,
    get_nested,
    object_path,
)
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
    CheckoutOrder,
    CheckoutSession,
    CheckoutState,
    KeyDetails,
    Provider,
    RefundState,
    SetupTexts,
    WebhookEvent,
)

MIN_SECRET_LENGTH = 20
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
# Required permissions of a restricted key, with Stripe's names, and a request that tests each.
_PERMISSION_PROBES: tuple[tuple[str, str, str], ...] = (
    ("Checkout Sessions: write", "POST", "checkout/sessions"),
    ("PaymentIntents: read", "GET", "payment_intents?limit=1"),
    ("Charges and Refunds: write", "POST", "refunds"),
)
_format_html_lazy = cast("Callable[..., str]", lazy(format_html, SafeString))
_SETUP = SetupTexts(
    key_steps=(
        _format_html_lazy(
            owner_gettext_lazy(
                'Open <a href="{}" rel="noreferrer" target="_blank">API keys at Stripe</a>. '
                "If you don’t have an account, create one there for free."
            ),
            "https://dashboard.stripe.com/apikeys",
        ),
        _format_html_lazy(
            owner_gettext_lazy(
                "Create a restricted key with these permissions: <b>{}</b>, <b>{}</b> and <b>{}</b>. Add "
                "<b>Webhook Endpoints: write</b> for automatic setup. A secret key works too, but has more permissions "
                "than needed."
            ),
            *(right for right, *_ in _PERMISSION_PROBES),
        ),
    ),
    key_label=owner_gettext_lazy("Secret or restricted key"),
    key_help=owner_gettext_lazy("Starts with sk_ or rk_. We store it encrypted and never show it."),
    secret_label=owner_gettext_lazy("Signing secret"),
    secret_help=owner_gettext_lazy("Starts with whsec_. You’ll find it on the webhook’s page in Stripe."),
    webhooks_url="https://dashboard.stripe.com/webhooks",
    webhook_events=WEBHOOK_EVENTS,
    test_mode_help=owner_gettext_lazy("Test mode: pay with the card 4242 4242 4242 4242. No money is charged."),
    refund_help=owner_gettext_lazy("Stripe doesn’t return its fee."),
)


class StripeProvider(Provider):
    name, title, setup = "stripe", "Stripe", _SETUP
    min_lifetime, max_lifetime = timedelta(minutes=30), timedelta(hours=24)

    @property
    def is_local(self) -> bool:
        return not settings.STRIPE_URL.startswith("https://api.stripe.com")

    def check_signing_secret(self, secret: str) -> None:
        if not secret.startswith("whsec_") or len(secret) < MIN_SECRET_LENGTH:
            raise ProviderRejectedError(messages.SECRET_KIND_INVALID)

    def can_charge(self, amount: int, currency: str) -> bool:
        try:
            amounts.to_stripe(amount, currency)
        except amounts.AmountNotSupportedError:
            return False
        return True

    def inspect_key(self, key: str) -> KeyDetails:
        client = StripeClient(key)
        if not client.is_secret_key:
            raise ApiKeyRejectedError(messages.KEY_KIND_INVALID)
        missing = [right for right, method, path in _PERMISSION_PROBES if not _has_permission(client, method, path)]
        if missing:
            raise ApiKeyRejectedError(messages.PERMISSIONS_MISSING(permissions=", ".join(missing)))
        try:
            found = client.request("GET", "account")
        except ProviderError:  # a restricted key may lack this permission
            return KeyDetails(client.is_live)
        shown = get_nested(found, "settings", "dashboard", "display_name") or get_nested(
            found, "business_profile", "name"
        )
        return KeyDetails(client.is_live, str(found.get("id", ""))[:60], str(shown or "")[:200])

    def open_checkout(self, key: str, order: CheckoutOrder) -> CheckoutSession:
        currency, units = order.currency.lower(), amounts.to_stripe(order.amount, order.currency)
        ours = {"payment": order.reference, "account": order.account, "purpose": order.purpose}
        fields = {
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
        }
        return CheckoutSession(*StripeClient(key).open_checkout(fields, order.idempotency_key))

    def get_checkout(self, key: str, session: str) -> CheckoutState:
        client = StripeClient(key)
        found = client.fetch_checkout(session, expand=("payment_intent.latest_charge",))
        intent = found.get("payment_intent") or {}
        charge = intent.get("latest_charge") or {}
        currency = str(found.get("currency") or "").upper()
        touched = bool(charge.get("amount_refunded") or charge.get("refunded"))
        return CheckoutState(
            state=_payment_state(found, intent),
            amount=amounts.from_stripe(int(found.get("amount_total") or 0), currency),
            currency=currency,
            intent=str(intent.get("id") or ""),
            email=str(get_nested(found, "customer_details", "email") or "")[:254],
            refunds=_fetch_refunds(client, str(intent["id"]), currency) if touched else (),
            dispute=_fetch_dispute(client, str(intent["id"])) if charge.get("disputed") else "",
            problem=str(get_nested(intent, "last_payment_error", "message") or "")[:300],
        )

    def expire_checkout(self, key: str, session: str) -> None:
        with suppress(ProviderRejectedError):  # it is paid or expired, which the status sync will find out
            StripeClient(key).expire_checkout(session)

    def create_refund(
        self, key: str, intent: str, amount: int, currency: str, reference: str, idempotency_key: str
    ) -> RefundState:
        # An earlier attempt may have succeeded without a response.
        client = StripeClient(key)
        for one in _fetch_refunds(client, intent, currency):
            if one.reference == reference:
                return one
        given = {
            "payment_intent": intent,
            "amount": amounts.to_stripe(amount, currency),
            "metadata": {"refund": reference},
        }
        return _parse_refund(client.create_refund(given, idempotency_key), currency)

    def create_webhook(self, key: str, url: str) -> tuple[str, str]:
        given = {
            "url": url,
            "enabled_events": list(WEBHOOK_EVENTS),
            "api_version": API_VERSION,
            "description": "Workspace Tools",
        }
        found = StripeClient(key).request("POST", "webhook_endpoints", given)
        return str(found["id"]), str(found["secret"])

    def delete_webhook(self, key: str, id: str) -> None:
        with suppress(ProviderRejectedError):  # it was already deleted at the provider
            StripeClient(key).request("DELETE", object_path("webhook_endpoints", id))

    def parse_event(self, body: bytes, headers: Mapping[str, str], secret: str, now: datetime) -> WebhookEvent:
        event = events.parse_signed_event(body, headers, secret, now)
        subject = event.subject
        kind = subject.get("object")
        parsed = WebhookEvent(
            id=event.id,
            kind=event.kind,
            live=event.live,
            reference=str(get_nested(subject, "metadata", "payment") or subject.get("client_reference_id") or "")[:40],
            session=str(subject.get("id"))[:100] if kind == "checkout.session" else "",
            intent=get_id(subject if kind == "payment_intent" else subject.get("payment_intent"))[:100],
        )
        try:
            for text in (parsed.reference, parsed.session, parsed.intent):
                ensure_storable(text)
        except ValueError:
            raise SignatureError from None
        return parsed

    def list_changed_payments(self, key: str, since: datetime) -> Sequence[str]:
        client = StripeClient(key)
        found: dict[str, None] = {}
        for path in ("refunds", "disputes"):
            try:
                rows = client.list_objects(path, {"created": {"gte": int(since.timestamp())}})
            except ApiKeyRejectedError:
                continue
            found.update(dict.fromkeys(get_id(one.get("payment_intent")) for one in rows))
        return [one for one in found if one]


def _has_permission(client: StripeClient, method: str, path: str) -> bool:
    """Return whether a key has a permission.

    An empty POST is rejected because parameters are missing, and creates nothing.
    """
    try:
        client.request(method, path)
    except ProviderUnreachableError:
        raise
    except ApiKeyRejectedError as refusal:
        if isinstance(refusal, ApiKeyInvalidError):
            raise
        return False
    except ProviderRejectedError:
        pass
    return True


def _fetch_refunds(client: StripeClient, intent: str, currency: str) -> tuple[RefundState, ...]:
    return tuple(_parse_refund(one, currency) for one in client.list_objects("refunds", {"payment_intent": intent}))


def _fetch_dispute(client: StripeClient, intent: str) -> str:
    try:
        status = client.find_dispute_status(intent)
    except ApiKeyRejectedError:  # a restricted key may not read it, but the charge shows that there is a dispute
        return DISPUTED
    return {"won": WON, "warning_closed": WON, "lost": LOST}.get(status, DISPUTED)


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
        amount=amounts.from_stripe(int(data.get("amount") or 0), currency),
        state=state,
        problem=str(data.get("failure_reason") or "")[:300],
    )
