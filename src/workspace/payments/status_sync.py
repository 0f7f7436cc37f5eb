"""Status sync: requesting the current state of a payment from the provider.

Events only trigger a sync, so it does not matter in which order, how often, or whether they arrive. Of two concurrent
requests, the result of the later one is stored. Everything that follows from a state is written in the same
transaction.
"""

from __future__ import annotations

import logging
from datetime import datetime, timedelta
from typing import Any

from django.db.models import F

from workspace.lib import clock
from workspace.payment_clients.errors import PaymentNotFoundError, ProviderRejectedError, ProviderUnreachableError
from workspace.payments import messages, owner_notifications, provider_calls
from workspace.payments.models import Connection, Payment, Refund
from workspace.payments.models.payment import MAX_PROBLEM_LENGTH, UNPAID
from workspace.payments.provider import EXPIRED, OPEN, OPENING, PAID, PROCESSING, REFUSED, WAITING, CheckoutState
from workspace.payments.provider_registry import get_title
from workspace.payments.purposes import DISPUTED, REFUNDED, find_purpose
from workspace.storage.database.transactions import write_transaction

logger = logging.getLogger(__name__)

EXPIRY_GRACE = timedelta(days=1)  # after the end of a session whose provider can no longer be asked
_MAX_ATTEMPTS = 10  # of a write that conflicts with other writes


class _ConcurrentUpdateError(Exception):
    """Another transaction changed the payment. This write is rolled back."""


def sync_payment(payment_id: str, *, in_request: bool = False) -> Payment | None:
    """Send pending cancellations and refunds to the provider, and update the payment's state.

    It can be called at any time and by several threads, but not inside a transaction. Raise ProviderError if the
    provider cannot be reached.
    """
    payment = Payment.objects.select_related("account").filter(pk=payment_id).first()
    if payment is None:
        return None
    connection = Connection.objects.filter(account=payment.account_id).first()
    if not payment.session:
        return _expire_if_over(payment, payment.hold_until if payment.hold_until is not None else payment.expires_at)
    if connection is None or not connection.can_reach(payment):
        return _expire_if_over(payment, payment.expires_at + EXPIRY_GRACE)
    session = payment.session
    if payment.state == OPEN and payment.hold_until is not None and payment.hold_until <= clock.now():
        provider_calls.call_provider(
            connection, lambda maker, key: maker.expire_checkout(key, session), in_request=in_request
        )
    if payment.is_paid:
        for refund in payment.refunds.filter(state=WAITING, reference=""):
            _send_refund(connection, payment, refund)
    asked_at = clock.now()
    try:
        found = provider_calls.call_provider(
            connection, lambda maker, key: maker.get_checkout(key, session), in_request=in_request
        )
    except PaymentNotFoundError:  # the key of another account, which cannot access the payment
        logger.warning("The account's provider can't find payment %s", payment.pk)
        return _expire_if_over(payment, payment.expires_at + EXPIRY_GRACE)
    return record_state(payment.pk, found, asked_at)


def _expire_if_over(payment: Payment, over: datetime) -> Payment:
    """Expire a payment after its time if the provider cannot be asked.

    It has no session, or the key was deleted.
    """
    if payment.state not in UNPAID or over > clock.now():
        return payment
    return record_state(payment.pk, CheckoutState(EXPIRED, payment.amount, payment.currency), clock.now()) or payment


def _send_refund(connection: Connection, payment: Payment, refund: Refund) -> None:
    once = f"{refund.pk}:{refund.attempts}"
    try:
        made = provider_calls.call_provider(
            connection,
            lambda maker, key: maker.create_refund(
                key, payment.payment_intent, refund.amount, payment.currency, refund.pk, once
            ),
        )
    except ProviderUnreachableError as trouble:
        if trouble.has_response:
            with write_transaction():
                Refund.objects.filter(pk=refund.pk).update(attempts=F("attempts") + 1)
        raise
    except ProviderRejectedError as refusal:
        with write_transaction():
            _save_refund(payment, refund, REFUSED, refusal.message)
        return
    with write_transaction():
        _save_refund(payment, refund, made.state, made.problem, made.id)


