"""Periodic checks for missed payment events."""

from __future__ import annotations

import logging
from datetime import datetime, timedelta

from django.db.models import Q, QuerySet

from workspace.lib import clock
from workspace.lib.errors import ToolError
from workspace.payment_clients.errors import ProviderError
from workspace.payments import provider_calls
from workspace.payments.checkout import enqueue_sync
from workspace.payments.models import Connection, Payment
from workspace.payments.provider import OPEN, OPENING, PROCESSING
from workspace.payments.status_sync import EXPIRY_GRACE
from workspace.storage.database.transactions import write_transaction
from workspace.storage.row_tasks import row_task

logger = logging.getLogger(__name__)

BATCH_SIZE = 100  # maximum number in one run
SHORT_INTERVAL, LONG_INTERVAL, BANK_INTERVAL = timedelta(minutes=10), timedelta(hours=1), timedelta(hours=6)
RECENT_PERIOD = timedelta(hours=2)
MAX_BANK_DELAY = timedelta(days=60)  # maximum time that a bank takes
LOOKBACK_INTERVAL = timedelta(hours=20)
LOOKBACK_OVERLAP = timedelta(days=2)  # each check covers this much time before the last one, too


def list_due_payments(now: datetime) -> list[Payment]:
    """Return the payments to check, least recently checked first.

    Open payments are due every ten minutes for two hours, and then hourly. Payments that a bank is processing are due
    four times a day.
    """
    fresh = Q(state__in=(OPENING, OPEN), created_at__gt=now - RECENT_PERIOD) & _not_checked_since(now - SHORT_INTERVAL)
    older = Q(state__in=(OPENING, OPEN)) & _not_checked_since(now - LONG_INTERVAL)
    slow = Q(state=PROCESSING) & _not_checked_since(now - BANK_INTERVAL)
    begun = Payment.objects.filter(fresh | older | slow, created_at__range=(now - MAX_BANK_DELAY, now - SHORT_INTERVAL))
    connected = begun.exclude(account__payment_connection=None).exclude(account__payment_connection__key="")
    over = Payment.objects.filter(state__in=(OPENING, OPEN), expires_at__lt=now - EXPIRY_GRACE - LONG_INTERVAL)
    return [*connected.order_by("checked_at", "id")[:BATCH_SIZE], *over.order_by("id")[:BATCH_SIZE]]


def _not_checked_since(since: datetime) -> Q:
    return Q(checked_at__lt=since) | Q(checked_at=None)


def _list_due_connections() -> QuerySet[Connection, str]:
    found = Connection.objects.filter(is_ending=False, last_error="").exclude(key="")
    long_ago = clock.now() - LOOKBACK_INTERVAL
    return found.filter(Q(reconciled_at=None) | Q(reconciled_at__lt=long_ago)).values_list("pk", flat=True)


@row_task("payments.reconcile_connections", _list_due_connections, batch_size=BATCH_SIZE)
def reconcile_connection(id: str) -> None:
    """Ask a provider once a day for refunds and disputes. Enqueue a status sync for each affected payment."""
    connection = Connection.objects.select_related("account").filter(pk=id).first()
    if connection is None:
        return
    since = (connection.reconciled_at or connection.connected_at) - LOOKBACK_OVERLAP
    try:
        touched = provider_calls.call_provider(connection, lambda maker, key: maker.list_changed_payments(key, since))
    except (ProviderError, ToolError) as trouble:
        logger.warning("Refunds and disputes could not be requested: %s", trouble)
        return
    with write_transaction():
        for payment in connection.payments.filter(payment_intent__in=touched):
            enqueue_sync(payment, f"look:{clock.now():%Y-%m-%d}")
        Connection.objects.filter(pk=connection.pk).update(reconciled_at=clock.now())
