"""What a payment provider can do for an account that gave it a key. Each call asks over HTTP, within seconds, so none
is made inside a transaction; what an answer means is settled in `following`."""

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
    """The provider did not do it. The text is for people, and holds no key."""

    def __init__(self, message: str) -> None:
        super().__init__(message)
        self.message = message


class ProviderUnreachableError(ProviderError):
    """No answer, or one that says to come again. `has_response`: the provider failed by itself, and what it then did is
    not known; else it may be asked the very same again."""

    def __init__(self, message: str, *, has_response: bool = False, retry_after: float = 0.0) -> None:
        super().__init__(message)
        self.has_response, self.retry_after = has_response, retry_after


class RequestInProgressError(ProviderUnreachableError):
    """The very same was asked a moment ago, and is being worked on: a second click of an impatient payer."""


class ApiKeyRejectedError(ProviderError):
    """The key is not valid, or may not do this."""


class ProviderRejectedError(ProviderError):
    """The provider answered no, and will again."""


class PaymentNotFoundError(ProviderRejectedError):
    """The key's account has no such payment."""


@dataclass(frozen=True, slots=True)
class CheckoutOrder:
    """A checkout to be opened. `amount` is in minor units; `idempotency_key` the key by which a repetition is known;
    `reference` our id, which its objects carry."""

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
    """A refund as it stands: `reference` is ours where we asked for it."""

    id: str
    reference: str
    amount: int
    state: str
    problem: str = ""


@dataclass(frozen=True, slots=True)
class CheckoutState:
    """A checkout as it stands now, whatever was told of it. `intent`: the payment's own id, as soon as there is one;
    amounts in minor units; `dispute` is empty, open, won or lost."""

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
    """What a key is of. `account` and `name` are empty where it may not read them."""

    live: bool
    account: str = ""
    name: str = ""


@dataclass(frozen=True, slots=True)
class WebhookEvent:
    """An event: that something of a checkout may have changed. Which it is of is told by our `reference`, the
    `session` or the `intent`, whichever there is."""

    id: str
    kind: str
    live: bool
    reference: str = ""
    session: str = ""
    intent: str = ""


class SignatureError(Exception):
    """An event that the provider has not signed, or not now."""


class Provider(Protocol):
    name: str
    title: str

    def can_charge(self, amount: int, currency: str) -> bool:
        """Whether it takes exactly this amount."""

    def inspect_key(self, key: str) -> KeyDetails:
        """Ask with a new key, also whether it may do all that it is needed for."""

    def open_checkout(self, key: str, order: CheckoutOrder) -> CheckoutSession: ...

    def get_checkout(self, key: str, session: str) -> CheckoutState: ...

    def expire_checkout(self, key: str, session: str) -> None:
        """Nobody can pay it any more. No error where it is over already."""

    def create_refund(
        self, key: str, intent: str, amount: int, currency: str, reference: str, once: str
    ) -> RefundState: ...

    def create_webhook(self, key: str, url: str) -> tuple[str, str]:
        """Have events sent to an address: the id of that, and the secret that signs them."""

    def delete_webhook(self, key: str, id: str) -> None: ...

    def parse_event(self, body: bytes, header: str, secret: str, now: datetime) -> WebhookEvent:
        """An event as it came. Raises NotGenuine."""

    def list_changed_payments(self, key: str, since: datetime) -> Sequence[str]:
        """The payments (`intent`) that were refunded or disputed since then."""
