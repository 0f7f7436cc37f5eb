"""What a code's scans tell, as charts and as a file."""

from __future__ import annotations

from datetime import date
from typing import Any

from django.conf import settings
from django.http import HttpResponse
from django.shortcuts import render

from workspace.dashboard.charts import Point, day_label
from workspace.dashboard.session import SignedInRequest
from workspace.dashboard.tool_pages import call, whole_number
from workspace.products.qr.dashboard.calls import EXPORT, GET, HOME, STATS, page
from workspace.products.qr.dashboard.shown import Shown
from workspace.products.qr.models import KIND
from workspace.publishing.arguments import DEFAULT_DAYS
from workspace.publishing.places import UNKNOWN

RANGES = (7, 30, 90, 400)
BY_WEEK = 120  # from so many days on a bar is a week
LONGEST = 10  # lines of a list


@page()
def scans(request: SignedInRequest, id: str) -> HttpResponse:
    most = request.account.limits(KIND).history_days
    days = whole_number(request.GET.get("days"), DEFAULT_DAYS, 1, most)
    stats = call(request, STATS, id=id, days=days)
    context = {
        "code": Shown(call(request, GET, id=id)),
        "stats": stats,
        "ranges": _ranges(id, days, most),
        "most": most,
        "more_to_have": most < RANGES[-1],
        "points": _points(stats["by_day"]),
        "by_week": days > BY_WEEK,
        "average": stats["total_in_days"] / days,
        "devices": _shares(stats["by_device"]),
        "countries": _shares(stats["by_country"]),
        "cities": _shares(stats["by_city"]),
        "referrers": _shares(stats["by_referrer"]),
        "no_places": not settings.GEO_DATABASE and all(row["name"] == UNKNOWN for row in stats["by_country"]),
        "attribution": settings.GEO_ATTRIBUTION,
    }
    return render(request, "qr/scans.html", context)


@page()
def export(request: SignedInRequest, id: str) -> HttpResponse:
    most = request.account.limits(KIND).history_days
    days = whole_number(request.GET.get("days"), most, 1, most)
    found = call(request, EXPORT, id=id, days=days)
    # the mark at the beginning tells spreadsheets that this is UTF-8
    response = HttpResponse("\ufeff" + found["csv"], content_type="text/csv; charset=utf-8")
    response.headers["Content-Disposition"] = f'attachment; filename="{found["file_name"]}"'
    return response


def _ranges(id: str, days: int, most: int) -> list[dict[str, Any]]:
    """The windows to choose from, as far as the plan looks back."""
    lengths = sorted({length for length in RANGES if length < most} | {most} | {days})
    labels = {365: "A year", 400: "13 months"}
    return [
        {
            "label": labels.get(length, f"{length} days" if length > 1 else "Today"),
            "url": f"{HOME}/{id}/scans?days={length}",
            "current": length == days,
        }
        for length in lengths
    ]


def _points(by_day: list[dict[str, Any]]) -> list[Point]:
    if len(by_day) <= BY_WEEK:
        return [Point(day_label(row["date"]), row["scans"], _hint(row)) for row in by_day]
    # counted from the end, so that the newest week is whole
    weeks = [by_day[max(0, end - 7) : end] for end in range(len(by_day), 0, -7)]
    return [
        Point(f"Week of {day_label(week[0]['date'])}", sum(row["scans"] for row in week)) for week in reversed(weeks)
    ]


def _hint(row: dict[str, Any]) -> str:
    day = f"{date.fromisoformat(row['date']):%a %-d %b}"
    if not row["scans"]:
        return f"{day}: no scans"
    return f"{day}: {row['scans']:,} scan{'' if row['scans'] == 1 else 's'}, {row['unique']:,} unique"


def _shares(rows: list[dict[str, Any]]) -> list[Point]:
    """The largest ones, the rest together."""
    points = [Point(_title(row["name"]), row["scans"]) for row in rows[:LONGEST]]
    rest = sum(row["scans"] for row in rows[LONGEST:])
    return [*points, Point("All others", rest)] if rest else points


def _title(name: str) -> str:
    """Devices are plain words (phone), hosts stay as they are."""
    return name.capitalize() if name.isalpha() and name.islower() else name
