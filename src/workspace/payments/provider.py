"""The interface of payment providers, and its types.

Requests may take seconds, so call these methods outside of transactions (`provider_calls.call_provider`). `status_sync`
interprets the results.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Protocol

from workspace.owner_translation import owner_gettext_lazy

OPENING, OPEN, PROCESSING = "opening", "open", "processing"
PAID, FAILED, EXPIRED = "paid", "failed", "expired"
DISPUTED, WON, LOST = "open", "won", "lost"
WAITING, DONE, REFUSED = "waiting", "done", "failed"


@dataclass(frozen=True, slots=True)
class CheckoutOrder:
    """A request for a checkout.

    `amount` is in minor units. `idempotency_key` identifies repeated requests. `reference` is our id, which the
    provider stores in its objects.
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

    `intent` is the payment's id, once there is one. Amounts are in minor units. `dispute` is empty, open, won or lost.
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
    """Properties of a key. `account` and `name` are empty if the key may not read them."""

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


@dataclass(frozen=True, slots=True)
class SetupTexts:
    """The instructions that an owner reads while connecting the provider.

    `key_steps` say where a key is created and which permissions it needs. The page adds the step of copying it. They
    are plain text, or HTML of `django.utils.html.format_html`. `webhooks_url` is the provider's page where an owner can
    register the webhook manually, for the events `webhook_events`. The labels and help text are those of the two
    fields.
    """

    key_steps: tuple[str, ...]
    key_label: str
    key_help: str
    secret_label: str
    secret_help: str
    webhooks_url: str
    webhook_events: tuple[str, ...]
    test_mode_help: str = owner_gettext_lazy("Test mode: no money is charged.")
    refund_help: str = ""


class Provider(Protocol):
    """A payment provider, which accounts connect with their own key.

    - `name`: lower-case letters, at most 20; part of the webhook's URL and of stored rows, so it never changes.
    - `title`: the name that people read.
    - `setup`: the instructions that an owner reads while connecting it.
    - `min_lifetime`, `max_lifetime`: limits for the time in which a checkout can be paid.

    One instance serves all accounts and threads, so it has no state. A key is the single secret string that an owner
    enters and that each method gets. A provider whose API needs two values defines how they are joined.

    Each method with a key sends requests. It raises one of the errors in `payment_clients.errors`: ApiKeyRejectedError
    if the key is at fault, so that payments stop and the owner is notified; ProviderUnreachableError if the request
    should be repeated later; ProviderRejectedError if it should not.
    """

    name: str
    title: str
    setup: SetupTexts
    min_lifetime: timedelta
    max_lifetime: timedelta

    @property
    def is_local(self) -> bool:
        """True if this is a fake on this machine or network, which can send events to a private URL."""
        return False

    def can_charge(self, amount: int, currency: str) -> bool:
        """Return whether the provider can charge exactly this amount, in minor units. Send no request."""
        ...

    def check_signing_secret(self, secret: str) -> None:
        """Raise ProviderRejectedError, with a message for the owner, if this cannot be a webhook's signing secret."""

    def inspect_key(self, key: str) -> KeyDetails:
        """Check a new key and its permissions."""
        ...

    def open_checkout(self, key: str, order: CheckoutOrder) -> CheckoutSession:
        """Create a checkout. Return its id and the URL of its page.

        The same `order.idempotency_key` returns the same checkout. If the provider has no such keys, find the checkout
        by `order.reference`. Raise RequestInProgressError while the same request is being processed.
        """
        ...

    def get_checkout(self, key: str, session: str) -> CheckoutState:
        """Return the current state of a checkout. Raise PaymentNotFoundError if the key's account has none."""
        ...

    def expire_checkout(self, key: str, session: str) -> None:
        """Close a checkout so that no one can pay it. Do nothing if it is already closed."""

    def create_refund(
        self, key: str, intent: str, amount: int, currency: str, reference: str, idempotency_key: str
    ) -> RefundState:
        """Refund a part of a payment. If there already is a refund with this `reference`, return that one."""
        ...

    def create_webhook(self, key: str, url: str) -> tuple[str, str]:
        """Register a URL for events. Return the id of the webhook and its signing secret.

        Raise ApiKeyRejectedError or ProviderRejectedError if the owner has to do it manually.
        """
        ...

    def delete_webhook(self, key: str, id: str) -> None:
        """Delete a webhook. Do nothing if there is none."""

    def parse_event(self, body: bytes, headers: Mapping[str, str], secret: str, now: datetime) -> WebhookEvent:
        """Parse an event without sending a request.

        Raise SignatureError if its signature is not valid or not recent.
        """
        ...

    def list_changed_payments(self, key: str, since: datetime) -> Sequence[str]:
        """Return the payments (`intent`) that were refunded or disputed since the given time."""
        ...
