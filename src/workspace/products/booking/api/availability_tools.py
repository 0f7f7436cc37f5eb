"""Tools for available times.

They list the times of one day, as the contract defines them, or of several days, and explain why others are
unavailable."""

from __future__ import annotations

from datetime import date, timedelta
from typing import Annotated

from pydantic import Field
from typing_extensions import TypedDict

from workspace.accounts.models import Account
from workspace.lib.errors import InvalidInputError
from workspace.lib.text import escape_markdown, format_count
from workspace.products.booking import messages
from workspace.products.booking.api.arguments import PageId, ServiceId
from workspace.products.booking.api.tools import box
from workspace.products.booking.domain import unavailable_reasons
from workspace.products.booking.domain.availability_query import load_availability
from workspace.products.booking.domain.queries import get_page, get_service
from workspace.products.booking.models import Service
from workspace.products.booking.rules.availability import Availability, StartTime
from workspace.tools.answer import Answer, format_bullets
from workspace.tools.argument_types import Day

MAX_TIMES = 500
MAX_EXPLAINED_DAYS = 3
SUPPORTED_YEARS = range(2000, 2200)


class DayAvailability(TypedDict):
    """The availability of one day.

    `times` are the times when an appointment can start, with the offset of the page's time zone.
    """

    page_id: str
    service_id: str
    date: str
    time_zone: str
    times: list[str]


@box.tool(
    "svc_booking_availability",
    title="Get available times on one day",
    about="Get the available start times of a service on one date, in the page's time zone. Respects hours, "
    "overrides, buffers, bookings and connected calendars. For several days, or to learn why a slot is "
    "unavailable, use svc_booking_find_times.",
    short="Get available start times of a service on one date.",
    synonyms="slots today, openings today, free today, free tomorrow, is there a slot on, freie zeiten heute, frei "
    "am, freie termine morgen, huecos hoy, disponible mañana, horas libres hoy",
    reads=True,
)
def get_availability(
    account: Account,
    page_id: PageId,
    service_id: ServiceId,
    date: Annotated[Day, Field(description="Date, YYYY-MM-DD.")],
) -> Answer[DayAvailability]:
    page = get_page(account, page_id)
    service = get_service(page, service_id)
    availability, times = compute_times(service, date, date)
    free = [_format_local_time(time.start, availability) for time in times if time.is_free]
    data: DayAvailability = {
        "page_id": page.pk,
        "service_id": service.pk,
        "date": date.isoformat(),
        "time_zone": page.time_zone,
        "times": free,
    }
    head = f"{escape_markdown(service.name)} on {date} ({page.time_zone}): {format_count(len(free), 'available time')}"
    return Answer(data, "\n".join([head, *format_bullets(free, str)]))


class TimeData(TypedDict):
    start: str
    free: bool
    why: Annotated[str, Field(description="Why it is unavailable. Empty if available.")]


class AvailableTimes(TypedDict):
    page_id: str
    service_id: str
    time_zone: str
    has_more: Annotated[bool, Field(description="Whether there are more times on later days.")]
    times: list[TimeData]


@box.tool(
    "svc_booking_find_times",
    title="Find available slots",
    about="Find available slots over several days. With explain=true, returns every slot and why it is unavailable: "
    "hours, notice, buffer, calendar event or daily limit.",
    short="Find available slots, or see why a slot is unavailable.",
    synonyms="openings, next free, earliest, this week, next week, free slot, gap, availability, why not "
    "available, why can't clients book, nächster freier termin, freie termine, warum nicht buchbar, próxima cita "
    "libre, huecos, disponibilidad, por qué no se puede reservar",
    reads=True,
)
def find_times(
    account: Account,
    page_id: PageId,
    service_id: ServiceId,
    from_: Annotated[Day, Field(description="First date, YYYY-MM-DD. Defaults to today.")],
    days: Annotated[
        int,
        Field(
            ge=1,
            le=62,
            description="Number of days. Defaults to 7. With explain, the default is 1 and the maximum is 3.",
        ),
    ]
    | None = None,
    explain: Annotated[
        bool, Field(description="Whether to also list unavailable times and why. Defaults to false.")
    ] = False,
) -> Answer[AvailableTimes]:
    if explain and (days or 1) > MAX_EXPLAINED_DAYS:
        raise InvalidInputError.at_path("days", messages.EXPLAIN_LIMIT(most=MAX_EXPLAINED_DAYS))
    page = get_page(account, page_id)
    service = get_service(page, service_id)
    availability, times = compute_times(service, from_, _last_day(from_, days or (1 if explain else 7)))
    start_times = [time for time in times if explain or time.is_free]
    rows: list[TimeData] = [
        {
            "start": _format_local_time(time.start, availability),
            "free": time.is_free,
            "why": _describe_cause(time, availability),
        }
        for time in start_times[:MAX_TIMES]
    ]
    data: AvailableTimes = {
        "page_id": page.pk,
        "service_id": service.pk,
        "time_zone": page.time_zone,
        "has_more": len(start_times) > MAX_TIMES,
        "times": rows,
    }
    free = sum(row["free"] for row in rows)
    head = f"{escape_markdown(service.name)} from {from_} ({page.time_zone}): {format_count(free, 'available time')}"
    more = [f"Only the first {MAX_TIMES} are shown. Request fewer days"] if data["has_more"] else []
    lines = format_bullets(rows, lambda row: row["start"] + (f": {escape_markdown(row['why'])}" if row["why"] else ""))
    return Answer(data, "\n".join([head, *lines, *more]))


def _last_day(first: date, days: int) -> date:
    return first if first.year not in SUPPORTED_YEARS else first + timedelta(days=days - 1)


def compute_times(service: Service, first: date, last: date) -> tuple[Availability, list[StartTime]]:
    """Return the availability of a service, and all of its times on these local dates.

    Raise InvalidInputError if the dates are outside the range of the calendar.
    """
    if first.year not in SUPPORTED_YEARS:
        raise InvalidInputError.at_path("date", messages.DATE_OUT_OF_RANGE)
    availability = load_availability(service.page, service.build_terms(), first, last, service=service)
    return availability, availability.list_times(first, last)


def _format_local_time(moment: int, availability: Availability) -> str:
    return unavailable_reasons.to_local_time(moment, availability.opening.zone).isoformat()


def _describe_cause(time: StartTime, availability: Availability) -> str:
    return (
        ""
        if time.cause is None
        else str(unavailable_reasons.describe_for_owner(time.cause, availability.terms, availability.opening.zone))
    )