def _save_refund(payment: Payment, refund: Refund, state: str, problem: str, reference: str = "") -> None:
    fields = {"state": state, "problem": problem[:MAX_PROBLEM_LENGTH], "reference": reference or refund.reference}
    changed = Refund.objects.filter(pk=refund.pk).exclude(state=state, reference=fields["reference"]).update(**fields)
    if changed and state == REFUSED:
        owner_notifications.notify_refund_failure(payment, refund, problem)


def record_state(payment_id: str, state: CheckoutState, asked_at: datetime) -> Payment | None:
    """Store a state and apply its consequences, unless a later request has already stored one."""
    for _ in range(_MAX_ATTEMPTS):
        payment = Payment.objects.select_related("account").filter(pk=payment_id).first()
        if payment is None or (payment.checked_at is not None and payment.checked_at > asked_at):
            return payment
        try:
            with write_transaction():
                _write_state(payment, state, asked_at)
        except _ConcurrentUpdateError:
            continue
        return payment
    logger.error("Payment %s has too many concurrent updates", payment_id)
    return Payment.objects.filter(pk=payment_id).first()


def _write_state(payment: Payment, state: CheckoutState, asked_at: datetime) -> None:
    """Apply a state and notify the product.

    The product takes its locks first, so that this function and a guest who starts a payment cannot deadlock.
    """
    seen, before = payment.version, (payment.state, payment.refunded, payment.dispute)
    _apply_state(payment, state, asked_at)
    is_first = payment.is_paid and payment.applied_at is None
    if is_first:
        payment.paid_at = payment.applied_at = asked_at
    changes = _list_changes(before, payment)
    purpose = find_purpose(payment)
    if purpose is not None:
        if is_first:
            purpose.on_paid(payment)
        for what in changes:
            purpose.on_changed(payment, what)
    if DISPUTED in changes:
        owner_notifications.notify_dispute(payment)
    for one in state.refunds:
        refund = Refund.objects.filter(pk=one.reference, payment=payment).first()
        if refund is not None:
            _save_refund(payment, refund, one.state, one.problem, one.id)
    payment.version = seen + 1
    fields = (
        "state",
        "payment_intent",
        "email",
        "refunded",
        "dispute",
        "problem",
        "checked_at",
        "paid_at",
        "applied_at",
    )
    values: dict[str, Any] = {name: getattr(payment, name) for name in (*fields, "version")}
    if not Payment.objects.filter(pk=payment.pk, version=seen).update(**values):
        raise _ConcurrentUpdateError


def _apply_state(payment: Payment, state: CheckoutState, asked_at: datetime) -> None:
    payment.state, payment.problem, payment.checked_at = state.state, state.problem[:MAX_PROBLEM_LENGTH], asked_at
    payment.payment_intent = state.intent or payment.payment_intent
    payment.email = state.email or payment.email
    payment.refunded, payment.dispute = state.refunded_amount, state.dispute
    if state.state == PAID and (state.amount, state.currency) != (payment.amount, payment.currency):
        # Whatever was changed at the provider, this is not the requested amount.
        logger.error("Payment %s was paid with a different amount", payment.pk)
        payment.state = PROCESSING
        payment.problem = str(messages.DIFFERENT_AMOUNT(provider=get_title(payment.provider)))


def _list_changes(before: tuple[str, int, str], payment: Payment) -> list[str]:
    state, refunded, dispute = before
    changes = []
    if payment.state != state and payment.state not in (PAID, OPEN, OPENING):
        changes.append(payment.state)
    if payment.refunded != refunded:
        changes.append(REFUNDED)
    if payment.dispute != dispute:
        changes.append(DISPUTED)
    return changes
