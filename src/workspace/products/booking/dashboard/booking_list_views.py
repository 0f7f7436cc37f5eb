"""What is booked on a page: a day with what waits for an answer, a week, a list that is searched."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import date, timedelta
from typing import Any
from urllib.parse import urlencode

from django.http import HttpResponse
from django.shortcuts import render

from workspace.dashboard.item_lists import Chip
from workspace.dashboard.session import SignedInRequest
from workspace.dashboard.tool_views import call, page, whole_number, words
from workspace.lib import clock
from workspace.products.booking.api import booking_tools
from workspace.products.booking.api.serializers import booking_rows
from workspace.products.booking.dashboard.day_grid import days_of, from_now, slot_of, week_of
from workspace.products.booking.dashboard.layout import FRAME
from workspace.products.booking.dashboard.presenters import day_asked, shown
from workspace.products.booking.domain.queries import bookings_of, page_of
from workspace.products.booking.models import BookingPage
from workspace.publishing.models import State

PAGE = 50
WAITING = 20
VIEWS = (("day", "Day"), ("week", "Week"), ("list", "List"))
WEEK = 7
FILTERS: dict[str, tuple[str, dict[str, Any]]] = {
    "": ("To come", {}),
    "pending_payment": ("Waiting", {"status": "pending_payment"}),
    "all": ("All", {"upcoming": False}),
    "cancelled": ("Cancelled", {"upcoming": False, "status": "cancelled"}),
    "expired": ("Expired", {"upcoming": False, "status": "expired"}),
}


@page()
def bookings(request: SignedInRequest, id: str) -> HttpResponse:
    found = page_of(request.account, id)
    view = request.GET.get("view", "day")
    view = view if view in dict(VIEWS) else "day"
    today = clock.today(found.time_zone)
    day = day_asked(request, today)
    base: dict[str, Any] = {
        "view": view,
        "views": [(label, f"?{urlencode({'view': key, 'day': day.isoformat()})}", key == view) for key, label in VIEWS],
        "day": day,
        "today": today,
        "zone": found.time_zone,
        "export": urlencode({"kind": "bookings", "page_id": id}),
        "booking_page": found,
    }
    if view == "list":
        return FRAME.drawn(request, found, "booking/owner/list.html", {**base, **_listed(request, found)})
    if view == "week":
        first = day - timedelta(days=day.weekday())
        week = week_of(days_of(request, found, first, WEEK, today), slot_of(found))
        steps = _steps(view, first, WEEK, today)
        return FRAME.drawn(request, found, "booking/owner/week.html", {**base, "week": week, **steps})
    now = clock.now()
    [only] = days_of(request, found, day, 1, today)
    only.entries = from_now(only.entries, now.astimezone(found.zone))
    context = {
        **base,
        "shown_day": only,
        "now": now,
        "is_open": found.publication.state is State.LIVE,
        "requests": _requests(request, found),
        **_steps(view, day, 1, today),
        "count": sum(entry.what == "booking" for entry in only.entries),
        "is_new_page": not found.bookings.exists(),
        "has_services": found.services.exists(),
    }
    return FRAME.drawn(request, found, "booking/owner/day.html", context)


@page()
def day_sheet(request: SignedInRequest, id: str) -> HttpResponse:
    """A day to print, on one sheet of paper."""
    found = page_of(request.account, id)
    today = clock.today(found.time_zone)
    [only] = days_of(request, found, day_asked(request, today), 1, today)
    booked = [entry for entry in only.entries if entry.what != "free"]
    context = {"booking_page": found, "shown_day": only, "entries": booked, "back": f"{FRAME.home}/{id}"}
    return render(request, "booking/owner/sheet.html", context)


def _requests(request: SignedInRequest, found: BookingPage) -> list[dict[str, Any]]:
    """What waits for an answer, whenever it is to be."""
    waiting = call(request, booking_tools.list_bookings, page_id=found.pk, status="pending_payment", limit=WAITING * 2)
    rows = [shown(row, found.zone) for row in waiting["items"]]
    return [row for row in rows if row["asks"]][:WAITING]


def _steps(view: str, first: date, count: int, today: date) -> dict[str, Any]:
    def at(day: date) -> str:
        return "?" + urlencode({"view": view, "day": day.isoformat()})

    step = timedelta(days=count)
    return {
        "before": at(first - step),
        "after": at(first + step),
        "to_today": "" if first <= today < first + step else at(today),
        "first": first,
        "last": first + step - timedelta(days=1),
    }


def _listed(request: SignedInRequest, found: BookingPage) -> Mapping[str, Any]:
    q, which = words(request.GET.get("q"), 200), request.GET.get("which", "")
    which = which if which in FILTERS else ""
    offset = whole_number(request.GET.get("offset"), 0, 0, 10**8)
    chosen: dict[str, Any] = {"upcoming": True, "status": None, **FILTERS[which][1]}
    held = booking_tools.wanted(bookings_of(request.account).filter(page=found), **chosen, q=q)
    rows, total = booking_rows(held[offset : offset + PAGE]), held.count()
    listing = {"offset": offset, "count": len(rows), "total": total, "has_more": offset + len(rows) < total}
    kept = {"view": "list", **({"q": q} if q else {})}
    return {
        "listing": listing,
        "rows": [shown(row, found.zone) for row in rows],
        "q": q,
        "which": which,
        "limit": PAGE,
        "chips": [
            Chip(label, None, "?" + urlencode({**kept, **({"which": key} if key else {})}), key == which)
            for key, (label, _) in FILTERS.items()
        ],
    }
