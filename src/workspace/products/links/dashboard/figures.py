"""A page's views and clicks as charts, and as a file."""

from __future__ import annotations

from django.http import HttpResponse
from django.shortcuts import render

from workspace.dashboard import visits
from workspace.dashboard.charts import Point
from workspace.dashboard.downloads import csv_file
from workspace.dashboard.session import SignedInRequest
from workspace.dashboard.tool_pages import call, page
from workspace.products.links import export_tools, stats_tools
from workspace.products.links.dashboard.shown import find, shown_page
from workspace.products.links.models import KIND

LONGEST = 20  # links of the list


@page()
def figures(request: SignedInRequest, id: str) -> HttpResponse:
    most = request.account.limits(KIND).history_days
    stats = call(request, stats_tools.stats, page_id=id, days=visits.asked_days(request, most))
    rate = stats["click_through_rate"]
    context = {
        "page": shown_page(find(request, id)),
        "stats": stats,
        "visits": visits.charts(stats, stats["by_day"], most),
        "rate": f"{rate * 100:.1f} %" if rate is not None else "",
        "links": [Point(row["title"], row["clicks"]) for row in stats["clicks_by_link"][:LONGEST]],
    }
    return render(request, "links/figures.html", context)


@page()
def save(request: SignedInRequest, id: str) -> HttpResponse:
    days = visits.asked_days(request, request.account.limits(KIND).history_days)
    found = call(request, export_tools.export, page_id=id, kind="stats", days=days)
    return csv_file(found["content"], found["file_name"])
