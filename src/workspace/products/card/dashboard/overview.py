"""A card's own page: its face, its code and how it does."""

from __future__ import annotations

from typing import Any

from django.http import HttpResponse
from django.shortcuts import render

from workspace.dashboard.charts import Point, day_label
from workspace.dashboard.session import SignedInRequest
from workspace.dashboard.tool_pages import call, page, whole_number
from workspace.products.card import lead_tools, tools
from workspace.products.card.dashboard.shown import Shown, moment
from workspace.products.card.lead_tools import ShareRow
from workspace.products.card.models import KIND
from workspace.publishing.arguments import DEFAULT_DAYS

RECENT = 14  # days of the small chart
NEWEST = 3  # leads
SIZES = (512, 1024, 2048)
RANGES = (7, 30, 90, 400)


@page()
def card(request: SignedInRequest, id: str) -> HttpResponse:
    stats = call(request, lead_tools.stats, id=id, days=RECENT)
    newest = call(request, lead_tools.leads, card_id=id, limit=NEWEST)
    context: dict[str, Any] = {
        "card": Shown(call(request, tools.get, id=id)),
        "is_new": "made" in request.GET,
        "sizes": SIZES,
        "stats": stats,
        "points": [Point(day_label(day["date"]), day["views"]) for day in stats["by_day"]],
        "leads": [{**lead, "at": moment(lead["submitted_at"])} for lead in newest["items"]],
    }
    return render(request, "card/card.html", context)


@page()
def figures(request: SignedInRequest, id: str) -> HttpResponse:
    most = request.account.limits(KIND).history_days
    days = whole_number(request.GET.get("days"), DEFAULT_DAYS, 1, most)
    stats = call(request, lead_tools.stats, id=id, days=days)
    lengths = sorted({length for length in RANGES if length < most} | {most})
    context = {
        "card": Shown(call(request, tools.get, id=id)),
        "stats": stats,
        "ranges": [{"days": length, "current": length == days} for length in lengths],
        "views": [Point(day_label(day["date"]), day["views"]) for day in stats["by_day"]],
        "saves": [Point(day_label(day["date"]), day["contact_saves"]) for day in stats["by_day"]],
        "devices": _shares(stats["by_device"]),
        "countries": _shares(stats["by_country"]),
        "cities": _shares(stats["by_city"]),
        "referrers": _shares(stats["by_referrer"]),
    }
    return render(request, "card/figures.html", context)


def _shares(rows: list[ShareRow]) -> list[Point]:
    # devices are plain words (phone), hosts stay as they are
    return [
        Point(row["name"].capitalize() if row["name"].isalpha() else row["name"], row["views"]) for row in rows[:10]
    ]
