"""What is forgotten: visits after 400 days, salts and what hangs on them once their day is over. Counters stay."""

from __future__ import annotations

from datetime import timedelta
from typing import Any

from django.db.models import QuerySet

from workspace.publishing.models import Attempt, Salt, Seen, Visit
from workspace.storage.database import writing
from workspace.toolkit import clock

KEPT = timedelta(days=400)
HOUR = 3600.0
_BATCH = 1000  # rows in a transaction, so that scans get in between


def forget() -> None:
    """All of it; for the worker, hourly."""
    forget_days()
    forget_attempts()
    forget_visits()


def forget_days() -> None:
    """Salts first: from then on the hashes of past days lead to nobody, whatever is still there."""
    today = clock.now().date()
    _delete(Salt.objects.filter(day__lt=today))
    _delete(Seen.objects.filter(day__lt=today))


def forget_attempts() -> None:
    _delete(Attempt.objects.filter(ends_at__lt=clock.now()))


def forget_visits() -> None:
    oldest = clock.now() - KEPT
    while True:
        # rows come in the order of time, so the first ones by key are the oldest: no index on time alone is needed
        first = Visit.objects.order_by("pk").values_list("pk", "at")[:_BATCH]
        gone = [pk for pk, at in first if at < oldest]
        if not gone:
            return
        with writing():
            Visit.objects.filter(pk__in=gone).delete()


def _delete(rows: QuerySet[Any]) -> None:
    while gone := list(rows.values_list("pk", flat=True)[:_BATCH]):
        with writing():
            rows.model._default_manager.filter(pk__in=gone).delete()
