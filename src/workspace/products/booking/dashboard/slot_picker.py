"""Available times to choose from, and the reasons why other times are unavailable."""

from __future__ import annotations

from datetime import date, datetime, timedelta
from typing import Any

from django.http import HttpResponse

from workspace.dashboard.session import SignedInRequest
from workspace.dashboard.tool_views import call_tool, clean_text, page
from workspace.lib import clock
from workspace.products.booking.api import availability_tools
from workspace.products.booking.dashboard.item_layout import LAYOUT
from workspace.products.booking.dashboard.presenters import parse_requested_day
from workspace.products.booking.domain.queries import get_page
from workspace.products.booking.domain.unavailable_reasons import describe_for_owner, to_local_time
from workspace.products.booking.models import Service
from workspace.products.booking.rules.availability import Availability, StartTime
from workspace.products.booking.rules.busy_times import BusyKind

DAY_COUNT = 7
_BOOKINGS = (BusyKind.BOOKING, BusyKind.PAYING, BusyKind.REQUEST)


def find_free_days(request: SignedInRequest, id: str, service: str, day: date, today: date) -> dict[str, Any]:
    """Find the available times of a week from `day`, grouped by day."""
    first = max(day, today)
    available_times = call_tool(
        request,
        availability_tools.find_times,
        page_id=id,
        service_id=service,
        **{"from": first.isoformat()},
        days=DAY_COUNT,
    )
    days: dict[date, list[datetime]] = {}
    for time in available_times["times"]:
        at = datetime.fromisoformat(time["start"])
        days.setdefault(at.date(), []).append(at)
    step = timedelta(days=DAY_COUNT)
    return {
        "free": list(days.items()),
        "free_from": first,
        "free_until": first + step - timedelta(days=1),
        "earlier": max(first - step, today).isoformat() if first > today else "",
        "later": (first + step).isoformat(),
    }


@page()
def explain_times(request: SignedInRequest, id: str) -> HttpResponse:
    """Show each time of a day with the reason why it is unavailable."""
    page = get_page(request.account, id)
    services = list(page.services.all())
    service = _selected_service(request, services)
    day = parse_requested_day(request, clock.today(page.time_zone))
    times: list[dict[str, Any]] = []
    if service is not None:
        availability, start_times = availability_tools.compute_times(service, day, day)
        times = [_present_time(time, availability, id) for time in start_times]
    context = {
        "services": services,
        "chosen": service,
        "day": day,
        "before": (day - timedelta(days=1)).isoformat(),
        "after": (day + timedelta(days=1)).isoformat(),
        "times": times,
        "free_count": sum(time["free"] for time in times),
        "zone": page.time_zone,
    }
    return LAYOUT.render_page(request, page, "booking/owner/unavailable_reasons.html", context)


def _present_time(time: StartTime, availability: Availability, page: str) -> dict[str, Any]:
    """Prepare a time for the template. If a booking is the reason, it is a link."""
    zone, cause = availability.opening.zone, time.cause
    busy_time = cause.busy_time if cause else None
    return {
        "at": to_local_time(time.start, zone),
        "free": time.is_free,
        "reason": describe_for_owner(cause, availability.terms, zone, on_page=True) if cause else "",
        "url": f"{LAYOUT.home}/{page}/bookings/{busy_time.id}" if busy_time and busy_time.kind in _BOOKINGS else "",
    }


def _selected_service(request: SignedInRequest, services: list[Service]) -> Service | None:
    requested = clean_text(request.GET.get("service"), 60)
    return next((service for service in services if service.pk == requested), services[0] if services else None)
