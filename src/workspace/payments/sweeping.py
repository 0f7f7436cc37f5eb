"""Asking for what nobody told of."""

from __future__ import annotations

import logging
from datetime import datetime, timedelta

from django.db.models import Q

from workspace.payments import asking
from workspace.payments.checkout import follow_soon
from workspace.payments.following import OVER_AFTER
from workspace.payments.models import Connection, Payment
from workspace.payments.provider import OPEN, OPENING, PROCESSING, ProviderTrouble
from workspace.storage.database import writing
from workspace.toolkit import clock
from workspace.toolkit.errors import Refusal

logger = logging.getLogger(__name__)

MOST = 100  # at a time
SOON, LATER, SELDOM = timedelta(minutes=10), timedelta(hours=1), timedelta(hours=6)
FRESH = timedelta(hours=2)
SLOWEST = timedelta(days=60)  # that a bank takes
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


def look_back(before: datetime) -> None:
    """Once a day, of each connection: what was refunded or disputed at the provider itself. Whatever it finds is asked
    for afresh like everything else."""
    found = Connection.objects.filter(ending=False, trouble="").exclude(key="")
    for connection in found.filter(Q(swept_at=None) | Q(swept_at__lt=before))[:MOST]:
        since = (connection.swept_at or connection.connected_at) - OVERLAP
        try:
            touched = asking.at(connection, lambda maker, key, since=since: maker.touched(key, since))  # type: ignore[misc]
        except (ProviderTrouble, Refusal) as trouble:
            logger.warning("Refunds and disputes could not be looked for: %s", trouble)
            continue
        with writing():
            for payment in connection.account.payments.filter(intent__in=touched, live=connection.live):
                follow_soon(payment, f"look:{clock.now():%Y-%m-%d}")
            Connection.objects.filter(pk=connection.pk).update(swept_at=clock.now())
