"""Deletion of expired data.

Visits are deleted after 400 days, and salts and hashes once their day is over in all zones. Daily counters are
deleted after the period that the administrator sets. Totals are never deleted."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import timedelta
from typing import Any

from django.conf import settings
from django.db.models import Model, QuerySet

from workspace.lib import clock
from workspace.publishing.models import Breakdown, DailyBreakdown, DailyCounter, UniqueVisitor, Visit, VisitCounter
from workspace.rate_limits.models import RateCounter
from workspace.storage.database.transactions import write_transaction
from workspace.storage.models import VisitorSalt
from workspace.storage.visitor_salt import oldest_date

RETENTION = timedelta(days=400)
HOUR = 3600.0
DAY = 24 * HOUR
_BATCH_SIZE = 1000  # rows per transaction, so that scans are written in between
_PARENT_BATCH_SIZE = 100  # tallies or facets per transaction, each with many days the first time and one per day later


def delete_expired() -> None:
    """Delete all expired days, attempts and visits. This is an hourly task."""
    delete_expired_days()
    delete_expired_attempts()
    delete_expired_visits()


def delete_expired_days() -> None:
    """Delete expired salts, then keys. Without the salts, hashes of past days identify no one."""
    oldest = oldest_date(clock.now())
    _delete_in_batches(VisitorSalt.objects.filter(day__lt=oldest))
    _delete_in_batches(UniqueVisitor.objects.filter(day__lt=oldest))


def delete_expired_attempts() -> None:
    _delete_in_batches(RateCounter.objects.filter(expires_at__lt=clock.now()))


def delete_expired_visits() -> None:
    # by time and not by key: imported visits have new keys and old times
    _delete_in_batches(Visit.objects.filter(occurred_at__lt=clock.now() - RETENTION).order_by("occurred_at"))


def delete_expired_counters() -> None:
    """Delete expired daily counters. It runs only daily, because it reads every tally and facet."""
    oldest = (clock.now() - timedelta(days=settings.STATS_RETENTION_DAYS)).date()
    for ids in _key_batches(VisitCounter):
        _delete_at_once(DailyCounter.objects.filter(counter_id__in=ids, day__lt=oldest))
    for ids in _key_batches(Breakdown):
        _delete_at_once(DailyBreakdown.objects.filter(breakdown_id__in=ids, day__lt=oldest))
        # by its last day and without a cascade, so that a facet with a new visit stays
        _delete_at_once(Breakdown.objects.filter(pk__in=ids, last_day__lt=oldest))


def _key_batches(model: type[Model]) -> Iterator[list[int]]:
    last = 0
    while ids := list(
        model._default_manager.filter(pk__gt=last).order_by("pk").values_list("pk", flat=True)[:_PARENT_BATCH_SIZE]
    ):
        yield ids
        last = ids[-1]


def _delete_at_once(rows: QuerySet[Any]) -> None:
    """Delete rows with one statement that checks each row's conditions again."""
    if rows.exists():
        with write_transaction():
            rows._raw_delete(rows.db)


def _delete_in_batches(rows: QuerySet[Any]) -> None:
    while gone := list(rows.values_list("pk", flat=True)[:_BATCH_SIZE]):
        with write_transaction():
            rows.model._default_manager.filter(pk__in=gone).delete()
