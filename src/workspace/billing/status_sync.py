"""Status sync: requesting the current state of an account's purchases from the provider.

Events only trigger a sync, so it does not matter in which order, how often, or whether they arrive. Of two concurrent
requests, the result of the later one is stored. Everything that follows is written in the same transaction, with the
account locked.
"""

from __future__ import annotations

import logging
from collections.abc import Callable, Mapping
from contextlib import suppress
from datetime import timedelta
from typing import Any

from workspace.accounts.models import Account
from workspace.billing import (
    credit_purchases,
    duplicate_subscriptions,
    effective_plans,
    free_months,
    invite_rewards,
    stripe,
)
from workspace.billing.models import Customer, Invoice, Purchase, Subscription
from workspace.billing.models.purchase import CREDITS, PENDING_STATES
from workspace.billing.models.subscription import ENDED_STATUSES
from workspace.billing.outbox import enqueue_request
from workspace.billing.stripe import SubscriptionState
from workspace.lib import clock
from workspace.payment_clients.errors import PaymentNotFoundError, ProviderRejectedError
from workspace.payment_clients.stripe.client import get_id
from workspace.storage.database.transactions import write_transaction

logger = logging.getLogger(__name__)

NEW_PERIOD = timedelta(days=2)


def run_sync_job(payload: dict[str, Any]) -> None:
    """Run a job of the worker. `payload` maps one name to one id. Raise ProviderError if it fails."""
    [(name, value)] = payload.items()
    _HANDLERS[name](value)


def sync_subscription(id: str, *, in_request: bool = False) -> Account | None:
    """Update a subscription and the account's plans. Return the account, or None if there is none."""
    asked_at = clock.now()
    try:
        found = stripe.fetch_subscription(id, in_request=in_request)
    except PaymentNotFoundError:  # just deleted, or the key is another account's
        return _mark_missing(id)
    account = _find_account(found)
    if account is None:
        _end_orphaned(found)
        return None
    with write_transaction():
        account = account.lock()
        row = Subscription.objects.filter(pk=id).first() or Subscription(pk=id, account=account)
        if row.checked_at is None or row.checked_at <= asked_at:
            row.live, row.status, row.items = stripe.is_live_key(), found.status, list(found.items)
            row.renews_at, row.ends_at = found.renews_at, found.ends_at
            row.started_at, row.checked_at = found.began_at, asked_at
            row.save()
        effective_plans.recompute_plans(account)
        if effective_plans.is_paying(account):
            free_months.credit_free_months(account)
    if not row.is_over:
        duplicate_subscriptions.end_duplicates(account)
    return account


def _mark_missing(id: str) -> Account | None:
    row = Subscription.objects.select_related("account").filter(pk=id).first()
    if row is None:
        return None
    with write_transaction():
        account = row.account.lock()
        Subscription.objects.filter(pk=id).update(status=ENDED_STATUSES[0], checked_at=clock.now())
        effective_plans.recompute_plans(account)
    return account


def _find_account(state: SubscriptionState) -> Account | None:
    row = Subscription.objects.select_related("account").filter(pk=state.id).first()
    if row is not None:
        return row.account
    of_customer = Customer.objects.select_related("account").filter(reference=state.customer).first()
    if of_customer is not None:
        return of_customer.account
    return Account.objects.filter(pk=state.account).first() if state.account else None


def _end_orphaned(state: SubscriptionState) -> None:
    """Cancel a subscription whose account was closed during the payment.

    Subscriptions that this service did not create are left alone.
    """
    if state.account and state.status not in ENDED_STATUSES:
        logger.warning("The subscription %s is of an account that is closed, and is ended", state.id)
        # Refund what was paid while the account was being closed, but not earlier months.
        is_new = state.began_at > clock.now() - NEW_PERIOD
        for id in stripe.list_paid_invoices(state.id) if is_new else ():
            one = stripe.fetch_invoice(id)
            if one.intent and one.refunded < one.paid:
                stripe.refund_payment(one.intent, f"closed:{id}")
        stripe.cancel_subscription(state.id)


def sync_session(id: str) -> None:
    row = Purchase.objects.filter(session=id).first()
    if row is not None:
        sync_purchase(row.pk)
        return
    try:
        found = stripe.fetch_session(id)
    except PaymentNotFoundError:
        return
    if found.get("subscription"):  # the account was closed, or the subscription was created manually at the provider
        sync_subscription(get_id(found["subscription"]))
    elif found.get("payment_status") == "paid":
        _refund_orphaned_credits(id, found)


