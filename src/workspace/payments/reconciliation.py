"""Asking for what nobody told of."""

from __future__ import annotations

import logging
from datetime import datetime, timedelta

from django.db.models import Q, QuerySet

from workspace.lib import clock
from workspace.lib.errors import Refusal
from workspace.payments import circuit_breaker
from workspace.payments.checkout import follow_soon
from workspace.payments.models import Connection, Payment
from workspace.payments.provider import OPEN, OPENING, PROCESSING, ProviderTrouble
from workspace.payments.status_sync import OVER_AFTER
from workspace.storage.database.transactions import writing
from workspace.storage.row_tasks import row_task

logger = logging.getLogger(__name__)

MOST = 100  # at a time
SOON, LATER, SELDOM = timedelta(minutes=10), timedelta(hours=1), timedelta(hours=6)
FRESH = timedelta(hours=2)
SLOWEST = timedelta(days=60)  # that a bank takes
LOOKED_BACK_EVERY = timedelta(hours=20)
OVERLAP = timedelta(days=2)  # that is looked back behind the last look


def due(now: datetime) -> list[Payment]:
    """Open ones, every ten minutes for two hours and then every hour; those that a bank takes days for, four times a
    day; the longest unasked first."""
    fresh = Q(state__in=(OPENING, OPEN), created_at__gt=now - FRESH) & _unasked(now - SOON)
    older = Q(state__in=(OPENING, OPEN)) & _unasked(now - LATER)
    slow = Q(state=PROCESSING) & _unasked(now - SELDOM)
    begun = Payment.objects.filter(fresh | older | slow, created_at__range=(now - SLOWEST, now - SOON))
    asked = begun.exclude(account__payment_connection=None).exclude(account__payment_connection__key="")
    over = Payment.objects.filter(state__in=(OPENING, OPEN), expires_at__lt=now - OVER_AFTER - LATER)
    return [*asked.order_by("asked_at", "id")[:MOST], *over.order_by("id")[:MOST]]


def _unasked(since: datetime) -> Q:
    return Q(asked_at__lt=since) | Q(asked_at=None)


def _connections_to_look_at() -> QuerySet[Connection, str]:
    found = Connection.objects.filter(ending=False, trouble="").exclude(key="")
    long_ago = clock.now() - LOOKED_BACK_EVERY
    return found.filter(Q(swept_at=None) | Q(swept_at__lt=long_ago)).values_list("pk", flat=True)


@row_task("payments.reconcile_connections", _connections_to_look_at, most=MOST)
def look_back(id: str) -> None:
    """Ask a provider, once a day, what was refunded or disputed there. Whatever it finds is asked for afresh like
    everything else."""
    connection = Connection.objects.select_related("account").filter(pk=id).first()
    if connection is None:
        return
    since = (connection.swept_at or connection.connected_at) - OVERLAP
    try:
        touched = circuit_breaker.at(connection, lambda maker, key: maker.touched(key, since))
    except (ProviderTrouble, Refusal) as trouble:
        logger.warning("Refunds and disputes could not be looked for: %s", trouble)
        return
    with writing():
        for payment in connection.account.payments.filter(intent__in=touched, live=connection.live):
            follow_soon(payment, f"look:{clock.now():%Y-%m-%d}")
        Connection.objects.filter(pk=connection.pk).update(swept_at=clock.now())
