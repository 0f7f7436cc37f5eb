"""Periodic checks for missed billing events: the webhook may be wrong, or the server was down."""

from __future__ import annotations

import logging
from collections.abc import Callable
from datetime import timedelta

from django.conf import settings
from django.db.models import Q

from workspace.billing import free_months, status_sync
from workspace.billing.models import InviteMail, InviteMonth, Invoice, Purchase, Subscription
from workspace.billing.models.invite import BANKED, RETURNING, SENDING
from workspace.billing.models.purchase import OPEN, PROCESSING
from workspace.billing.models.subscription import ENDED_STATUSES
from workspace.delivery.models import ScheduledTask
from workspace.lib import clock
from workspace.payment_clients.errors import ApiKeyRejectedError, ProviderError, ProviderUnreachableError
from workspace.storage.database.transactions import write_transaction
from workspace.storage.row_tasks import run_rows

logger = logging.getLogger(__name__)

NIGHTLY_TASK, NIGHTLY_SECONDS = "billing.fetch_all", 24 * 3600.0
SHORT_INTERVAL, LONG_INTERVAL, RECENT_PERIOD, MAX_BANK_DELAY = (
    timedelta(minutes=10),
    timedelta(hours=1),
    timedelta(hours=2),
    timedelta(days=60),
)
REFUND_PERIOD = timedelta(days=60)  # invoices of this period are checked again for refunds
MAIL_RETENTION = timedelta(days=30)
BATCH_SIZE = 200


def reconcile() -> None:
    """Check open checkouts every few minutes, and everything else once a night."""
    if not settings.STRIPE_KEY:
        return
    now = clock.now()
    fresh = Q(created_at__gt=now - RECENT_PERIOD) & (Q(checked_at=None) | Q(checked_at__lt=now - SHORT_INTERVAL))
    older = Q(checked_at=None) | Q(checked_at__lt=now - LONG_INTERVAL)
    begun = Purchase.objects.filter(
        state__in=(OPEN, PROCESSING), created_at__range=(now - MAX_BANK_DELAY, now - SHORT_INTERVAL)
    )
    found = list(begun.filter(fresh | older).order_by("checked_at", "id").values_list("pk", flat=True)[:BATCH_SIZE])
    if not _sync_each("billing.fetch_purchases", status_sync.sync_purchase, found):
        return
    if ScheduledTask.claim(NIGHTLY_TASK, NIGHTLY_SECONDS):
        reconcile_nightly()
        ScheduledTask.reschedule(NIGHTLY_TASK, NIGHTLY_SECONDS)


def reconcile_nightly() -> None:
    """Check all open subscriptions, recent invoices and pending free months."""
    open_ones = Subscription.objects.exclude(status__in=ENDED_STATUSES).values_list("pk", flat=True)
    waiting = InviteMonth.objects.filter(state__in=(BANKED, SENDING, RETURNING)).values_list("pk", flat=True)
    paid = Invoice.objects.filter(paid_at__gt=clock.now() - REFUND_PERIOD).values_list("pk", flat=True)
    for name, work, ids in (
        ("billing.fetch_subscriptions", status_sync.sync_subscription, open_ones),
        ("billing.fetch_invoices", status_sync.sync_invoice, paid),
        ("billing.settle_invite_months", free_months.process_month, waiting),
    ):
        if not _sync_each(name, work, list(ids)):
            return


def _sync_each(name: str, work: Callable[[str], object], ids: list[str]) -> bool:
    """Sync each id. Return False if the provider is unavailable; the rest is then checked another time."""
    away: list[Exception] = []

    def sync_one(id: str) -> None:
        try:
            work(id)
        except (ProviderUnreachableError, ApiKeyRejectedError) as problem:
            logger.warning("Subscriptions could not be requested: %s", problem)
            away.append(problem)
        except ProviderError as trouble:
            logger.warning("%s could not be requested: %s", id, trouble)

    run_rows(name, ids, sync_one, until=lambda: bool(away))
    return not away


def delete_expired_mails() -> None:
    """Delete invitation emails after 30 days."""
    with write_transaction():
        InviteMail.objects.filter(sent_at__lt=clock.now() - MAIL_RETENTION).delete()
