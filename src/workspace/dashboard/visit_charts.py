"""Visits as charts: the period, its days as bars, and the visitors. It uses the `VisitStats` of analytics."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import date
from typing import Any

from django.conf import settings
from django.http import HttpRequest
from django.utils.translation import gettext, gettext_lazy, ngettext

from workspace.analytics import devices
from workspace.analytics.geoip import UNKNOWN
from workspace.analytics.serializers import ShareData, VisitStats
from workspace.dashboard.charts import Point, format_day
from workspace.dashboard.tool_views import parse_whole_number
from workspace.owner_translation import OwnerText
from workspace.publishing.shared_item_arguments import DEFAULT_DAYS

PERIOD_DAYS = (7, 30, 90, 400)
PERIOD_NAMES = {1: gettext_lazy("Today"), 365: gettext_lazy("1 year"), 400: gettext_lazy("13 months")}
WEEKLY_FROM_DAYS = 120  # above this number of days, a bar is a week
MAX_ROWS = 10  # rows of a list
DEVICE_LABELS = {
    devices.PHONE: gettext_lazy("Phone"),
    devices.TABLET: gettext_lazy("Tablet"),
    devices.DESKTOP: gettext_lazy("Desktop"),
    devices.OTHER: gettext_lazy("Other"),
}


def parse_period_days(request: HttpRequest, max_days: int) -> int:
    """Return the period given in the query, limited by the plan's history."""
    return parse_whole_number(request.GET.get("days"), min(DEFAULT_DAYS, max_days), 1, max_days)


def build_charts(stats: VisitStats, by_day: Sequence[Mapping[str, Any]], max_days: int) -> dict[str, Any]:
    """Return the context of `{% periods %}`, `{% chart %}` and `{% visitors %}`.

    `by_day` are the days of `stats`, which may contain additional counts. `max_days` is the longest period that the
    plan allows.
    """
    days = stats["days"]
    lengths = sorted({length for length in PERIOD_DAYS if length < max_days} | {max_days, days})
    return {
        "days": days,
        "time_zone": stats["time_zone"],
        "periods": [(_format_period(length), f"?days={length}", length == days) for length in lengths],
        "by_day": by_day,
        "shares": [
            (gettext("Devices"), build_shares(stats["by_device"])),
            (gettext("Countries"), build_shares(stats["by_country"])),
            (gettext("Cities"), build_shares(stats["by_city"])),
            (gettext("Referrers"), build_shares(stats["by_referrer"])),
        ],
        "places_known": bool(settings.GEO_DATABASE) or any(row["name"] != UNKNOWN for row in stats["by_country"]),
        "attribution": settings.GEO_ATTRIBUTION,
    }


def summarize_counts(
    by_day: Sequence[Mapping[str, Any]], before: Mapping[str, int] | None, names: Mapping[str, OwnerText]
) -> list[tuple[str, int, str]]:
    """Return the label, total and change of each count.

    The change is relative to the same number of days before. It is empty if the plan's history is too short.
    """
    found = []
    for name, label in names.items():
        if any(day[name] is None for day in by_day):
            continue  # not included in the plan
        now = sum(day[name] for day in by_day)
        more = now - before[name] if before is not None else 0
        is_same = not more and before is not None and now
        found.append((str(label), now, _format_change(more, len(by_day)) if more or is_same else ""))
    return found


def _format_period(days: int) -> str:
    if days in PERIOD_NAMES:
        return str(PERIOD_NAMES[days])
    return ngettext("%(count)s day", "%(count)s days", days) % {"count": days}


def _format_change(more: int, days: int) -> str:
    """Describe the difference from the same number of days before."""
    if more > 0:
        text = ngettext(
            "%(number)s more than the day before", "%(number)s more than in the previous %(count)s days", days
        )
    elif more:
        text = ngettext(
            "%(number)s fewer than the day before", "%(number)s fewer than in the previous %(count)s days", days
        )
    else:
        text = ngettext("Same as the day before", "Same as in the previous %(count)s days", days)
    return text % {"number": f"{abs(more):,}", "count": days}


def build_points(by_day: Sequence[Mapping[str, Any]], name: str = "views", unit: str = "") -> list[Point]:
    """Return one of the counts as bars, one per day, or one per week if there would be too many.

    `name` is its plural, with `_` for a space. `unit` is the word for the count, if it differs.
    """
    if len(by_day) <= WEEKLY_FROM_DAYS:
        return [Point(format_day(day["date"]), day[name], _format_hint(day, name, unit)) for day in by_day]
    # counted from the end, so that the newest week is complete
    weeks = [by_day[max(0, end - 7) : end] for end in range(len(by_day), 0, -7)]
    return [
        Point(gettext("Week of %(day)s") % {"day": format_day(week[0]["date"])}, sum(day[name] for day in week))
        for week in reversed(weeks)
    ]


def build_shares(rows: Sequence[ShareData]) -> list[Point]:
    """Return the largest shares, and the rest combined. Devices have labels, and other names are unchanged."""
    found = [Point(str(DEVICE_LABELS.get(row["name"], row["name"])), row["views"]) for row in rows[:MAX_ROWS]]
    rest = sum(row["views"] for row in rows[MAX_ROWS:])
    return [*found, Point(gettext("Others"), rest)] if rest else found


def _format_hint(day: Mapping[str, Any], name: str, unit: str) -> str:
    words = unit or name.replace("_", " ")
    count = f"{day[name]:,} {words.removesuffix('s') if day[name] == 1 else words}" if day[name] else f"no {words}"
    unique = f", {day['unique']:,} unique" if name == "views" and day[name] else ""
    return f"{date.fromisoformat(day['date']):%a %-d %b}: {count}{unique}"
