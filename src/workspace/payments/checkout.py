"""Starting, ending and refunding payments.

    payment = start_payment(account, "bid.deposit", decision.pk, 5000, "EUR", title=…, return_url="/p")  # in a write
    url = fetch_payment_url(payment)  # after the commit

The first call records the payment in the transaction that decides it. The second one requests a page from the provider.
A guest's return does not prove that they have paid: `status_sync` asks the provider and notifies the purpose.
"""

from __future__ import annotations

import time
from datetime import datetime, timedelta
from typing import Any

from django.conf import settings
from django.db.models import F, QuerySet

from workspace.accounts.models import Account
from workspace.delivery import outbox
from workspace.lib import clock
from workspace.lib.errors import OperationNotAllowedError
from workspace.payment_clients.errors import (
    ProviderError,
    ProviderRejectedError,
    ProviderUnreachableError,
    RequestInProgressError,
)
from workspace.payments import messages, provider_calls
from workspace.payments.models import Connection, Payment, Refund
from workspace.payments.models.payment import MAX_PROBLEM_LENGTH, UNPAID
from workspace.payments.provider import (
    OPEN,
    OPENING,
    PAID,
    PROCESSING,
    WAITING,
    CheckoutOrder,
    CheckoutSession,
    Provider,
)
from workspace.payments.provider_registry import get_provider, get_title, list_titles
from workspace.storage import journal
from workspace.storage.database.compiled_function import compile_once
from workspace.storage.database.transactions import write_transaction

DELIVERY_KIND = "payment"
# From the provider's limits on the lifetime of a checkout.
MAX_LIFETIME_MARGIN = timedelta(hours=1)
MIN_LIFETIME_MARGIN = timedelta(minutes=10)  # leaves time for a second attempt a few minutes later
REUSE_MARGIN = timedelta(minutes=1)  # minimum, with the provider's, for opening an earlier payment's checkout
MAX_TITLE_LENGTH = 200
RETRY_DELAYS = (0.3, 0.7, 1.5)  # seconds before repeating a request that is still in progress


def can_charge(account: Account, amount: int, currency: str) -> bool:
    """Return whether the account can charge exactly this amount, that is, its key works and the provider allows it."""
    connection = find_connection(account)
    return connection is not None and _connection_can_charge(connection, amount, currency)


def find_connection(account: Account) -> Connection | None:
    """Return the account's connection if it can take payments, or None."""
    found = _connections_of.fetch(account)
    return found[0] if found and found[0].can_take_payments else None


@compile_once
def _connections_of(account: Account) -> QuerySet[Connection]:
    return Connection.objects.filter(account=account).order_by("pk")


def _connection_can_charge(connection: Connection, amount: int, currency: str) -> bool:
    return get_provider(connection.provider).can_charge(amount, currency)


