"""The overview of an account across all products.

It contains the visits of the last days and of the same number of days before, submissions, and open tasks for the
owner. The number of queries does not depend on the amount of data.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import date, datetime, time, timedelta
from typing import Any
from zoneinfo import ZoneInfo

from django.db.models import Count, Q, QuerySet, Sum

from workspace.accounts.models import Account
from workspace.lib import clock
from workspace.publishing import items
from workspace.publishing.items import Item
from workspace.publishing.manifest import Manifest
from workspace.publishing.models import DailyCounter, Publication
from workspace.publishing.submissions import SubmissionSource
from workspace.storage.database.compiled_function import compile_once


@dataclass(frozen=True, slots=True)
class PeriodComparison:
    """Counts of a period and of the previous one. `before` is None if the plan's history is too short."""

    now: int
    before: int | None


@dataclass(frozen=True, slots=True)
class VisitTotals:
    """Visits of an item or of a kind of item.

    `item_count` is the number of items of the kind. `unique` counts a visitor once per day.
    """

    visits: PeriodComparison
    unique: int
    item_count: int = 1


@dataclass(frozen=True, slots=True)
class SubmissionTotals:
    """Counts of submissions. `waiting` counts those of any age that wait for the owner."""

    product: Manifest
    source: SubmissionSource
    now: int
    before: int
    waiting: int


@dataclass(frozen=True, slots=True)
class Period:
    """The last `days` local days, including today, and the same number before them."""

    days: int
    zone: ZoneInfo

    @property
    def first(self) -> date:
        return self.first_day_of(self.days)

    @property
    def first_before(self) -> date:
        return self.first - timedelta(days=self.days)

    def first_day_of(self, days: int) -> date:
        """Return the first of the last `days` days, including today."""
        return clock.today(self.zone.key) - timedelta(days=days - 1)

    def start_of(self, day: date) -> datetime:
        return datetime.combine(day, time.min, self.zone)

    def has_previous(self, product: Manifest, account: Account) -> bool:
        """Return whether the history of the account's plan covers the previous period."""
        return 2 * self.days <= product.history_days(account)


def count_visits(
    account: Account, period: Period, only: Iterable[Item] | None = None
) -> dict[tuple[str, str], VisitTotals]:
    """Return the visits in the period and in the previous one, keyed by kind and publication.

    Count all published items, or only those in `only`.
    """
    now = before = Q(pk__in=[])
    has_before = {}
    for product in items.list_manifests():
        has_before[product.key] = period.has_previous(product, account)
        of_it = Q(counter__publication__kind=product.key, counter__event=product.visit_event)
        now |= of_it & Q(day__gte=period.first_day_of(min(period.days, product.history_days(account))))
        if has_before[product.key]:
            before |= of_it & Q(day__gte=period.first_before, day__lt=period.first)
    rows = daily_counters(account, period.first_before)
    if only is not None:
        rows = rows.filter(counter__publication_id__in=[one.publication_id for one in only])
    counted = rows.values_list("counter__publication__kind", "counter__publication_id").annotate(
        now=Sum("count", filter=now, default=0),
        before=Sum("count", filter=before, default=0),
        unique=Sum("uniques", filter=now, default=0),
    )
    return {
        (kind, id): VisitTotals(PeriodComparison(count, earlier if has_before[kind] else None), unique)
        for kind, id, count, earlier, unique in counted
        if kind in has_before and (count or earlier)
    }


def count_visits_by_day(account: Account, period: Period) -> dict[str, dict[date, int]]:
    """Return the visits per kind and day, for days with visits in the period or the previous one."""
    today = clock.today(period.zone.key)
    since: dict[tuple[str, str], date] = {}  # by kind and event
    for product in items.list_manifests():
        first = period.first_day_of(min(period.days, product.history_days(account)))
        first = period.first_before if period.has_previous(product, account) else first
        since[product.key, product.visit_event] = first
    counts: dict[str, dict[date, int]] = {}
    for kind, event, day, count in _visits_by_day.fetch(account, period.first_before):
        if count and day >= since.get((kind, event), date.max):
            of_kind = counts.setdefault(kind, {})
            day = min(day, today)  # its tomorrow may have started if the account changed its zone
            of_kind[day] = of_kind.get(day, 0) + count
    return counts


@compile_once
def _visits_by_day(account: Account, first: date) -> QuerySet[Any, Any]:
    rows = daily_counters(account, first).values_list("counter__publication__kind", "counter__event", "day")
    visits: QuerySet[Any, Any] = rows.annotate(count=Sum("count"))
    return visits


def daily_counters(account: Account, first: date) -> QuerySet[DailyCounter]:
    """Return the daily counters of all published items, starting on a day."""
    return DailyCounter.objects.filter(
        counter__publication__account=account, counter__publication__deleted_at=None, counter__detail="", day__gte=first
    )


def sum_by_kind(
    account: Account, period: Period, totals: Mapping[tuple[str, str], VisitTotals]
) -> dict[str, VisitTotals]:
    """Sum visits by kind, for all kinds that the account has items of."""
    own = Publication.objects.filter(account=account, deleted_at=None)
    counts = dict(own.values_list("kind").annotate(count=Count("pk")))
    sums = {}
    for product in items.list_manifests():
        if count := counts.get(product.key, 0):
            mine = [one for (kind, _), one in totals.items() if kind == product.key]
            has_before = period.has_previous(product, account)
            before = sum(one.visits.before or 0 for one in mine) if has_before else None
            visits = PeriodComparison(sum(one.visits.now for one in mine), before)
            sums[product.key] = VisitTotals(visits, sum(one.unique for one in mine), count)
    return sums


def totals_for_item(
    account: Account, item: Item, period: Period, totals: Mapping[tuple[str, str], VisitTotals]
) -> VisitTotals:
    """Return the visits of one item, or zeros."""
    nothing = PeriodComparison(0, 0 if period.has_previous(items.get_manifest(item.kind), account) else None)
    return totals.get((item.kind, item.publication_id)) or VisitTotals(nothing, 0)


def sum_all(figures: Sequence[VisitTotals]) -> VisitTotals:
    """Sum visits. The previous count is None if it is None for one of them."""
    before = [one.visits.before for one in figures]
    known = sum(count or 0 for count in before) if None not in before else None
    visits = PeriodComparison(sum(one.visits.now for one in figures), known)
    return VisitTotals(visits, sum(one.unique for one in figures), sum(one.item_count for one in figures))


def submission_counts(account: Account, period: Period, only: Item | None = None) -> list[SubmissionTotals]:
    """Return the number of submissions of each kind, for the account or for one item."""
    begin, begin_before = period.start_of(period.first), period.start_of(period.first_before)
    totals = []
    for product, arrivals in items.list_submission_sources():
        rows = arrivals.list_rows(account)
        if only is not None:
            if product.key != only.kind:
                continue
            rows = rows.filter(**{f"{arrivals.item_column}_id": only.id})
        counts = rows.order_by().aggregate(
            now=Count("pk", filter=arrivals.from_guests & Q(created_at__gte=begin)),
            before=Count("pk", filter=arrivals.from_guests & Q(created_at__gte=begin_before, created_at__lt=begin)),
            waiting=Count(
                "pk", filter=arrivals.waiting_filter if arrivals.waiting_filter is not None else Q(pk__in=[])
            ),
        )
        totals.append(SubmissionTotals(product, arrivals, counts["now"], counts["before"], counts["waiting"]))
    return totals
