"""How often a menu is looked at, and how guests get to it."""

from __future__ import annotations

from django.conf import settings
from django.http import HttpResponse
from django.shortcuts import render

from workspace.dashboard import visits
from workspace.dashboard.charts import Point
from workspace.dashboard.session import SignedInRequest
from workspace.dashboard.tool_pages import call, page
from workspace.products.menu import figure_tools, tools
from workspace.products.menu.dashboard.shown import menu_shown
from workspace.products.menu.models import KIND


@page()
def views(request: SignedInRequest, id: str) -> HttpResponse:
    most = request.account.limits(KIND).history_days
    stats = call(request, figure_tools.stats, menu_id=id, days=visits.asked_days(request, most))
    context = {
        "menu": menu_shown(call(request, tools.menu_items, menu_id=id)["menu"]),
        "stats": stats,
        "visits": visits.charts(stats, stats["by_day"], most),
        "hours": [Point(f"{hour}:00", count) for hour, count in enumerate(stats["by_hour"])],
    }
    return render(request, "menu/views.html", context)


@page()
def share(request: SignedInRequest, id: str) -> HttpResponse:
    found = call(request, tools.menu_items, menu_id=id)
    context = {
        "menu": menu_shown(found["menu"]),
        "sections": [section for section in found["sections"] if section["item_count"] and not section["hidden"]],
        "exports": [(kind, f"/files/menu/export?kind={kind}&menu_id={id}") for kind in ("items", "allergens")],
        "loopback": settings.LOOPBACK,
    }
    return render(request, "menu/share.html", context)
