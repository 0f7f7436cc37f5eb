"""How what was bought stands: asked for afresh at the provider, whatever was told of it. So it does not matter in which
order events come, how often, or whether at all: of two who ask, the later question counts, and what follows from an
answer is written with it, under the account's lock."""

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
from workspace.billing.models.plan import OVER
from workspace.billing.models.purchase import CREDITS, UNSETTLED
from workspace.billing.provider_jobs import soon
from workspace.billing.stripe import FoundSubscription
from workspace.lib import clock
from workspace.payments.provider import Missing, ProviderRefusal
from workspace.payments.stripe_client import id_of
from workspace.storage.database.transactions import writing

logger = logging.getLogger(__name__)

NEW = timedelta(days=2)


def work(what: dict[str, Any]) -> None:
    """Of the lane: `what` has one name and one id. Raises ProviderTrouble."""
    [(name, value)] = what.items()
    _WORKS[name](value)


def subscription(id: str, *, in_request: bool = False) -> Account | None:
    """Ask for it and settle the plans of its account."""
    asked_at = clock.now()
    try:
        found = stripe.subscription(id, in_request=in_request)
    except Missing:  # deleted a moment ago, or another key's
        return _missing(id)
    account = _account_of(found)
    if account is None:
        _nobodys(found)
        return None
    with writing():
        account = account.lock()
        row = Subscription.objects.filter(pk=id).first() or Subscription(pk=id, account=account)
        if row.asked_at is None or row.asked_at <= asked_at:
            row.live, row.status, row.items = stripe.is_live(), found.status, list(found.items)
            row.renews_at, row.ends_at = found.renews_at, found.ends_at
            row.began_at, row.asked_at = found.began_at, asked_at
            row.save()
        effective_plans.settle(account)
        if effective_plans.pays(account):
            free_months.release(account)
    if not row.is_over:
        duplicate_subscriptions.end(account)
    return account


def _missing(id: str) -> Account | None:
    row = Subscription.objects.select_related("account").filter(pk=id).first()
    if row is None:
        return None
    with writing():
        account = row.account.lock()
        Subscription.objects.filter(pk=id).update(status=OVER[0], asked_at=clock.now())
        effective_plans.settle(account)
    return account


def _account_of(found: FoundSubscription) -> Account | None:
    row = Subscription.objects.select_related("account").filter(pk=found.id).first()
    if row is not None:
        return row.account
    of_customer = Customer.objects.select_related("account").filter(reference=found.customer).first()
    if of_customer is not None:
        return of_customer.account
    return Account.objects.filter(pk=found.account).first() if found.account else None


def _nobodys(found: FoundSubscription) -> None:
    """Its account was closed while it was being paid for. What is not ours at all stays as it is."""
    if found.account and found.status not in OVER:
        logger.warning("The subscription %s is of an account that is closed, and is ended", found.id)
        # what was paid while the account was being closed goes back, and nothing of the months before
        is_new = found.began_at > clock.now() - NEW
        for id in stripe.paid_invoices(found.id) if is_new else ():
            one = stripe.invoice(id)
            if one.intent and one.refunded < one.paid:
                stripe.give_back(one.intent, f"closed:{id}")
        stripe.end_now(found.id)


def session(id: str) -> None:
    row = Purchase.objects.filter(session=id).first()
    if row is not None:
        purchase(row.pk)
        return
    try:
        found = stripe.session(id)
    except Missing:
        return
    if found.get("subscription"):  # of an account that is closed, or begun at the provider by hand
        subscription(id_of(found["subscription"]))
    elif found.get("payment_status") == "paid":
        _credits_of_nobody(id, found)


def _credits_of_nobody(id: str, found: Mapping[str, Any]) -> None:
    """They were paid while their account was being closed."""
    told = found.get("metadata") or {}
    intent = id_of(found.get("payment_intent"))
    if told.get("purchase") and intent and not Account.objects.filter(pk=told.get("account")).exists():
        stripe.give_back(intent, f"closed:{id}")


def purchase(id: str, *, in_request: bool = False) -> None:
    """Ask how a checkout stands, and for the subscription that it began."""
    row = Purchase.objects.filter(pk=id).first()
    if row is None or not row.session:
        return
    asked_at = clock.now()
    try:
        found = stripe.session(row.session, in_request=in_request)
    except Missing:
        found = {"status": "expired"}
    of = id_of(found.get("subscription"))
    if of:
        subscription(of, in_request=in_request)
    intent = id_of(found.get("payment_intent"))
    refunded, is_over = stripe.payment(intent) if intent and row.kind == CREDITS else (0, False)
    credit_purchases.settle(row.pk, credit_purchases.Stands(found, intent, refunded, is_over), asked_at)


def invoice(id: str) -> None:
    """What was paid, and whether it went back; and what an invitation comes to by it."""
    asked_at = clock.now()
    try:
        found = stripe.invoice(id)
    except Missing:
        return
    customer = Customer.objects.select_related("account").filter(reference=found.customer).first()
    if found.subscription:
        account = subscription(found.subscription)
    else:
        account = customer.account if customer else None
    if account is None or not found.paid:
        return
    customer = customer or Customer.objects.filter(account=account).first()
    first = stripe.first_paid(customer.reference) if customer and invite_rewards.waits(account) else ""
    if first and first != id and not Invoice.objects.filter(pk=first).exists():
        invoice(first)
    with writing():
        account = account.lock()
        row = Invoice.objects.filter(pk=id).first() or Invoice(pk=id, account=account)
        if row.asked_at is None or row.asked_at <= asked_at:
            row.live, row.paid, row.paid_at = stripe.is_live(), found.paid, found.paid_at
            row.refunded, row.is_lost, row.intent = found.refunded, found.is_lost, found.intent
            row.subscription, row.asked_at = found.subscription, asked_at
            row.save()
        if customer is not None and found.card:
            _note_card(customer, found.card)
    invite_rewards.judge(account.pk, row.pk)


def _note_card(customer: Customer, card: str) -> None:
    told = invite_rewards.fingerprint(card)
    if told not in customer.cards:
        customer.cards = [*customer.cards, told][-20:]
        customer.save(update_fields=["cards"])


def payment(intent: str) -> None:
    """A payment that went back or is disputed: of credits, or of an invoice."""
    row = Purchase.objects.filter(intent=intent).first()
    if row is not None:
        purchase(row.pk)
        return
    known = Invoice.objects.filter(intent=intent).values_list("pk", flat=True).first()
    found = known or stripe.invoice_of_payment(intent)
    if found:
        invoice(found)


def closed(given: dict[str, Any]) -> None:
    """The account is gone: what it paid for ends, and nobody pays for what was begun."""
    for id in given["sessions"]:
        with suppress(ProviderRefusal):  # paid or over: what was paid is told of by the provider, and given back
            stripe.end_session(id)
    for id in given["subscriptions"]:
        stripe.end_now(id)


def leave_with(account: Account) -> None:
    """The account is being closed."""
    running = [one.pk for one in account.subscriptions.all() if not one.is_over]
    sessions = account.purchases.filter(state__in=UNSETTLED).exclude(session="")
    given = {"sessions": list(sessions.values_list("session", flat=True)), "subscriptions": running}
    if any(given.values()):
        soon("closed", given)


_WORKS: dict[str, Callable[[Any], object]] = {
    "subscription": subscription,
    "session": session,
    "purchase": purchase,
    "invoice": invoice,
    "payment": payment,
    "month": free_months.settle,
    "closed": closed,
}
