"""The bookings of a page: a day with open requests, a week, and a searchable list."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import date, timedelta
from typing import Any
from urllib.parse import urlencode

from django.http import HttpResponse
from django.shortcuts import render

from workspace.dashboard.item_lists import FilterChip
from workspace.dashboard.session import SignedInRequest
from workspace.dashboard.tool_views import call_tool, clean_text, page, parse_whole_number
from workspace.lib import clock
from workspace.owner_translation import owner_gettext_lazy
from workspace.products.booking.api import booking_tools
from workspace.products.booking.api.serializers import list_booking_data
from workspace.products.booking.dashboard.day_grid import build_days, build_week, choose_row_minutes, trim_past_gaps
from workspace.products.booking.dashboard.item_layout import LAYOUT
from workspace.products.booking.dashboard.presenters import parse_requested_day, present_booking
from workspace.products.booking.domain.queries import bookings_of, get_page, services_for
from workspace.products.booking.models import BookingPage
from workspace.publishing.models import State

PAGE_SIZE = 50
MAX_REQUESTS = 20
VIEW_LABELS = (
    ("day", owner_gettext_lazy("Day")),
    ("week", owner_gettext_lazy("Week")),
    ("list", owner_gettext_lazy("List")),
)
WEEK_DAYS = 7
FILTERS: dict[str, tuple[str, dict[str, Any]]] = {
    "": (owner_gettext_lazy("Upcoming"), {}),
    "pending_payment": (owner_gettext_lazy("Pending"), {"status": "pending_payment"}),
    "all": (owner_gettext_lazy("All"), {"upcoming": False}),
    "cancelled": (owner_gettext_lazy("Canceled"), {"upcoming": False, "status": "cancelled"}),
    "expired": (owner_gettext_lazy("Expired"), {"upcoming": False, "status": "expired"}),
}


@page()
def bookings(request: SignedInRequest, id: str) -> HttpResponse:
    page = get_page(request.account, id)
    view = request.GET.get("view", "day")
    view = view if view in dict(VIEW_LABELS) else "day"
    today = clock.today(page.time_zone)
    day = parse_requested_day(request, today)
    base: dict[str, Any] = {
        "view": view,
        "views": [
            (label, f"?{urlencode({'view': key, 'day': day.isoformat()})}", key == view) for key, label in VIEW_LABELS
        ],
        "day": day,
        "today": today,
        "zone": page.time_zone,
        "export": urlencode({"kind": "bookings", "page_id": id}),
        "booking_page": page,
    }
    if view == "list":
        return LAYOUT.render_page(request, page, "booking/owner/list.html", {**base, **_list_context(request, page)})
    if view == "week":
        first = day - timedelta(days=day.weekday())
        week = build_week(build_days(request, page, first, WEEK_DAYS, today), choose_row_minutes(page))
        steps = _step_links(view, first, WEEK_DAYS, today)
        return LAYOUT.render_page(request, page, "booking/owner/week.html", {**base, "week": week, **steps})
    now = clock.now()
    [only] = build_days(request, page, day, 1, today)
    only.entries = trim_past_gaps(only.entries, now.astimezone(page.zone))
    context = {
        **base,
        "shown_day": only,
        "now": now,
        "is_open": page.publication.state is State.LIVE,
        "requests": _list_requests(request, page),
        **_step_links(view, day, 1, today),
        "count": sum(entry.what == "booking" for entry in only.entries),
        "is_new_page": not bookings_of.exists(page),
        "has_services": services_for.exists(page),
    }
    return LAYOUT.render_page(request, page, "booking/owner/day.html", context)


@page()
def printed_day(request: SignedInRequest, id: str) -> HttpResponse:
    """Render the bookings of a day for printing."""
    page = get_page(request.account, id)
    today = clock.today(page.time_zone)
    [only] = build_days(request, page, parse_requested_day(request, today), 1, today)
    booked = [entry for entry in only.entries if entry.what != "free"]
    context = {"booking_page": page, "shown_day": only, "entries": booked, "back": f"{LAYOUT.home}/{id}"}
    return render(request, "booking/owner/print.html", context)


def _list_requests(request: SignedInRequest, page: BookingPage) -> list[dict[str, Any]]:
    """Return the bookings that wait for approval, regardless of their date."""
    waiting = call_tool(
        request, booking_tools.list_bookings, page_id=page.pk, status="pending_payment", limit=MAX_REQUESTS * 2
    )
    rows = [present_booking(row, page.zone) for row in waiting["items"]]
    return [row for row in rows if row["asks"]][:MAX_REQUESTS]


def _step_links(view: str, first: date, count: int, today: date) -> dict[str, Any]:
    def day_url(day: date) -> str:
        return "?" + urlencode({"view": view, "day": day.isoformat()})

    step = timedelta(days=count)
    return {
        "before": day_url(first - step),
        "after": day_url(first + step),
        "to_today": "" if first <= today < first + step else day_url(today),
        "first": first,
        "last": first + step - timedelta(days=1),
    }


def _list_context(request: SignedInRequest, page: BookingPage) -> Mapping[str, Any]:
    q, which = clean_text(request.GET.get("q"), 200), request.GET.get("which", "")
    which = which if which in FILTERS else ""
    offset = parse_whole_number(request.GET.get("offset"), 0, 0, 10**8)
    chosen: dict[str, Any] = {"upcoming": True, "status": None, **FILTERS[which][1]}
    found, total = booking_tools.search_bookings(request.account, page, PAGE_SIZE, offset, **chosen, q=q)
    rows = list_booking_data(found)
    listing = {"offset": offset, "count": len(rows), "total": total, "has_more": offset + len(rows) < total}
    stored = {"view": "list", **({"q": q} if q else {})}
    return {
        "listing": listing,
        "rows": [present_booking(row, page.zone) for row in rows],
        "q": q,
        "which": which,
        "limit": PAGE_SIZE,
        "chips": [
            FilterChip(label, None, "?" + urlencode({**stored, **({"which": key} if key else {})}), key == which)
            for key, (label, _) in FILTERS.items()
        ],
    }