def _refund_orphaned_credits(id: str, session: Mapping[str, Any]) -> None:
    """Refund event credits that were paid while their account was being closed."""
    metadata = session.get("metadata") or {}
    intent = get_id(session.get("payment_intent"))
    if metadata.get("purchase") and intent and not Account.objects.filter(pk=metadata.get("account")).exists():
        stripe.refund_payment(intent, f"closed:{id}")


def sync_purchase(id: str, *, in_request: bool = False) -> None:
    """Update a checkout and the subscription that it created."""
    row = Purchase.objects.filter(pk=id).first()
    if row is None or not row.session:
        return
    asked_at = clock.now()
    try:
        found = stripe.fetch_session(row.session, in_request=in_request)
    except PaymentNotFoundError:
        found = {"status": "expired"}
    of = get_id(found.get("subscription"))
    if of:
        sync_subscription(of, in_request=in_request)
    intent = get_id(found.get("payment_intent"))
    refunded, is_over = stripe.fetch_payment(intent) if intent and row.kind == CREDITS else (0, False)
    credit_purchases.record_checkout(
        row.pk, credit_purchases.CheckoutStatus(found, intent, refunded, is_over), asked_at
    )


def sync_invoice(id: str) -> None:
    """Update an invoice, its refunds, and the invite reward that depends on it."""
    asked_at = clock.now()
    try:
        found = stripe.fetch_invoice(id)
    except PaymentNotFoundError:
        return
    customer = Customer.objects.select_related("account").filter(reference=found.customer).first()
    if found.subscription:
        account = sync_subscription(found.subscription)
    else:
        account = customer.account if customer else None
    if account is None or not found.paid:
        return
    customer = customer or Customer.objects.filter(account=account).first()
    first = (
        stripe.find_first_paid_invoice(customer.reference)
        if customer and invite_rewards.needs_first_invoice(account)
        else ""
    )
    if first and first != id and not Invoice.objects.filter(pk=first).exists():
        sync_invoice(first)
    with write_transaction():
        account = account.lock()
        row = Invoice.objects.filter(pk=id).first() or Invoice(pk=id, account=account)
        if row.checked_at is None or row.checked_at <= asked_at:
            row.live, row.paid, row.paid_at = stripe.is_live_key(), found.paid, found.paid_at
            row.refunded, row.is_lost, row.payment_intent = found.refunded, found.is_lost, found.intent
            row.subscription, row.checked_at = found.subscription, asked_at
            row.save()
        if customer is not None and found.card:
            _save_card(customer, found.card)
    invite_rewards.process_invoice(account.pk, row.pk)


def _save_card(customer: Customer, card: str) -> None:
    fingerprint = invite_rewards.card_fingerprint(card)
    if fingerprint not in customer.cards:
        customer.cards = [*customer.cards, fingerprint][-20:]
        customer.save(update_fields=["cards"])


def sync_payment(intent: str) -> None:
    """Update the purchase or invoice whose payment was refunded or disputed."""
    row = Purchase.objects.filter(payment_intent=intent).first()
    if row is not None:
        sync_purchase(row.pk)
        return
    known = Invoice.objects.filter(payment_intent=intent).values_list("pk", flat=True).first()
    found = known or stripe.find_invoice_for_payment(intent)
    if found:
        sync_invoice(found)


def end_closed_account(payload: dict[str, Any]) -> None:
    """Cancel the subscriptions and open checkouts of a closed account."""
    for id in payload["sessions"]:
        with suppress(ProviderRejectedError):  # if paid or expired, the provider reports what was paid, to be refunded
            stripe.expire_session(id)
    for id in payload["subscriptions"]:
        stripe.cancel_subscription(id)


def on_account_closed(account: Account) -> None:
    """Enqueue the cancellation of the account's subscriptions and open checkouts."""
    running = [one.pk for one in account.subscriptions.all() if not one.is_over]
    sessions = account.purchases.filter(state__in=PENDING_STATES).exclude(session="")
    given = {"sessions": list(sessions.values_list("session", flat=True)), "subscriptions": running}
    if any(given.values()):
        enqueue_request("closed", given)


_HANDLERS: dict[str, Callable[[Any], object]] = {
    "subscription": sync_subscription,
    "session": sync_session,
    "purchase": sync_purchase,
    "invoice": sync_invoice,
    "payment": sync_payment,
    "month": free_months.process_month,
    "closed": end_closed_account,
}
