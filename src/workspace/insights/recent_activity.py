"""Recent activity in all products: new submissions, and days with many more visits than usual.

The number of queries per kind does not depend on the amount of data.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from datetime import date, datetime, timedelta
from typing import Any

from django.db.models import BooleanField, Case, Min, Q, QuerySet, Sum, Value, When

from workspace.accounts.models import Account
from workspace.insights.overview import Period, daily_counters
from workspace.lib import clock
from workspace.publishing import items
from workspace.publishing.items import Item
from workspace.publishing.manifest import Manifest
from workspace.publishing.models import DailyCounter, Publication
from workspace.publishing.submissions import Submission, SubmissionSource
from workspace.storage.database.compiled_function import compile_once

BASELINE_DAYS = 14  # including today and yesterday
MIN_PEAK_VISITS, PEAK_FACTOR = 10, 2  # minimum visits of a peak day, absolute and as a multiple of the usual number
MAX_PEAKS, _MAX_TALLIES = 3, 60


@dataclass(frozen=True, slots=True)
class ActivityEntry:
    """A guest's submission, with the title of its item. `is_waiting` means that it waits for the owner."""

    product: Manifest
    source: SubmissionSource
    submission: Submission
    at: datetime
    thing: str
    is_waiting: bool


@dataclass(frozen=True, slots=True)
class Peak:
    """A day with unusually many visits. `usual` is the average per day before it, or 0 if there were none."""

    thing: Item
    day: date
    visits: int
    usual: float


@dataclass(frozen=True, slots=True)
class SubmissionSeries:
    """Submissions of one kind by day, in the period and the previous one, and how many wait for the owner."""

    product: Manifest
    source: SubmissionSource
    by_day: dict[date, int]
    waiting: int


@dataclass(frozen=True, slots=True)
class ExpiringItem:
    """An item that expires soon or has just expired."""

    thing: Item
    at: datetime


def list_activity(account: Account, limit: int) -> list[ActivityEntry]:
    """Return the newest submissions."""
    found = []
    for product, arrivals in items.list_submission_sources():
        newest: list[Any] = _newest_submissions.fetch_some(limit, arrivals, account, arrivals.is_limited(account))
        found += [
            (product, arrivals, left, row.created_at, row.waits_for_owner)
            for row, left in zip(newest, arrivals.serialize(newest), strict=True)
        ]
    found = sorted(found, key=lambda one: one[3], reverse=True)[:limit]
    known = items.get_items(account, {left["thing_id"] for _, _, left, _, _ in found})
    return [
        ActivityEntry(product, arrivals, left, at, known[left["thing_id"]].title, waits)
        for product, arrivals, left, at, waits in found
        if left["thing_id"] in known  # otherwise it was erased a moment ago
    ]


@compile_once
def _newest_submissions(source: SubmissionSource, account: Account, limited: bool) -> QuerySet[Any]:
    """Return the submissions of guests and those that wait for the owner, newest first, with `waits_for_owner`."""
    waits = source.waiting_filter if source.waiting_filter is not None else Q(pk__in=[])
    # an empty Q matches every row, but `Q() | waits` matches only `waits`
    condition = source.from_guests | waits if source.from_guests else source.from_guests
    rows: QuerySet[Any] = source.select_rows(account, limited=limited).filter(condition)
    mark = Case(When(waits, then=Value(True)), default=Value(False), output_field=BooleanField())
    newest: QuerySet[Any] = rows.order_by("-created_at", "-pk").annotate(waits_for_owner=mark)
    return newest


@compile_once
def _submission_times(source: SubmissionSource, account: Account, limited: bool, start: datetime) -> QuerySet[Any]:
    rows = source.select_rows(account, limited=limited).order_by()
    return rows.filter(source.from_guests, created_at__gte=start).values_list("created_at", flat=True)


@compile_once
def _waiting_submissions(source: SubmissionSource, account: Account, limited: bool) -> QuerySet[Any]:
    waits: Any = source.waiting_filter
    return source.select_rows(account, limited=limited).filter(waits).order_by()


