"""Interface of payment providers, and its types.

Each method sends HTTP requests that may take seconds, so call it outside of transactions. `status_sync` interprets the
results.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Protocol

OPENING, OPEN, PROCESSING = "opening", "open", "processing"
PAID, FAILED, EXPIRED = "paid", "failed", "expired"
DISPUTED, WON, LOST = "open", "won", "lost"
WAITING, DONE, REFUSED = "waiting", "done", "failed"


class ProviderError(Exception):
    """The provider did not fulfill the request. The text is for people and does not contain the key."""

    def __init__(self, message: str) -> None:
        super().__init__(message)
        self.message = message


class ProviderUnreachableError(ProviderError):
    """The provider did not respond, or asks to repeat the request later.

    With `has_response`, the provider failed and it is unknown what it did. Otherwise the same request can be repeated.
    """

    def __init__(self, message: str, *, has_response: bool = False, retry_after: float = 0.0) -> None:
        super().__init__(message)
        self.has_response, self.retry_after = has_response, retry_after


class RequestInProgressError(ProviderUnreachableError):
    """The same request is already in progress, such as after a double click."""


class ApiKeyRejectedError(ProviderError):
    """The key is invalid or has too few permissions."""


class ProviderRejectedError(ProviderError):
    """The provider rejected the request and would reject it again."""


class PaymentNotFoundError(ProviderRejectedError):
    """The key's account has no such payment."""


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


class SignatureError(Exception):
    """The event has no valid or recent signature of the provider."""


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

    def parse_event(self, body: bytes, header: str, secret: str, now: datetime) -> WebhookEvent:
        """Parse an event. Raise SignatureError if its signature is not valid."""

    def list_changed_payments(self, key: str, since: datetime) -> Sequence[str]:
        """Return the payments (`intent`) that were refunded or disputed since then."""
