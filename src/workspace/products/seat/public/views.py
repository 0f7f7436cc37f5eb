"""Guest pages at `/s/SLUG`: a search field for names, and the table that was found."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from django.http import HttpRequest, HttpResponse, HttpResponseNotAllowed
from django.shortcuts import render
from django.template.loader import render_to_string
from django.utils.translation import gettext

from workspace.brand.models import Brand
from workspace.products.seat.api.serializers import object_data, table_data
from workspace.products.seat.domain import floor_plan
from workspace.products.seat.domain import tables as seat_tables
from workspace.products.seat.models import Chart, Table
from workspace.products.seat.public import guest_search
from workspace.public_site import guest_page
from workspace.public_site.page_cache import RenderedPage
from workspace.public_site.share_preview import SharePreview, build_metadata
from workspace.publishing.language import format_moment
from workspace.publishing.locale import add_language_headers, current_locale
from workspace.publishing.models import Address
from workspace.rate_limits.counter import consume

MAX_PLAN_ITEMS = 120  # tables and objects drawn for guests


def page(request: HttpRequest, address: Address) -> HttpResponse:
    return guest_page.render_page(request, address, _render_page)


def _render_page(address: Address) -> RenderedPage:
    chart = Chart.from_address(address)
    opens = chart.find_from if chart.find_table and not chart.is_search_open else None
    return RenderedPage(render_to_string("seat/page.html", _context(chart, address)), fresh_until=opens)


def _context(chart: Chart, address: Address) -> dict[str, object]:
    return {
        "chart": chart,
        "slug": address.slug,
        "open": chart.is_search_open,
        "from": _format_opening(chart),
        "least": guest_search.MIN_LETTERS,
        "share": build_metadata(address, share_preview(chart)),
    }


def _format_opening(chart: Chart) -> str:
    """Return when the search opens, in the event's time zone, or an empty string if it is open or switched off."""
    if not chart.find_table or chart.is_search_open or chart.find_from is None:
        return ""
    return format_moment(chart.find_from, chart.account.zone, current_locale().language)


def find_table(request: HttpRequest, address: Address) -> HttpResponse:
    """Show the results at `/s/SLUG/find?q=…`. For scripts, return only the results."""
    if request.method not in ("GET", "HEAD"):
        return HttpResponseNotAllowed(["GET", "HEAD"])
    chart = Chart.from_address(address)
    q = "".join(
        char for char in request.GET.get("q", "")[: guest_search.MAX_QUERY_LENGTH] if char.isprintable()
    ).strip()
    context = {**_context(chart, address), "q": q}
    status = 200
    if chart.is_search_open and q:
        guests = guest_search.search_guests(chart, q)
        shown = _search_context(chart, guests, request.GET.get("n", ""))
        if consume("seat-name", request, item=chart.pk, values=shown["revealed"]):
            context |= shown
        elif own := tuple(hit for hit in guests.hits if hit.is_full_name):
            context |= _search_context(chart, replace(guests, hits=own), "", shows_tablemates=False)
        else:
            context["problem"] = gettext("You’ve searched for many names. Enter your full name, or ask the staff.")
            status = 429
    part = request.headers.get("X-Part") == "1"
    response = add_language_headers(
        render(request, "seat/parts/guest_hits.html" if part else "seat/page.html", context, status=status)
    )
    response.headers["Cache-Control"] = "no-store"
    response.headers["X-Robots-Tag"] = "noindex"
    response.headers["Vary"] = "X-Part, Accept-Language"
    return response


def _search_context(
    chart: Chart, result: guest_search.SearchResult, chosen: str, *, shows_tablemates: bool = True
) -> dict[str, Any]:
    """Return the context of the page with the matches.

    Names at a table are shown only for the chosen table. `revealed` are the ids of guests whose names the visitor did
    not type in full.
    """
    tables = {hit.table.pk: hit.table for hit in result.hits if hit.table}
    here = None
    if len(tables) == 1:
        [here] = tables.values()
    elif chosen.isdecimal() and len(chosen) < 3 and int(chosen) < len(result.hits):
        here = result.hits[int(chosen)].table
    company = guest_search.list_tablemates(chart, here) if shows_tablemates else []
    rows = [
        (hit, [name for id, name in company if id != hit.id] if here and hit.table and hit.table.pk == here.pk else [])
        for hit in result.hits
    ]
    known = {hit.id for hit in result.hits if hit.is_full_name}
    return {
        "search": result,
        "rows": rows,
        "table_id": here.pk if here else "",
        "plan": _plan_context(chart) if here else None,
        "revealed": {*(hit.id for hit in result.hits), *(id for id, _ in company)} - known,
    }


def _plan_context(chart: Chart) -> dict[str, object]:
    """Return the plan of the room without chairs, which is small and sufficient to find the way."""
    standing: list[Table] = list(chart.tables.all()[:MAX_PLAN_ITEMS])
    items = [
        floor_plan.build_table({**table_data(table, []), "capacity": 0})
        if table.is_table
        else floor_plan.build_object(object_data(table))
        for table in standing
    ]
    return {
        "view": seat_tables.compute_view_box(chart, chart.tables.all()),
        "width": chart.width,
        "depth": chart.depth,
        "drawn": items,
    }


def share_preview_at(address: Address) -> SharePreview:
    return share_preview(Chart.from_address(address))


def share_preview(chart: Chart) -> SharePreview:
    """Return the share preview of a chart."""
    return SharePreview.from_brand(
        chart.account, chart.title, gettext("Find your table"), style=Brand.for_account(chart.account).style
    )
