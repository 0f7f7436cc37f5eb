"""Available times to choose from, and the reasons why other times are unavailable."""

from __future__ import annotations

import re
from collections.abc import Mapping
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
from workspace.products.booking.models import Service

DAY_COUNT = 7
_ID_PATTERN = re.compile(r" \((?:bkg|blk)_\w+\)")
# a name or a title, which may run from right to left within the sentence
_NAME_PATTERN = re.compile(r"((?:booking|request) of |“)(.+?)( \(bkg_|” in your calendar)")
_BOOKING_ID_PATTERN = re.compile(r" \((bkg_\w+)\)")


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
        available_times = call_tool(
            request,
            availability_tools.find_times,
            page_id=id,
            service_id=service.pk,
            **{"from": day.isoformat()},
            days=1,
            explain=True,
        )
        times = [_present_time(time, id) for time in available_times["times"]]
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


def _present_time(time: Mapping[str, Any], page: str) -> dict[str, Any]:
    """Return a time for the template.

    The reason loses the ids, which are for agents, and the date, which is the same for all. A booking becomes a
    link."""
    at, booking = datetime.fromisoformat(time["start"]), _BOOKING_ID_PATTERN.search(time["why"])
    text = _NAME_PATTERN.sub(lambda match: f"{match[1]}\u2068{match[2]}\u2069{match[3]}", time["why"])
    text = _ID_PATTERN.sub("", text).replace(f"({at:%Y-%m-%d} ", "(")
    return {
        **time,
        "at": at,
        "reason_text": text[:1].upper() + text[1:],
        "url": f"{LAYOUT.home}/{page}/bookings/{booking[1]}" if booking else "",
    }


def _selected_service(request: SignedInRequest, services: list[Service]) -> Service | None:
    requested = clean_text(request.GET.get("service"), 60)
    return next((service for service in services if service.pk == requested), services[0] if services else None)