@compile_once
def guest_submissions(source: SubmissionSource, account: Account, limited: bool) -> QuerySet[Any]:
    """Return the submissions of guests."""
    return source.select_rows(account, limited=limited).filter(source.from_guests).order_by()


def find_peaks(account: Account) -> list[Peak]:
    """Return today's and yesterday's peaks, highest first."""
    today = clock.today(account.time_zone)
    yesterday, first = today - timedelta(days=1), today - timedelta(days=BASELINE_DAYS - 1)
    kinds: dict[str, list[str]] = {}  # by event, of the products that the caller may see
    for product in items.list_manifests():
        kinds.setdefault(product.visit_event, []).append(product.key)
    pairs = [part for pair in sorted(kinds.items()) for part in pair]
    tallies = sorted(set(_busy_counters.fetch(account, yesterday, *pairs))) if pairs else []
    counted = _daily_sums.fetch(tallies, first, yesterday, today) if tallies else []
    found = []
    for kind, id, of_today, of_yesterday, before, since in counted:
        usual = before / max(1, (yesterday - since).days)
        day, count = (today, of_today) if of_today >= of_yesterday else (yesterday, of_yesterday)
        if count >= PEAK_FACTOR * usual:
            found.append((count, kind, id, day, usual))
    found = sorted(found, reverse=True)[:MAX_PEAKS]
    known = items.items_by_publication(account, ((kind, id) for _, kind, id, _, _ in found))
    return [Peak(known[id], day, count, usual) for count, _, id, day, usual in found if id in known]


@compile_once
def _busy_counters(account: Account, first: date, *pairs: str | list[str]) -> QuerySet[DailyCounter, int]:
    """Return the counters with many visits on a day. `pairs` are events, each followed by its kinds of items."""
    visits = Q(pk__in=[])
    for event, kinds in zip(pairs[::2], pairs[1::2], strict=True):
        visits |= Q(counter__event=event, counter__publication__kind__in=kinds)
    busy = daily_counters(account, first).filter(visits, count__gte=MIN_PEAK_VISITS).order_by("-count", "counter_id")
    return busy.values_list("counter_id", flat=True)[:_MAX_TALLIES]


@compile_once
def _daily_sums(counters: list[int], first: date, yesterday: date, today: date) -> QuerySet[Any, Any]:
    rows = DailyCounter.objects.filter(counter_id__in=counters, day__gte=first)
    sums: QuerySet[Any, Any] = rows.values_list("counter__publication__kind", "counter__publication_id").annotate(
        today=Sum("count", filter=Q(day__gte=today), default=0),
        yesterday=Sum("count", filter=Q(day=yesterday), default=0),
        before=Sum("count", filter=Q(day__lt=yesterday), default=0),
        since=Min("day"),
    )
    return sums


def submissions_by_day(account: Account, period: Period) -> list[SubmissionSeries]:
    """Return the submissions of all kinds per day."""
    begin, today = period.start_of(period.first_before), clock.today(period.zone.key)
    series = []
    for product, arrivals in items.list_submission_sources():
        limited = arrivals.is_limited(account)
        came = _submission_times.fetch(arrivals, account, limited, begin)
        by_day = Counter(min(at.astimezone(period.zone).date(), today) for at in came)
        waiting = _waiting_submissions.count(arrivals, account, limited) if arrivals.waiting_filter is not None else 0
        series.append(SubmissionSeries(product, arrivals, dict(by_day), waiting))
    return series


def list_expiring(account: Account, *, within: timedelta, limit: int) -> list[ExpiringItem]:
    """Return items that will expire or have expired within a period, earliest first."""
    now = clock.now()
    found = _expiring_publications.fetch_some(limit, account, now - within, now + within)
    known = items.items_by_publication(account, ((kind, id) for kind, id, _ in found))
    return [ExpiringItem(known[id], at) for _, id, at in found if at is not None and id in known]


@compile_once
def _expiring_publications(account: Account, after: datetime, before: datetime) -> QuerySet[Any, Any]:
    rows = Publication.objects.filter(
        account=account, deleted_at=None, paused_at=None, expires_at__gt=after, expires_at__lt=before
    )
    return rows.order_by("expires_at").values_list("kind", "pk", "expires_at")
