"""What is free, as tools: on one day as the contract has it, over many days, and why the other times are not."""

from __future__ import annotations

from datetime import date, timedelta
from typing import Annotated

from pydantic import Field
from typing_extensions import TypedDict

from workspace.accounts.models import Account
from workspace.lib.errors import InvalidInput
from workspace.lib.text import counted, escape_markdown
from workspace.products.booking.api.arguments import PageId, ServiceId
from workspace.products.booking.api.tools import box
from workspace.products.booking.domain import unavailable_reasons
from workspace.products.booking.domain.availability_query import availability_of
from workspace.products.booking.domain.queries import page_of, service_of
from workspace.products.booking.models import Service
from workspace.products.booking.rules.availability import Availability, Time
from workspace.tools.answer import Answer, bullets
from workspace.tools.argument_types import Day

MOST_TIMES = 500
EXPLAINED = 3  # days at once
YEARS = range(2000, 2200)


class Free(TypedDict):
    """`times`: when a visit can begin, with the offset of the page's zone."""

    page_id: str
    service_id: str
    date: str
    time_zone: str
    times: list[str]


@box.tool("svc_booking_availability", title="What is free on a day", reads=True)
def availability(account: Account, page_id: PageId, service_id: ServiceId, date: Day) -> Answer[Free]:
    """The times at which guests can begin a service on a date, in the page's time zone: after hours, overrides,
    buffers, bookings and connected calendars. svc_booking_find_times shows many days, or why a time is not free."""
    page = page_of(account, page_id)
    service = service_of(page, service_id)
    asked, times = _times(service, date, date)
    free = [_local(time.start, asked) for time in times if time.is_free]
    data: Free = {
        "page_id": page.pk,
        "service_id": service.pk,
        "date": date.isoformat(),
        "time_zone": page.time_zone,
        "times": free,
    }
    head = f"{escape_markdown(service.name)} on {date} ({page.time_zone}): {counted(len(free), 'free time')}"
    return Answer(data, "\n".join([head, *bullets(free, str)]))


class TimeRow(TypedDict):
    start: str
    free: bool
    why: Annotated[str, Field(description="Why it is not free; empty where it is")]


class Found(TypedDict):
    page_id: str
    service_id: str
    time_zone: str
    has_more: Annotated[bool, Field(description="Whether later days of these have more")]
    times: list[TimeRow]


@box.tool("svc_booking_find_times", title="Find free times", reads=True)
def find_times(
    account: Account,
    page_id: PageId,
    service_id: ServiceId,
    from_: Day,
    days: Annotated[int, Field(ge=1, le=62, description="How many days; 7 if left out, of explain 1, at most 3")]
    | None = None,
    explain: Annotated[bool, Field(description="Each time with why it is not free")] = False,
) -> Answer[Found]:
    """The free times of several days; or with `explain` every time that the hours offer, each with its cause where it
    is not free: hours, notice, whose buffer, which event, the cap."""
    if explain and (days or 1) > EXPLAINED:
        raise InvalidInput.at("days", f"It explains up to {EXPLAINED} days at once")
    page = page_of(account, page_id)
    service = service_of(page, service_id)
    asked, times = _times(service, from_, _last(from_, days or (1 if explain else 7)))
    wanted = [time for time in times if explain or time.is_free]
    rows: list[TimeRow] = [
        {"start": _local(time.start, asked), "free": time.is_free, "why": _why(time, asked)}
        for time in wanted[:MOST_TIMES]
    ]
    data: Found = {
        "page_id": page.pk,
        "service_id": service.pk,
        "time_zone": page.time_zone,
        "has_more": len(wanted) > MOST_TIMES,
        "times": rows,
    }
    free = sum(row["free"] for row in rows)
    head = f"{escape_markdown(service.name)} from {from_} ({page.time_zone}): {counted(free, 'free time')}"
    more = [f"There are more than these {MOST_TIMES}: ask for fewer days"] if data["has_more"] else []
    lines = bullets(rows, lambda row: row["start"] + (f": {escape_markdown(row['why'])}" if row["why"] else ""))
    return Answer(data, "\n".join([head, *lines, *more]))


def _last(first: date, days: int) -> date:
    return first if first.year not in YEARS else first + timedelta(days=days - 1)


def _times(service: Service, first: date, last: date) -> tuple[Availability, list[Time]]:
    if first.year not in YEARS:
        raise InvalidInput.at("date", "Choose a day of this century")
    asked = availability_of(service.page, service.terms(), first, last, service=service)
    return asked, asked.times(first, last)


def _local(moment: int, asked: Availability) -> str:
    return unavailable_reasons.local(moment, asked.opening.zone).isoformat()


def _why(time: Time, asked: Availability) -> str:
    return "" if time.cause is None else unavailable_reasons.for_owner(time.cause, asked.terms, asked.opening.zone)
