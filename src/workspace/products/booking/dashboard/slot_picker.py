"""Free times to choose from, as the tool finds them; and why a time is not free."""

from __future__ import annotations

import re
from collections.abc import Mapping
from datetime import date, datetime, timedelta
from typing import Any

from django.http import HttpResponse

from workspace.dashboard.session import SignedInRequest
from workspace.dashboard.tool_views import call, page, words
from workspace.lib import clock
from workspace.products.booking.api import availability_tools
from workspace.products.booking.dashboard.layout import FRAME
from workspace.products.booking.dashboard.presenters import day_asked
from workspace.products.booking.domain.queries import page_of
from workspace.products.booking.models import Service

DAYS = 7
_ID = re.compile(r" \((?:bkg|blk)_\w+\)")
# a name or a title, which may run from right to left amid the sentence
_ABOUT = re.compile(r"((?:booking|request) of |“)(.+?)( \(bkg_|” in your calendar)")
_BOOKING = re.compile(r" \((bkg_\w+)\)")


def free_days(request: SignedInRequest, id: str, service: str, day: date, today: date) -> dict[str, Any]:
    """The free times of a week from a day on, by their days."""
    first = max(day, today)
    found = call(
        request, availability_tools.find_times, page_id=id, service_id=service, **{"from": first.isoformat()}, days=DAYS
    )
    days: dict[date, list[datetime]] = {}
    for time in found["times"]:
        at = datetime.fromisoformat(time["start"])
        days.setdefault(at.date(), []).append(at)
    step = timedelta(days=DAYS)
    return {
        "free": list(days.items()),
        "free_from": first,
        "free_until": first + step - timedelta(days=1),
        "earlier": max(first - step, today).isoformat() if first > today else "",
        "later": (first + step).isoformat(),
    }


@page()
def why(request: SignedInRequest, id: str) -> HttpResponse:
    """Each time of a day with its cause."""
    found = page_of(request.account, id)
    services = list(found.services.all())
    chosen = _chosen(request, services)
    day = day_asked(request, clock.today(found.time_zone))
    times: list[dict[str, Any]] = []
    if chosen is not None:
        told = call(
            request,
            availability_tools.find_times,
            page_id=id,
            service_id=chosen.pk,
            **{"from": day.isoformat()},
            days=1,
            explain=True,
        )
        times = [_told(time, id) for time in told["times"]]
    context = {
        "services": services,
        "chosen": chosen,
        "day": day,
        "before": (day - timedelta(days=1)).isoformat(),
        "after": (day + timedelta(days=1)).isoformat(),
        "times": times,
        "free_count": sum(time["free"] for time in times),
        "zone": found.time_zone,
    }
    return FRAME.drawn(request, found, "booking/owner/why.html", context)


def _told(time: Mapping[str, Any], page: str) -> dict[str, Any]:
    """The sentence without the ids, which are for agents, and the day, which all have; a booking is a link instead."""
    at, booking = datetime.fromisoformat(time["start"]), _BOOKING.search(time["why"])
    told = _ABOUT.sub(lambda found: f"{found[1]}\u2068{found[2]}\u2069{found[3]}", time["why"])
    told = _ID.sub("", told).replace(f"({at:%Y-%m-%d} ", "(")
    return {
        **time,
        "at": at,
        "told": told[:1].upper() + told[1:],
        "url": f"{FRAME.home}/{page}/bookings/{booking[1]}" if booking else "",
    }


def _chosen(request: SignedInRequest, services: list[Service]) -> Service | None:
    wanted = words(request.GET.get("service"), 60)
    return next((one for one in services if one.pk == wanted), services[0] if services else None)
