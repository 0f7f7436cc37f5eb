"""What a guest is offered: the free times of a month, by the dates of the guest's own zone."""

from __future__ import annotations

import calendar
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import date, datetime, time, timedelta
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
    """The first of the guest's dates, from one on, that has a free time."""
    begin, end = _booked_between(service, after, after + timedelta(days=SEARCHED))
    if begin > end:
        return None
    asked = availability_of(service.page, service.terms(), begin, end, service=service)
    midnight = int(datetime.combine(after, time.min, zone).timestamp())
    found = asked.first_free(begin, end, midnight)
    return None if found is None else datetime.fromtimestamp(found, zone).date()


def _free(service: Service, first: date, last: date, zone: ZoneInfo) -> dict[date, list[datetime]]:
    found = dict[date, list[datetime]]()
    begin, end = _booked_between(service, first, last)
    if begin > end:
        return found
    asked = availability_of(service.page, service.terms(), begin, end, service=service)
    for start in asked.free(begin, end):
        there = datetime.fromtimestamp(start, zone)
        if first <= there.date() <= last:
            found.setdefault(there.date(), []).append(there)
    return found


def _booked_between(service: Service, first: date, last: date) -> tuple[date, date]:
    """The page's dates that may hold times of these dates of a guest's, as far as it can be booked at all."""
    return max(first - _DAY, clock.today(service.page.time_zone)), min(last + _DAY, last_day(service))


def _after(first: date) -> date:
    return (first + timedelta(days=31)).replace(day=1)