def start_payment(
    account: Account,
    purpose: str,
    subject: str,
    amount: int,
    currency: str,
    *,
    title: str,
    return_url: str,
    email: str = "",
    language: str = "",
    hold_until: datetime | None = None,
) -> Payment:
    """Create a payment inside the caller's transaction, which must lock its subject.

    `amount` is in minor units. The payer sees `title` at the provider and returns to the path `return_url`. The payment
    cannot be paid after `hold_until`. An open payment for the same subject and amount is reused, and one for another
    amount is cancelled. Raise OperationNotAllowedError if nothing can be paid.
    """
    connection = find_connection(account)
    if connection is None:
        raise OperationNotAllowedError(messages.NOT_CONNECTED(providers=list_titles()))
    if not _connection_can_charge(connection, amount, currency):
        raise OperationNotAllowedError(messages.AMOUNT_NOT_CHARGEABLE)
    now, maker = clock.now(), get_provider(connection.provider)
    mine = Payment.objects.filter(account=account, purpose=purpose, subject=subject)
    if mine.filter(state=PROCESSING).exists():
        raise OperationNotAllowedError(messages.PAYMENT_PENDING)
    if mine.filter(state=PAID, refunded__lt=F("amount")).exists():
        raise OperationNotAllowedError(messages.ALREADY_PAID)
    for one in mine.filter(is_current=True, state__in=UNPAID):
        left = one.expires_at - now
        fits = (one.amount, one.currency, one.hold_until) == (amount, currency, hold_until) and connection.can_reach(
            one
        )
        if fits and left > (maker.min_lifetime + REUSE_MARGIN if one.state == OPENING else timedelta(minutes=5)):
            return one
        Payment.objects.filter(pk=one.pk).update(is_current=False, hold_until=now, version=F("version") + 1)
        enqueue_sync(one, "over")
    payment = Payment.objects.create(
        account=account,
        provider=connection.provider,
        live=connection.live,
        provider_account=connection.provider_account,
        purpose=purpose,
        subject=subject,
        title=title[:MAX_TITLE_LENGTH],
        amount=amount,
        currency=currency,
        email=email,
        language=language,
        return_url=return_url,
        expires_at=_compute_expiry(maker, now, hold_until),
        hold_until=hold_until,
    )
    if hold_until is not None:
        enqueue_sync(payment, "until", at=hold_until)
    return payment


def _compute_expiry(provider: Provider, now: datetime, until: datetime | None) -> datetime:
    latest = now + provider.max_lifetime - MAX_LIFETIME_MARGIN
    return latest if until is None else min(max(until, now + provider.min_lifetime + MIN_LIFETIME_MARGIN), latest)


def fetch_payment_url(payment: Payment) -> str:
    """Return the URL of the provider's page, which is requested only once. Call it outside of transactions.

    Raise ProviderError within seconds if the provider returns no page. The payment is kept and can be tried again.
    """
    if payment.state == OPEN and payment.url:
        return payment.url
    connection = find_connection(payment.account)
    if connection is None or payment.state != OPENING or not connection.can_reach(payment):
        raise ProviderError(messages.NO_LONGER_PAYABLE)
    back = f"{settings.BASE_URL}/pay/{payment.pk}"
    order = CheckoutOrder(
        reference=payment.pk,
        idempotency_key=f"{payment.pk}:{payment.attempts}",
        account=payment.account_id,
        purpose=payment.purpose,
        title=payment.title,
        amount=payment.amount,
        currency=payment.currency,
        email=payment.email,
        language=payment.language,
        success_url=f"{back}/done",
        cancel_url=f"{back}/cancelled",
        expires_at=payment.expires_at,
    )
    try:
        opened = _open_checkout(connection, order)
    except ProviderUnreachableError as trouble:
        if trouble.has_response:  # the provider would repeat the same response for a day
            _update_payment(payment, attempts=F("attempts") + 1)
        raise
    except ProviderRejectedError as refusal:
        if not order.email:
            _update_payment(payment, problem=refusal.message[:MAX_PROBLEM_LENGTH])
            raise
        # Providers are stricter about email addresses than mail servers are. The payer can enter theirs on the page.
        _update_payment(payment, email="", attempts=F("attempts") + 1)
        payment.refresh_from_db()
        return fetch_payment_url(payment)
    return _record_checkout(payment, opened)


def _update_payment(payment: Payment, **fields: Any) -> None:
    with write_transaction():
        Payment.objects.filter(pk=payment.pk, state=OPENING).update(**fields)


def _open_checkout(connection: Connection, order: CheckoutOrder) -> CheckoutSession:
    """Open a checkout. A second click waits for the request of the first one."""
    for pause in RETRY_DELAYS:
        try:
            return provider_calls.call_provider(
                connection, lambda maker, key: maker.open_checkout(key, order), in_request=True
            )
        except RequestInProgressError:
            time.sleep(pause)
    return provider_calls.call_provider(connection, lambda maker, key: maker.open_checkout(key, order), in_request=True)


