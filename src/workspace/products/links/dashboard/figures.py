"""A page's views and clicks as charts."""

from __future__ import annotations

from datetime import date
from typing import Any

from django.conf import settings
from django.http import HttpResponse
from django.shortcuts import render

from workspace.dashboard.charts import Point
from workspace.dashboard.session import SignedInRequest
from workspace.dashboard.tool_pages import call
from workspace.products.links.dashboard.calls import GET, HOME, STATS, page
from workspace.products.links.dashboard.shown import shown_page
from workspace.publishing.places import UNKNOWN

RANGES = (7, 30, 90)
LONGEST = 10  # lines of a list


@page()
def figures(request: SignedInRequest, id: str) -> HttpResponse:
    asked = request.GET.get("days", "")
    days = next((length for length in RANGES if str(length) == asked), 30)
    stats = call(request, STATS, page_id=id, days=days)
    rate = stats["click_through_rate"]
    context = {
        "page": shown_page(call(request, GET, page_id=id)),
        "stats": stats,
        "rate": f"{rate * 100:.1f} %" if rate is not None else "",
        "ranges": [(f"{length} days", f"{HOME}/{id}/figures?days={length}", length == days) for length in RANGES],
        "points": [_point(row) for row in stats["by_day"]],
        "links": [Point(row["title"], row["clicks"]) for row in stats["clicks_by_link"][:20]],
        "devices": _shares(stats["devices"]),
        "cities": _shares(stats["cities"]),
        "referrers": _shares(stats["referrers"]),
        "no_places": not settings.GEO_DATABASE and all(row["name"] == UNKNOWN for row in stats["cities"]),
        "attribution": settings.GEO_ATTRIBUTION,
    }
    return render(request, "links/figures.html", context)


def _point(row: dict[str, Any]) -> Point:
    day = date.fromisoformat(row["date"])
    clicks = "" if row["clicks"] is None else f", {row['clicks']} clicks"
    return Point(f"{day:%-d %b}", row["views"], f"{day:%a %-d %b}: {row['views']} views{clicks}")


def _shares(rows: list[dict[str, Any]]) -> list[Point]:
    """The largest ones, the rest together. Devices are plain words (phone), hosts stay as they are."""
    points = [
        Point(name.capitalize() if (name := row["name"]).isalpha() and name.islower() else name, row["views"])
        for row in rows[:LONGEST]
    ]
    rest = sum(row["views"] for row in rows[LONGEST:])
    return [*points, Point("All others", rest)] if rest else points
