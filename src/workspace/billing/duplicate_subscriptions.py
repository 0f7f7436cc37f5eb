"""Two subscriptions to one product, as from two open tabs: the later one is cancelled and refunded."""

from __future__ import annotations

import logging
from contextlib import suppress

from django.conf import settings
from django.core.mail import send_mail

from workspace.accounts import plans
from workspace.accounts.models import Account
from workspace.billing import effective_plans, stripe
from workspace.billing.models import Subscription
from workspace.lib import clock
from workspace.payment_clients.errors import PaymentNotFoundError
from workspace.storage.database.transactions import write_transaction

logger = logging.getLogger(__name__)


def end_duplicates(account: Account) -> None:
    """Cancel later subscriptions to the same products. Call it outside of transactions.

    Raise ProviderError if the provider cannot be reached or rejects a request.
    """
    seen: set[str] = set()
    now = clock.now()
    for one in account.subscriptions.order_by("started_at", "id"):
        if one.live != stripe.is_live_key() or not one.is_active(now):
            continue
        twice = [item for item in one.items if item["product"] in seen]
        if twice and len(twice) == len(one.items):
            _end_subscription(account, one)
        elif twice:
            for item in twice:
                _end_item(account, one, item["item"], item["product"])
        seen.update(item["product"] for item in one.items)


def _end_subscription(account: Account, subscription: Subscription) -> None:
    for invoice in stripe.list_paid_invoices(subscription.pk):
        found = stripe.fetch_invoice(invoice)
        if found.intent and found.refunded < found.paid:
            stripe.refund_payment(found.intent, f"double:{invoice}")
    stripe.cancel_subscription(subscription.pk)
    names = ", ".join(
        plans.PRODUCTS[item["product"]].title for item in subscription.items if item["product"] in plans.PRODUCTS
    )
    with write_transaction():
        account = account.lock()
        if Subscription.objects.filter(pk=subscription.pk).exclude(status="canceled").update(status="canceled"):
            effective_plans.recompute_plans(account)
            notify_operator(
                f"A plan was bought twice: {names}",
                f"{account.name} ({account.pk}) had two subscriptions for {names}. The later one, {subscription.pk}, "
                "was canceled in Stripe and its payments were refunded.",
            )


def _end_item(account: Account, subscription: Subscription, item: str, product: str) -> None:
    with suppress(PaymentNotFoundError):
        stripe.send_request(
            "DELETE",
            f"subscription_items/{item}?proration_behavior=create_prorations",
            idempotency_key=f"double:{item}",
        )
    with write_transaction():
        account = account.lock()
        row = Subscription.objects.get(pk=subscription.pk)
        left = [each for each in row.items if each["item"] != item]
        if len(left) < len(row.items):
            row.items = left
            row.save(update_fields=["items"])
            effective_plans.recompute_plans(account)
            notify_operator(
                f"A plan was bought twice: {plans.PRODUCTS[product].title}",
                f"{account.name} ({account.pk}) had this plan in two subscriptions. It was removed from the later one, "
                f"{subscription.pk}. The amount paid is credited to its next invoice.",
            )


def notify_operator(subject: str, text: str) -> None:
    """Email the administrator. Call it inside a transaction."""
    logger.warning("%s", text)
    if settings.OPERATOR_EMAIL:
        try:
            send_mail(subject, f"{text}\n", None, [settings.OPERATOR_EMAIL])
        except ValueError:
            logger.exception("WORKSPACE_OPERATOR_EMAIL is no address")
