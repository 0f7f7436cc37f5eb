"""How often a menu is looked at, and how guests get to it."""

from __future__ import annotations

from datetime import date

from django.conf import settings
from django.http import HttpResponse
from django.shortcuts import render

from workspace.dashboard.charts import Point
from workspace.dashboard.session import SignedInRequest
from workspace.dashboard.tool_pages import call
from workspace.products.menu.dashboard.calls import HOME, ITEMS, STATS, page
from workspace.products.menu.dashboard.shown import menu_shown
from workspace.products.menu.models import KIND
from workspace.publishing.places import UNKNOWN

RANGES = (7, 30, 90, 400)
SIZES = (512, 1024, 2048, 4096)
BY_WEEK = 120  # from so many days on a bar is a week
LONGEST = 10  # lines of a list


@page()
def views(request: SignedInRequest, id: str) -> HttpResponse:
    most = request.account.limits(KIND).history_days
    text = request.GET.get("days", "")
    days = min(max(int(text), 1), most) if text.isascii() and text.isdigit() and len(text) < 6 else min(30, most)
    stats = call(request, STATS, menu_id=id, days=days)
    context = {
        "menu": menu_shown(call(request, ITEMS, menu_id=id)["menu"]),
        "stats": stats,
        "ranges": [
            (f"{length} days", f"{HOME}/{id}/views?days={length}", length == days)
            for length in sorted({*(length for length in RANGES if length <= most), most, days})
        ],
        "points": _points(stats["by_day"]),
        "by_week": days > BY_WEEK,
        "hours": [Point(f"{hour}:00", count) for hour, count in enumerate(stats["by_hour"])],
        "devices": _shares(stats["by_device"]),
        "countries": _shares(stats["by_country"]),
        "cities": _shares(stats["by_city"]),
        "referrers": _shares(stats["by_referrer"]),
        "no_places": not settings.GEO_DATABASE and all(row["name"] == UNKNOWN for row in stats["by_country"]),
    }
    return render(request, "menu/views.html", context)


@page()
def share(request: SignedInRequest, id: str) -> HttpResponse:
    context = {
        "menu": menu_shown(call(request, ITEMS, menu_id=id)["menu"]),
        "sizes": SIZES,
        "loopback": settings.LOOPBACK,
    }
    return render(request, "menu/share.html", context)


def _points(by_day: list[dict[str, int]]) -> list[Point]:
    if len(by_day) <= BY_WEEK:
        return [Point(_day(row["date"]), row["views"]) for row in by_day]
    # counted from the end, so that the newest week is whole
    weeks = [by_day[max(0, end - 7) : end] for end in range(len(by_day), 0, -7)]
    return [Point(f"Week of {_day(week[0]['date'])}", sum(row["views"] for row in week)) for week in reversed(weeks)]


def _day(text: object) -> str:
    return f"{date.fromisoformat(str(text)):%-d %b}"


def _shares(rows: list[dict[str, object]]) -> list[Point]:
    return [Point(str(row["name"]), float(str(row["views"]))) for row in rows[:LONGEST]]
