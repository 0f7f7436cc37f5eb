"""Shared code of the guest pages: query parameters, URLs of the next steps, and the contexts of months and times."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from datetime import UTC, date, datetime, time
from functools import cache, wraps
from typing import Any
from zoneinfo import ZoneInfo, available_timezones

from django.db.models import QuerySet
from django.http import HttpRequest, HttpResponse, HttpResponseNotAllowed

from workspace.lib import clock
from workspace.lib.time_zones import offsets_differ
from workspace.products.booking.domain.month_availability import MonthAvailability, ServiceOffer
from workspace.products.booking.models import Booking, BookingPage, Service
from workspace.public_site.current_embed import build_part_url
from workspace.publishing.guest_links import private_response
from workspace.publishing.language import format_amount, format_full_moment, format_time_of_day
from workspace.publishing.locale import current_locale, use_guest_locale
from workspace.publishing.models import Address
from workspace.storage.database.compiled_function import compile_once

PREFILLED_FIELDS = ("name", "email", "phone")
MAX_PREFILL_LENGTH = 254  # characters of a prefilled value
SUPPORTED_YEARS = range(2000, 2200)

View = Callable[..., HttpResponse]


@dataclass(frozen=True, slots=True)
class BookingQuery:
    """The query parameters of a guest page.

    `zone` is the guest's time zone, by default the page's. `carried_query` is passed from step to step. It has the
    guest's zone and the prefilled values.
    """

    zone: ZoneInfo
    carried_query: dict[str, str]
    date: date | None = None
    start: datetime | None = None


def parse_query(request: HttpRequest, page: BookingPage) -> BookingQuery:
    query_dict = request.POST if request.method == "POST" else request.GET
    name = query_dict.get("zone", "")
    is_zone = name in _zone_names()
    data = {"zone": name} if is_zone else {}
    data |= {field: text for field in PREFILLED_FIELDS if (text := _clean_prefill(request.GET.get(field, "")))}
    zone = ZoneInfo(name) if is_zone else page.zone
    return BookingQuery(zone, data, parse_date(query_dict.get("date", "")), parse_moment(query_dict.get("start", "")))


@cache
def _zone_names() -> frozenset[str]:
    return frozenset(available_timezones())


def _clean_prefill(text: str) -> str:
    return "".join(char for char in text[:MAX_PREFILL_LENGTH] if char.isprintable()).strip()


def parse_date(text: str) -> date | None:
    try:
        day = date.fromisoformat(text[:10])
    except ValueError:
        return None
    return day if day.year in SUPPORTED_YEARS else None


def parse_moment(text: str) -> datetime | None:
    """Parse a time with an offset and convert it to UTC. Return None if it is invalid."""
    try:
        moment = datetime.fromisoformat(text[:40])
    except ValueError:
        return None
    return moment.astimezone(UTC) if moment.tzinfo is not None and moment.year in SUPPORTED_YEARS else None


def find_offered_service(page: BookingPage, id: str) -> Service | None:
    """Return the service with this ID if guests can book it, or None."""
    found = _services_on_offer.fetch(page, id[:40]) if id.isprintable() else []
    return found[0] if found else None


@compile_once
def _services_on_offer(page: BookingPage, id: str) -> QuerySet[Service]:
    return page.services.filter(pk=id, hidden=False)


def build_path(page: BookingPage, step: str, /, **query: str) -> str:
    return build_part_url(f"/b/{page.slug}", step, **query)


def page_context(page: BookingPage, zone: ZoneInfo | None = None) -> dict[str, Any]:
    return {
        "page": page,
        "slug": page.slug,
        "home": build_path(page, ""),
        "business": page.account.name,
        "zone": (zone or page.zone).key,
        "zone_told": (zone or page.zone).key.replace("_", " "),
        "place_told": page.time_zone.replace("_", " "),
    }


def time_context(at: datetime, page: BookingPage, zone: ZoneInfo) -> dict[str, str]:
    """Return a time in the guest's time zone for display, and also in the page's time zone if that differs."""
    language = current_locale().language
    return {
        "value": at.astimezone(UTC).strftime("%Y-%m-%dT%H:%M:%SZ"),
        "clock": format_time_of_day(at, zone, language),
        "whole": format_full_moment(at, zone, language),
        "there": format_full_moment(at, page.zone, language) if offsets_differ(zone, page.zone, at) else "",
    }


def format_price(item: Service | Booking, page: BookingPage) -> str:
    return "" if item.price_minor is None else format_amount(item.price_minor, page.currency, current_locale().language)


def format_due(service: Service, page: BookingPage) -> str:
    return format_amount(service.due_minor, page.currency, current_locale().language) if service.due_minor else ""


def month_context(offer: ServiceOffer, booking_query: BookingQuery, step: str, **query: str) -> dict[str, Any]:
    """Return the context of a month with its available days and the times of a day.

    The day is the requested one, or the next one with available times. `step` is the page that opens, with the
    parameters in `query`, when the guest chooses another day.
    """
    page, zone = offer.page, booking_query.zone
    today, last = clock.now().astimezone(zone).date(), offer.last_day
    requested_date = min(max(booking_query.date or today, today), max(last, today))
    month = offer.load_month(requested_date, zone)
    further = None if month.free_by_day else offer.find_next_free_day(month.next, zone)
    if further is not None and booking_query.date is None:
        requested_date, month, further = further, offer.load_month(further, zone), None
    chosen = (
        requested_date
        if requested_date in month.free_by_day
        else min((day for day in month.free_by_day if day >= requested_date), default=None)
    )

    def day_url(day: date) -> str:
        return build_path(page, step, **query, **booking_query.carried_query, date=day.isoformat())

    language = current_locale().language
    ends = [datetime.combine(day, time.min, zone) for day in (month.first, month.next)]
    return {
        "month": month,
        "is_elsewhere": any(offsets_differ(zone, page.zone, end) for end in ends),
        "weeks": _present_weeks(month, day_url, chosen),
        "chosen": chosen,
        "times": [
            {"value": f"{moment.astimezone(UTC):%Y-%m-%dT%H:%MZ}", "clock": format_time_of_day(moment, zone, language)}
            for moment in (month.times_on(chosen) if chosen else ())
        ],
        "earlier": day_url(month.previous) if month.first > today.replace(day=1) else "",
        "later": day_url(month.next) if month.next <= last else "",
        "further": further,
        "further_url": day_url(further) if further else "",
        "carried_fields": [*query.items(), *booking_query.carried_query.items()],
        "zones_url": build_path(
            page,
            "/zones",
            **query,
            **booking_query.carried_query,
            step=step,
            date=(chosen or requested_date).isoformat(),
        ),
    }


def _present_weeks(
    month: MonthAvailability, url_for_day: Callable[[date], str], date: date | None
) -> list[list[dict[str, Any]]]:
    return [
        [
            {
                "day": day if day.month == month.first.month else None,
                "url": url_for_day(day) if day in month.free_by_day else "",
                "is_chosen": day == date,
            }
            for day in week
        ]
        for week in month.weeks
    ]


def uncached_guest_view(*methods: str) -> Callable[[View], View]:
    """Decorate a guest page that must not be cached. If the booking page has a language, it is used."""

    def decorate(view: View) -> View:
        @wraps(view)
        def respond(request: HttpRequest, address: Address, **parts: str) -> HttpResponse:
            if request.method not in methods:
                return HttpResponseNotAllowed(methods)
            page = BookingPage.from_address(address)
            with use_guest_locale(request, page.language):
                return private_response(view(request, address, page, **parts))

        return respond

    return decorate
