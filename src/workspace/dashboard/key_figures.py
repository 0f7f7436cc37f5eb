"""The four numbers of home: those that say most of what the account uses, each with its change and its days."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import date, timedelta
from typing import NamedTuple

from workspace.accounts.models import Account
from workspace.dashboard.charts import sparkline
from workspace.dashboard.product_usage import Usage, remembered
from workspace.insights import overview, recent_activity
from workspace.insights.overview import Period
from workspace.insights.recent_activity import Series
from workspace.publishing import items

MOST = 4
FEW = 20


class Number(NamedTuple):
    """`before` is None where the plan does not look so far back; `by_day` are both periods, the oldest day first."""

    label: str
    url: str
    now: int
    before: int | None
    by_day: list[int]

    @property
    def change(self) -> str:
        """`+12%`, of few `+2`, where a share would say little; `same`."""
        if self.before is None or not (self.now or self.before):
            return ""
        if self.now == self.before:
            return "same"
        more = self.now - self.before
        told = f"{more:+,d}" if self.before < FEW else f"{round(100 * more / self.before):+,d}%"
        return told.replace("-", "−")

    @property
    def direction(self) -> str:
        if self.before is None or self.now == self.before:
            return "same"
        return "up" if self.now > self.before else "down"

    @property
    def drawn(self) -> str:
        return sparkline(self.by_day, of_now=len(self.by_day) // 2)


@dataclass(frozen=True, slots=True)
class Numbers:
    period: Period
    shown: list[Number]
    came: list[Series]


def numbers(account: Account, used: Usage, days: int) -> Numbers:
    """Of the last days beside as many before; what comes of very many things is a few minutes old."""
    period, counts = Period(days, account.zone), used.counts
    key = f"visits:{account.pk}:{period.first}"
    visits = (
        remembered(key, lambda: overview.by_day(account, period)) if used.has_many else overview.by_day(account, period)
    )
    came = recent_activity.came_by_day(account, period)
    of_kinds = [
        _number(product.visits, product.home, period, visits.get(product.key, {}), period.has_before(product, account))
        for product in items.manifests()
        if counts.get(product.key)
    ]
    left = [
        _number(one.arrivals.title, one.arrivals.page, period, one.by_day, True)
        for one in came
        if counts.get(one.product.key)
    ]
    of_kinds.sort(key=_weight, reverse=True)
    left.sort(key=_weight, reverse=True)
    if len(of_kinds) > 1:
        of_kinds.insert(0, _together(period, of_kinds))
    wanted = [*of_kinds[:1], *left[: MOST - 1], *of_kinds[1:], *left[MOST - 1 :]]
    return Numbers(period, sorted(wanted, key=lambda one: not _weight(one))[:MOST], came)


def _weight(one: Number) -> int:
    return one.now + (one.before or 0)


def _number(label: str, url: str, period: Period, by_day: dict[date, int], has_before: bool) -> Number:
    days = [period.first_before + timedelta(days=number) for number in range(2 * period.days)]
    counts = [by_day.get(day, 0) for day in days]
    before = sum(counts[: period.days]) if has_before else None
    return Number(label, url, sum(counts[period.days :]), before, counts)


def _together(period: Period, each: list[Number]) -> Number:
    before = [one.before for one in each]
    known = sum(count or 0 for count in before) if None not in before else None
    by_day = [sum(one.by_day[day] for one in each) for day in range(2 * period.days)]
    return Number("Visits", each[0].url, sum(one.now for one in each), known, by_day)
