"""What the guests' pages share: what an address asks for, the addresses of the next steps, and how a month and a moment
are shown."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from datetime import UTC, date, datetime, time
from functools import wraps
from typing import Any
from zoneinfo import ZoneInfo, available_timezones

from django.http import HttpRequest, HttpResponse, HttpResponseNotAllowed

from workspace.lib import clock
from workspace.lib.time_zones import differ
from workspace.products.booking.domain.month_availability import Month, Offer
from workspace.products.booking.models import Booking, BookingPage, Service
from workspace.public_site.active_frame import within
from workspace.publishing.guest_links import sealed
from workspace.publishing.language import amount, moment_of_week, time_of_day
from workspace.publishing.locale import speaking, voice
from workspace.publishing.models import Address

PREFILLED = ("name", "email", "phone")
LONGEST = 254  # characters of what an address fills in
YEARS = range(2000, 2200)

View = Callable[..., HttpResponse]


@dataclass(frozen=True, slots=True)
class Wish:
    """What an address asks for. `zone` is the guest's, of whom none is told the page's; `told` goes along from step to
    step: their zone, and what was filled in for them."""

    zone: ZoneInfo
    told: dict[str, str]
    date: date | None = None
    start: datetime | None = None


def wish_of(request: HttpRequest, found: BookingPage) -> Wish:
    asked = request.POST if request.method == "POST" else request.GET
    name = asked.get("zone", "")
    is_zone = name in available_timezones()
    told = {"zone": name} if is_zone else {}
    told |= {one: text for one in PREFILLED if (text := _plain(request.GET.get(one, "")))}
    zone = ZoneInfo(name) if is_zone else found.zone
    return Wish(zone, told, date_of(asked.get("date", "")), moment_of(asked.get("start", "")))


def _plain(text: str) -> str:
    return "".join(char for char in text[:LONGEST] if char.isprintable()).strip()


def date_of(text: str) -> date | None:
    try:
        found = date.fromisoformat(text[:10])
    except ValueError:
        return None
    return found if found.year in YEARS else None


def moment_of(text: str) -> datetime | None:
    try:
        found = datetime.fromisoformat(text[:40])
    except ValueError:
        return None
    return found.astimezone(UTC) if found.tzinfo is not None and found.year in YEARS else None


def service_of(found: BookingPage, id: str) -> Service | None:
    """One that guests are offered."""
    service = found.services.filter(pk=id[:40], hidden=False).first() if id.isprintable() else None
    if service is not None:
        service.page = found
    return service


def to(found: BookingPage, step: str, /, **query: str) -> str:
    return within(f"/b/{found.slug}", step, **query)


def frame_of(found: BookingPage, zone: ZoneInfo | None = None) -> dict[str, Any]:
    return {
        "page": found,
        "slug": found.slug,
        "home": to(found, ""),
        "business": found.account.name,
        "zone": (zone or found.zone).key,
        "zone_told": (zone or found.zone).key.replace("_", " "),
        "place_told": found.time_zone.replace("_", " "),
    }


def time_told(at: datetime, found: BookingPage, zone: ZoneInfo) -> dict[str, str]:
    """A moment as a guest reads it, in their zone, and in the page's where that is another."""
    language = voice().language
    return {
        "value": at.astimezone(UTC).strftime("%Y-%m-%dT%H:%M:%SZ"),
        "clock": time_of_day(at, zone, language),
        "whole": moment_of_week(at, zone, language),
        "there": moment_of_week(at, found.zone, language) if differ(zone, found.zone, at) else "",
    }


def price_told(thing: Service | Booking, found: BookingPage) -> str:
    return "" if thing.price_minor is None else amount(thing.price_minor, found.currency, voice().language)


def due_told(service: Service, found: BookingPage) -> str:
    return amount(service.due_minor, found.currency, voice().language) if service.due_minor else ""


def month_told(offer: Offer, wish: Wish, step: str, **query: str) -> dict[str, Any]:
    """A month with its free days, and the times of the one that is asked for, or of the first behind it. `step` is
    where a choice of another day leads, with `query`."""
    found, zone = offer.page, wish.zone
    today, last = clock.now().astimezone(zone).date(), offer.last_day
    asked = min(max(wish.date or today, today), max(last, today))
    month = offer.month_of(asked, zone)
    further = None if month.free else offer.next_free(month.next, zone)
    if further is not None and wish.date is None:
        asked, month, further = further, offer.month_of(further, zone), None
    chosen = asked if asked in month.free else min((day for day in month.free if day >= asked), default=None)

    def at(day: date) -> str:
        return to(found, step, **query, **wish.told, date=day.isoformat())

    language = voice().language
    ends = [datetime.combine(day, time.min, zone) for day in (month.first, month.next)]
    return {
        "month": month,
        "is_elsewhere": any(differ(zone, found.zone, end) for end in ends),
        "weeks": _weeks(month, at, chosen),
        "chosen": chosen,
        "times": [
            {"value": f"{one.astimezone(UTC):%Y-%m-%dT%H:%MZ}", "clock": time_of_day(one, zone, language)}
            for one in (month.times(chosen) if chosen else ())
        ],
        "earlier": at(month.previous) if month.first > today.replace(day=1) else "",
        "later": at(month.next) if month.next <= last else "",
        "further": further,
        "further_url": at(further) if further else "",
        "kept": [*query.items(), *wish.told.items()],
        "zones_url": to(found, "/zones", **query, **wish.told, step=step, date=(chosen or asked).isoformat()),
    }


def _weeks(month: Month, at: Callable[[date], str], chosen: date | None) -> list[list[dict[str, Any]]]:
    return [
        [
            {
                "day": day if day.month == month.first.month else None,
                "url": at(day) if day in month.free else "",
                "is_chosen": day == chosen,
            }
            for day in week
        ]
        for week in month.weeks
    ]


def shown(*methods: str) -> Callable[[View], View]:
    """A page of guests' that is kept nowhere, in the page's own language where it has one."""

    def wrapped(view: View) -> View:
        @wraps(view)
        def answer(request: HttpRequest, address: Address, **parts: str) -> HttpResponse:
            if request.method not in methods:
                return HttpResponseNotAllowed(methods)
            found = BookingPage.at(address)
            with speaking(request, found.language):
                return sealed(view(request, address, found, **parts))

        return answer

    return wrapped