def _record_checkout(payment: Payment, opened: CheckoutSession) -> str:
    with write_transaction():
        fresh = Payment.objects.filter(pk=payment.pk, state=OPENING)
        if fresh.update(state=OPEN, session=opened.session, url=opened.url, version=F("version") + 1):
            # In case no event arrives and the payer does not return.
            enqueue_sync(payment, "end", at=payment.expires_at + timedelta(minutes=2))
            if payment.hold_until is not None and payment.hold_until <= clock.now():
                enqueue_sync(payment, "late")
    payment.refresh_from_db()
    return payment.url


def start_checkout(
    account: Account,
    purpose: str,
    subject: str,
    amount: int,
    currency: str,
    *,
    title: str,
    return_url: str,
    email: str = "",
) -> str:
    """Start a payment and return the URL of its page. Call it outside of transactions."""
    with write_transaction():
        payment = start_payment(
            account, purpose, subject, amount, currency, title=title, return_url=return_url, email=email
        )
    return fetch_payment_url(payment)


def cancel_open_payments(account: Account, purpose: str, subject: str) -> int:
    """Cancel open payments inside the caller's transaction. Return how many were cancelled.

    The worker closes them at the provider immediately. A payment made at the same moment remains valid, and its purpose
    is notified.
    """
    found = list(Payment.objects.filter(account=account, purpose=purpose, subject=subject, state__in=UNPAID))
    for payment in found:
        Payment.objects.filter(pk=payment.pk).update(hold_until=clock.now(), is_current=False, version=F("version") + 1)
        enqueue_sync(payment, "over")
    return len(found)


def start_refund(payment: Payment, amount: int | None = None, reason: str = "") -> Refund:
    """Refund a payment or a part of it, inside the caller's transaction.

    A worker sends the refund immediately and repeats the request if the provider is unavailable. Raise
    OperationNotAllowedError if the amount exceeds the refundable amount.
    """
    if payment.state != PAID:
        raise OperationNotAllowedError(messages.NOT_PAID)
    requested = sum(payment.refunds.filter(state=WAITING).values_list("amount", flat=True))
    left = payment.refundable_amount - requested
    wanted = left if amount is None else amount
    if wanted <= 0 or wanted > left:
        raise OperationNotAllowedError(messages.REFUND_TOO_HIGH if left > 0 else messages.FULLY_REFUNDED)
    connection = Connection.objects.filter(account=payment.account_id).first()
    if connection is None or not connection.can_reach(payment):
        raise OperationNotAllowedError(messages.REFUND_WITH_OTHER_KEY(provider=get_title(payment.provider)))
    if not _connection_can_charge(connection, wanted, payment.currency):
        raise OperationNotAllowedError(messages.REFUND_NOT_EXACT)
    made = Refund.objects.create(payment=payment, amount=wanted, reason=reason)
    journal.mark_irreversible(str(messages.REFUND_IS_FINAL))
    enqueue_sync(payment, f"refund:{made.pk}")
    return made


def current_payment(account: Account, purpose: str, subject: str) -> Payment | None:
    """Return the payment that is relevant for a subject, or None.

    A paid payment takes precedence, then one that is being processed, then the newest.
    """
    order = {"paid": 0, "processing": 1, "open": 2, "opening": 2}
    found = _payments_of.fetch(account, purpose, subject)
    return min(found, key=lambda one: order.get(one.state, 3), default=None)


@compile_once
def _payments_of(account: Account, purpose: str, subject: str) -> QuerySet[Payment]:
    return Payment.objects.filter(account=account, purpose=purpose, subject=subject).order_by("-id")


def enqueue_sync(payment: Payment, reason: str, *, at: datetime | None = None) -> None:
    """Make the worker fetch a payment's status, once for each `reason`."""
    key = f"{DELIVERY_KIND}:{payment.pk}:{reason}"
    outbox.put(DELIVERY_KIND, {"payment": payment.pk}, account=payment.account, dedupe=key, at=at)
