"""What a guest is offered: the free times of a month, by the dates of the guest's own zone."""

from __future__ import annotations

import calendar
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import UTC, date, datetime, timedelta
from zoneinfo import ZoneInfo

from workspace.products.booking.asking import availability_of
from workspace.products.booking.models import Service
from workspace.toolkit import clock

_DAY = timedelta(days=1)
SEARCHED = 93  # days beyond a full month in which the next free one is looked for


@dataclass(frozen=True, slots=True)
class Month:
    """`free` has the dates with free times only, each with its moments in the guest's zone."""

    first: date
    free: Mapping[date, list[datetime]]

    @property
    def weeks(self) -> list[list[date]]:
        """Whole weeks from Monday on, with the days of other months that they hold."""
        return calendar.Calendar().monthdatescalendar(self.first.year, self.first.month)

    @property
    def previous(self) -> date:
        return (self.first - _DAY).replace(day=1)

    @property
    def next(self) -> date:
        return _after(self.first)


def month_of(service: Service, day: date, zone: ZoneInfo) -> Month:
    first = day.replace(day=1)
    free = _free(service, first, _after(first) - _DAY, zone)
    return Month(first, free)


def last_day(service: Service) -> date:
    """The last one on which it can be booked, in the page's zone."""
    return clock.today(service.page.time_zone) + timedelta(days=service.horizon)


def next_free(service: Service, after: date, zone: ZoneInfo) -> date | None:
    """The first date from one on that has a free time."""
    last = min(last_day(service) + _DAY, after + timedelta(days=SEARCHED))
    return min(_free(service, after, last, zone), default=None)


def _free(service: Service, first: date, last: date, zone: ZoneInfo) -> dict[date, list[datetime]]:
    """On these dates of the guest's, which reach into those of the page before and after them."""
    page, found = service.page, dict[date, list[datetime]]()
    begin = max(first - _DAY, clock.today(page.time_zone))
    end = min(last + _DAY, last_day(service))
    if begin > end:
        return found
    asked = availability_of(page, service.terms(), begin, end, service=service)
    for start in asked.free(begin, end):
        there = datetime.fromtimestamp(start, UTC).astimezone(zone)
        if first <= there.date() <= last:
            found.setdefault(there.date(), []).append(there)
    return found


def _after(first: date) -> date:
    return (first + timedelta(days=31)).replace(day=1)
