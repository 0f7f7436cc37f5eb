"""Interface of payment providers, and its types.

Each method sends HTTP requests that may take seconds, so call it outside of transactions. `status_sync` interprets the
results.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Protocol

OPENING, OPEN, PROCESSING = "opening", "open", "processing"
PAID, FAILED, EXPIRED = "paid", "failed", "expired"
DISPUTED, WON, LOST = "open", "won", "lost"
WAITING, DONE, REFUSED = "waiting", "done", "failed"


@dataclass(frozen=True, slots=True)
class CheckoutOrder:
    """A request for a checkout.

    `amount` is in minor units. `idempotency_key` identifies repeated requests. `reference` is our id, which the
    provider's objects contain.
    """

    reference: str
    idempotency_key: str
    account: str
    purpose: str
    title: str
    amount: int
    currency: str
    email: str
    language: str
    success_url: str
    cancel_url: str
    expires_at: datetime


@dataclass(frozen=True, slots=True)
class CheckoutSession:
    session: str
    url: str


@dataclass(frozen=True, slots=True)
class RefundState:
    """The state of a refund. `reference` is our id if it was requested here."""

    id: str
    reference: str
    amount: int
    state: str
    problem: str = ""


@dataclass(frozen=True, slots=True)
class CheckoutState:
    """The current state of a checkout.

    `intent` is the id of the payment, as soon as there is one. Amounts are in minor units. `dispute` is empty, open,
    won or lost.
    """

    state: str
    amount: int
    currency: str
    intent: str = ""
    email: str = ""
    refunds: tuple[RefundState, ...] = ()
    dispute: str = ""
    problem: str = ""

    @property
    def refunded_amount(self) -> int:
        return sum(one.amount for one in self.refunds if one.state != REFUSED)


@dataclass(frozen=True, slots=True)
class KeyDetails:
    """Properties of a key. `account` and `name` are empty if the key cannot read them."""

    live: bool
    account: str = ""
    name: str = ""


@dataclass(frozen=True, slots=True)
class WebhookEvent:
    """An event that something about a checkout may have changed.

    It refers to the checkout by `reference` (our id), `session` or `intent`, whichever is available.
    """

    id: str
    kind: str
    live: bool
    reference: str = ""
    session: str = ""
    intent: str = ""


class Provider(Protocol):
    name: str
    title: str

    def can_charge(self, amount: int, currency: str) -> bool:
        """Return whether the provider can charge exactly this amount."""

    def inspect_key(self, key: str) -> KeyDetails:
        """Check a new key and its permissions."""

    def open_checkout(self, key: str, order: CheckoutOrder) -> CheckoutSession: ...

    def get_checkout(self, key: str, session: str) -> CheckoutState: ...

    def expire_checkout(self, key: str, session: str) -> None:
        """Close a checkout so that no one can pay it. Do nothing if it is already closed."""

    def create_refund(
        self, key: str, intent: str, amount: int, currency: str, reference: str, idempotency_key: str
    ) -> RefundState: ...

    def create_webhook(self, key: str, url: str) -> tuple[str, str]:
        """Register a URL for events. Return the id of the webhook and its signing secret."""

    def delete_webhook(self, key: str, id: str) -> None: ...

    def parse_event(self, body: bytes, headers: Mapping[str, str], secret: str, now: datetime) -> WebhookEvent:
        """Parse an event. Raise SignatureError if its signature is not valid."""

    def list_changed_payments(self, key: str, since: datetime) -> Sequence[str]:
        """Return the payments (`intent`) that were refunded or disputed since then."""
