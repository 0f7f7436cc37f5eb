"""Visits as charts: the window that is looked at, its days as bars, and who came. Takes what `visit_rows` answers."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import date
from typing import Any

from django.conf import settings
from django.http import HttpRequest

from workspace.analytics.geoip import UNKNOWN
from workspace.analytics.serializers import ShareData, VisitStats
from workspace.dashboard.charts import Point, format_day
from workspace.dashboard.tool_views import parse_whole_number
from workspace.publishing.arguments import DEFAULT_DAYS

PERIOD_DAYS = (7, 30, 90, 400)
PERIOD_NAMES = {1: "Today", 365: "A year", 400: "13 months"}
WEEKLY_FROM_DAYS = 120  # from so many days on a bar is a week
MAX_ROWS = 10  # lines of a list


def parse_days(request: HttpRequest, most: int) -> int:
    """The window that the address asks for, as far as the plan looks back."""
    return parse_whole_number(request.GET.get("days"), min(DEFAULT_DAYS, most), 1, most)


def build_charts(stats: VisitStats, by_day: Sequence[Mapping[str, Any]], most: int) -> dict[str, Any]:
    """What `{% periods %}`, `{% chart %}` and `{% visitors %}` draw. `by_day` are the days of `stats`, whose further
    counts may be drawn as well; `most` is the longest window of the plan."""
    days = stats["days"]
    lengths = sorted({length for length in PERIOD_DAYS if length < most} | {most, days})
    return {
        "days": days,
        "time_zone": stats["time_zone"],
        "periods": [
            (PERIOD_NAMES.get(length, f"{length} days"), f"?days={length}", length == days) for length in lengths
        ],
        "by_day": by_day,
        "shares": [
            ("Devices", build_shares(stats["by_device"])),
            ("Countries", build_shares(stats["by_country"])),
            ("Cities", build_shares(stats["by_city"])),
            ("Came from", build_shares(stats["by_referrer"])),
        ],
        "places_known": bool(settings.GEO_DATABASE) or any(row["name"] != UNKNOWN for row in stats["by_country"]),
        "attribution": settings.GEO_ATTRIBUTION,
    }


def summarize_counts(
    by_day: Sequence[Mapping[str, Any]], before: Mapping[str, int] | None, names: Mapping[str, str]
) -> list[tuple[str, int, str]]:
    """Each count of the window with its label, and how it has changed against as many days `before`; empty where the
    plan does not look so far back."""
    days = "day" if len(by_day) == 1 else f"{len(by_day)} days"
    found = []
    for name, label in names.items():
        if any(day[name] is None for day in by_day):
            continue  # the plan does not show it
        now = sum(day[name] for day in by_day)
        more = now - before[name] if before is not None else 0
        change = f"{abs(more):,} {'more' if more > 0 else 'fewer'} than the {days} before" if more else ""
        found.append((label, now, change or (f"as in the {days} before" if before is not None and now else "")))
    return found


def build_points(by_day: Sequence[Mapping[str, Any]], name: str = "views", unit: str = "") -> list[Point]:
    """A bar a day, or a week where there would be too many, of one of the counts. `name` is its plural, in which a
    space is written `_`; `unit` is what people call it where that is another word."""
    if len(by_day) <= WEEKLY_FROM_DAYS:
        return [Point(format_day(day["date"]), day[name], _format_hint(day, name, unit)) for day in by_day]
    # counted from the end, so that the newest week is whole
    weeks = [by_day[max(0, end - 7) : end] for end in range(len(by_day), 0, -7)]
    return [Point(f"Week of {format_day(week[0]['date'])}", sum(day[name] for day in week)) for week in reversed(weeks)]


def build_shares(rows: Sequence[ShareData]) -> list[Point]:
    """The largest ones, the rest together. Devices are plain words (phone), hosts stay as they are."""
    found = [Point(_format_title(row["name"]), row["views"]) for row in rows[:MAX_ROWS]]
    rest = sum(row["views"] for row in rows[MAX_ROWS:])
    return [*found, Point("All others", rest)] if rest else found


def _format_hint(day: Mapping[str, Any], name: str, unit: str) -> str:
    words = unit or name.replace("_", " ")
    count = f"{day[name]:,} {words.removesuffix('s') if day[name] == 1 else words}" if day[name] else f"no {words}"
    unique = f", {day['unique']:,} unique" if name == "views" and day[name] else ""
    return f"{date.fromisoformat(day['date']):%a %-d %b}: {count}{unique}"


def _format_title(name: str) -> str:
    return name.capitalize() if name.isalpha() and name.islower() else name
