"""A second payment provider, in memory, which shares nothing with Stripe.

`with_fake_provider` adds it to the registry. Its methods `pay`, `refund` and `sign` do what a customer, the provider
and its webhook do.
"""

from __future__ import annotations

import hashlib
import hmac
import itertools
import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime, timedelta

import pytest

from workspace.payment_clients.errors import (
    ApiKeyRejectedError,
    PaymentNotFoundError,
    ProviderRejectedError,
    SignatureError,
)
from workspace.payments import provider_registry
from workspace.payments.provider import (
    DONE,
    EXPIRED,
    OPEN,
    PAID,
    CheckoutOrder,
    CheckoutSession,
    CheckoutState,
    KeyDetails,
    Provider,
    RefundState,
    SetupTexts,
    WebhookEvent,
)

KEY = "tp-secret-1"
HEADER = "Testpay-Digest"


@dataclass
class _Checkout:
    order: CheckoutOrder
    state: CheckoutState


class FakeProvider(Provider):
    """A provider that charges only whole euros. `calls` lists the methods that were called with a key."""

    name, title = "testpay", "Testpay"
    min_lifetime, max_lifetime = timedelta(minutes=5), timedelta(days=3)
    is_local = True
    setup = SetupTexts(
        key_steps=("Open the Testpay app & tap Developers.",),
        key_label="Testpay token",
        key_help="It begins with tp-.",
        secret_label="Testpay phrase",
        secret_help="The app shows it once.",
        webhooks_url="https://testpay.example/hooks",
        webhook_events=("everything",),
        test_mode_help="Testpay's test mode moves no money.",
        refund_help="Testpay charges nothing for it.",
    )

    def __init__(self) -> None:
        self.checkouts: dict[str, _Checkout] = {}
        self.webhooks: dict[str, str] = {}
        self.calls: list[str] = []
        self._numbers = itertools.count(1)

    # actions of customers and of the provider

    def pay(self, session: str) -> None:
        self._change(session, state=PAID, intent=f"tpp_{session}", email="payer@example.org")

    def refund(self, session: str, amount: int, reference: str = "") -> RefundState:
        made = RefundState(f"tpr_{next(self._numbers)}", reference, amount, DONE)
        self._change(session, refunds=(*self.checkouts[session].state.refunds, made))
        return made

    def sign(self, session: str) -> tuple[bytes, dict[str, str]]:
        """Return the body and headers of an event about a checkout."""
        body = json.dumps({"number": next(self._numbers), "checkout": session}).encode()
        return body, {HEADER: _compute_digest(body, self.secret)}

    @property
    def secret(self) -> str:
        return "a phrase of four words"

    def _change(self, session: str, **fields: object) -> None:
        found = self.checkouts[session]
        found.state = replace(found.state, **fields)  # type: ignore[arg-type]

    # the interface

    def can_charge(self, amount: int, currency: str) -> bool:
        return currency == "EUR" and amount > 0 and amount % 100 == 0

    def check_signing_secret(self, secret: str) -> None:
        if " " not in secret:
            raise ProviderRejectedError("Testpay's phrase has several words")

    def inspect_key(self, key: str) -> KeyDetails:
        self._record_call("inspect_key", key)
        return KeyDetails(live=False, account="tp_account", name="Corner Café at Testpay")

    def open_checkout(self, key: str, order: CheckoutOrder) -> CheckoutSession:
        self._record_call("open_checkout", key)
        session = f"tpc_{order.reference}"
        self.checkouts.setdefault(session, _Checkout(order, CheckoutState(OPEN, order.amount, order.currency)))
        return CheckoutSession(session, f"https://testpay.example/{session}")

    def get_checkout(self, key: str, session: str) -> CheckoutState:
        self._record_call("get_checkout", key)
        if session not in self.checkouts:
            raise PaymentNotFoundError("Testpay does not know this checkout")
        return self.checkouts[session].state

    def expire_checkout(self, key: str, session: str) -> None:
        self._record_call("expire_checkout", key)
        if self.checkouts[session].state.state == OPEN:
            self._change(session, state=EXPIRED)

    def create_refund(
        self, key: str, intent: str, amount: int, currency: str, reference: str, idempotency_key: str
    ) -> RefundState:
        self._record_call("create_refund", key)
        [session] = [id for id, found in self.checkouts.items() if found.state.intent == intent]
        same = [one for one in self.checkouts[session].state.refunds if one.reference == reference]
        return same[0] if same else self.refund(session, amount, reference)

    def create_webhook(self, key: str, url: str) -> tuple[str, str]:
        self._record_call("create_webhook", key)
        id = f"tpw_{next(self._numbers)}"
        self.webhooks[id] = url
        return id, self.secret

    def delete_webhook(self, key: str, id: str) -> None:
        self._record_call("delete_webhook", key)
        self.webhooks.pop(id, None)

    def parse_event(self, body: bytes, headers: Mapping[str, str], secret: str, now: datetime) -> WebhookEvent:
        if not hmac.compare_digest(headers.get(HEADER, ""), _compute_digest(body, secret)):
            raise SignatureError
        told = json.loads(body)
        return WebhookEvent(str(told["number"]), "everything", live=False, session=str(told["checkout"]))

    def list_changed_payments(self, key: str, since: datetime) -> Sequence[str]:
        self._record_call("list_changed_payments", key)
        return [found.state.intent for found in self.checkouts.values() if found.state.refunds]

    def _record_call(self, name: str, key: str) -> None:
        self.calls.append(name)
        if key != KEY:
            raise ApiKeyRejectedError("Testpay does not know this token")


def _compute_digest(body: bytes, secret: str) -> str:
    return hmac.new(secret.encode(), body, hashlib.sha256).hexdigest()


def with_fake_provider(patch: pytest.MonkeyPatch) -> FakeProvider:
    """Register the fake after the real providers, as a line in the registry would."""
    fake = FakeProvider()
    patch.setattr(provider_registry, "PROVIDERS", [*provider_registry.PROVIDERS, fake])
    return fake
