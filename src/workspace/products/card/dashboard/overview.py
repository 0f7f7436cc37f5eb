"""A card's own page: its face, its code and how it does."""

from __future__ import annotations

from django.http import HttpResponse
from django.shortcuts import render

from workspace.dashboard import visits
from workspace.dashboard.session import SignedInRequest
from workspace.dashboard.things import moment
from workspace.dashboard.tool_pages import call, page
from workspace.products.card import lead_tools, tools
from workspace.products.card.dashboard.shown import shown
from workspace.products.card.models import KIND

RECENT = 14  # days of the small chart
NEWEST = 3  # leads


@page()
def card(request: SignedInRequest, id: str) -> HttpResponse:
    stats = call(request, lead_tools.stats, card_id=id, days=RECENT)
    newest = call(request, lead_tools.leads, card_id=id, limit=NEWEST)
    context = {
        "card": shown(call(request, tools.get, card_id=id)),
        "is_new": "made" in request.GET,
        "stats": stats,
        "points": visits.points(stats["by_day"]),
        "leads": [{**lead, "at": moment(lead["submitted_at"])} for lead in newest["items"]],
    }
    return render(request, "card/card.html", context)


@page()
def figures(request: SignedInRequest, id: str) -> HttpResponse:
    most = request.account.limits(KIND).history_days
    stats = call(request, lead_tools.stats, card_id=id, days=visits.asked_days(request, most))
    context = {
        "card": shown(call(request, tools.get, card_id=id)),
        "stats": stats,
        "visits": visits.charts(stats, stats["by_day"], most),
    }
    return render(request, "card/figures.html", context)
