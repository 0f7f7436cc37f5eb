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
    """`times`: when a visit can begin, with the offset of the page's zone."""

    page_id: str
    service_id: str
    date: str
    time_zone: str
    times: list[str]


@box.tool("svc_booking_availability", title="What is free on a day", reads=True)
def get_availability(account: Account, page_id: PageId, service_id: ServiceId, date: Day) -> Answer[DayAvailability]:
    """The times at which guests can begin a service on a date, in the page's time zone: after hours, overrides,
    buffers, bookings and connected calendars. svc_booking_find_times shows many days, or why a time is not free."""
    page = get_page(account, page_id)
    service = get_service(page, service_id)
    availability, times = _compute_times(service, date, date)
    free = [_format_local_time(time.start, availability) for time in times if time.is_free]
    data: DayAvailability = {
        "page_id": page.pk,
        "service_id": service.pk,
        "date": date.isoformat(),
        "time_zone": page.time_zone,
        "times": free,
    }
    head = f"{escape_markdown(service.name)} on {date} ({page.time_zone}): {format_count(len(free), 'free time')}"
    return Answer(data, "\n".join([head, *format_bullets(free, str)]))


class TimeData(TypedDict):
    start: str
    free: bool
    why: Annotated[str, Field(description="Why it is not free; empty where it is")]


class AvailableTimes(TypedDict):
    page_id: str
    service_id: str
    time_zone: str
    has_more: Annotated[bool, Field(description="Whether later days of these have more")]
    times: list[TimeData]


@box.tool("svc_booking_find_times", title="Find free times", reads=True)
def find_times(
    account: Account,
    page_id: PageId,
    service_id: ServiceId,
    from_: Day,
    days: Annotated[int, Field(ge=1, le=62, description="How many days; 7 if left out, of explain 1, at most 3")]
    | None = None,
    explain: Annotated[bool, Field(description="Each time with why it is not free")] = False,
) -> Answer[AvailableTimes]:
    """The free times of several days; or with `explain` every time that the hours offer, each with its cause where it
    is not free: hours, notice, whose buffer, which event, the cap."""
    if explain and (days or 1) > MAX_EXPLAINED_DAYS:
        raise InvalidInputError.at_path("days", f"It explains up to {MAX_EXPLAINED_DAYS} days at once")
    page = get_page(account, page_id)
    service = get_service(page, service_id)
    availability, times = _compute_times(service, from_, _last_day(from_, days or (1 if explain else 7)))
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
    head = f"{escape_markdown(service.name)} from {from_} ({page.time_zone}): {format_count(free, 'free time')}"
    more = [f"There are more than these {MAX_TIMES}: ask for fewer days"] if data["has_more"] else []
    lines = format_bullets(rows, lambda row: row["start"] + (f": {escape_markdown(row['why'])}" if row["why"] else ""))
    return Answer(data, "\n".join([head, *lines, *more]))


def _last_day(first: date, days: int) -> date:
    return first if first.year not in SUPPORTED_YEARS else first + timedelta(days=days - 1)


def _compute_times(service: Service, first: date, last: date) -> tuple[Availability, list[StartTime]]:
    if first.year not in SUPPORTED_YEARS:
        raise InvalidInputError.at_path("date", "Choose a day of this century")
    availability = load_availability(service.page, service.build_terms(), first, last, service=service)
    return availability, availability.list_times(first, last)


def _format_local_time(moment: int, availability: Availability) -> str:
    return unavailable_reasons.to_local_time(moment, availability.opening.zone).isoformat()


def _describe_cause(time: StartTime, availability: Availability) -> str:
    return (
        ""
        if time.cause is None
        else unavailable_reasons.describe_for_owner(time.cause, availability.terms, availability.opening.zone)
    )
