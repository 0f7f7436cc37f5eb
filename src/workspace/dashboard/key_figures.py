"""The four key figures of the home page: the most relevant for the account, with their change and daily counts."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import date, timedelta
from typing import NamedTuple

from django.utils.translation import gettext

from workspace.accounts.models import Account
from workspace.dashboard.charts import render_sparkline
from workspace.dashboard.product_usage import ProductUsage, get_or_compute
from workspace.insights import overview, recent_activity
from workspace.insights.overview import Period
from workspace.insights.recent_activity import SubmissionSeries
from workspace.owner_translation import OwnerText
from workspace.publishing import items

MAX_FIGURES = 4
MIN_FOR_PERCENT = 20


class KeyFigure(NamedTuple):
    """A key figure.

    `before` is None if the plan's history is too short. `by_day` contains both periods, oldest day first.
    """

    label: OwnerText
    url: str
    now: int
    before: int | None
    by_day: list[int]

    @property
    def change(self) -> str:
        """The change as `+12%`, as `+2` if the numbers are too small for a percentage, or as `same`."""
        if self.before is None or not (self.now or self.before):
            return ""
        if self.now == self.before:
            return gettext("same")
        more = self.now - self.before
        change_text = f"{more:+,d}" if self.before < MIN_FOR_PERCENT else f"{round(100 * more / self.before):+,d}%"
        return change_text.replace("-", "−")

    @property
    def direction(self) -> str:
        """The direction of the change: `up`, `down` or `same`."""
        if self.before is None or self.now == self.before:
            return "same"
        return "up" if self.now > self.before else "down"

    @property
    def chart(self) -> str:
        return render_sparkline(self.by_day, highlighted_count=len(self.by_day) // 2)


@dataclass(frozen=True, slots=True)
class KeyFigures:
    """The key figures of a period, and the submissions by kind."""

    period: Period
    figures: list[KeyFigure]
    submissions: list[SubmissionSeries]


def compute_figures(account: Account, product_usage: ProductUsage, days: int) -> KeyFigures:
    """Compute the figures for the last `days` and for the same number of days before.

    For accounts with very many items, they may be a few minutes old.
    """
    period, counts = Period(days, account.zone), product_usage.counts
    key = f"visits:{account.pk}:{period.first}"
    visits = (
        get_or_compute(key, lambda: overview.count_visits_by_day(account, period))
        if product_usage.has_many
        else overview.count_visits_by_day(account, period)
    )
    came = recent_activity.submissions_by_day(account, period)
    of_kinds = [
        _build_figure(
            product.visit_label,
            product.home,
            period,
            visits.get(product.key, {}),
            period.has_previous(product, account),
        )
        for product in items.list_manifests()
        if counts.get(product.key)
    ]
    left = [
        _build_figure(one.source.title, one.source.page, period, one.by_day, True)
        for one in came
        if counts.get(one.product.key)
    ]
    of_kinds.sort(key=_count_both_periods, reverse=True)
    left.sort(key=_count_both_periods, reverse=True)
    if len(of_kinds) > 1:
        of_kinds.insert(0, _sum_figures(period, of_kinds))
    wanted = [*of_kinds[:1], *left[: MAX_FIGURES - 1], *of_kinds[1:], *left[MAX_FIGURES - 1 :]]
    return KeyFigures(period, sorted(wanted, key=lambda one: not _count_both_periods(one))[:MAX_FIGURES], came)


def _count_both_periods(figure: KeyFigure) -> int:
    return figure.now + (figure.before or 0)


def _build_figure(label: OwnerText, url: str, period: Period, by_day: dict[date, int], has_before: bool) -> KeyFigure:
    days = [period.first_before + timedelta(days=number) for number in range(2 * period.days)]
    counts = [by_day.get(day, 0) for day in days]
    before = sum(counts[: period.days]) if has_before else None
    return KeyFigure(label, url, sum(counts[period.days :]), before, counts)


def _sum_figures(period: Period, figures: list[KeyFigure]) -> KeyFigure:
    before = [one.before for one in figures]
    known = sum(count or 0 for count in before) if None not in before else None
    by_day = [sum(one.by_day[day] for one in figures) for day in range(2 * period.days)]
    return KeyFigure(gettext("Visits"), figures[0].url, sum(one.now for one in figures), known, by_day)
