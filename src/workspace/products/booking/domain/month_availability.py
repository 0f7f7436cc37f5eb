"""What a guest is offered: the free times of a month, by the dates of the guest's own zone."""

from __future__ import annotations

import calendar
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import date, datetime, time, timedelta
from zoneinfo import ZoneInfo

from workspace.lib import clock
from workspace.products.booking.domain.availability_query import availability_of
from workspace.products.booking.models import Booking, BookingPage, Service
from workspace.products.booking.rules.availability import Availability, Terms
from workspace.products.booking.rules.opening_hours import Dates

_DAY = timedelta(days=1)
SEARCHED = 93  # days beyond a full month in which the next free one is looked for


@dataclass(frozen=True, slots=True)
class Month:
    """`free` has the dates with free times only, each with its moments in Unix time: of thousands, a guest reads those
    of one day."""

    first: date
    free: Mapping[date, list[int]]
    zone: ZoneInfo

    def times(self, day: date) -> list[datetime]:
        """In the guest's zone."""
        return [datetime.fromtimestamp(start, self.zone) for start in self.free.get(day, ())]

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


@dataclass(frozen=True, slots=True)
class Offer:
    """A service, or a booking of it that is to move: it is not in its own way, and stays as long as it is."""

    service: Service
    moved: Booking | None = None

    @property
    def page(self) -> BookingPage:
        return self.service.page

    @property
    def terms(self) -> Terms:
        return self.service.terms(self.moved.duration if self.moved is not None else None)

    @property
    def last_day(self) -> date:
        """The last one on which it can be booked, in the page's zone."""
        return clock.today(self.page.time_zone) + timedelta(days=self.service.horizon)

    def month_of(self, day: date, zone: ZoneInfo) -> Month:
        first = day.replace(day=1)
        return Month(first, self._free(first, _after(first) - _DAY, zone), zone)

    def next_free(self, after: date, zone: ZoneInfo) -> date | None:
        """The first of the guest's dates, from one on, that has a free time."""
        begin, end = self._booked_between(after, after + timedelta(days=SEARCHED))
        if begin > end:
            return None
        midnight = int(datetime.combine(after, time.min, zone).timestamp())
        found = self._asked(begin, end).first_free(begin, end, midnight)
        return None if found is None else datetime.fromtimestamp(found, zone).date()

    def _free(self, first: date, last: date, zone: ZoneInfo) -> dict[date, list[int]]:
        found = dict[date, list[int]]()
        begin, end = self._booked_between(first, last)
        if begin > end:
            return found
        asked, dates = self._asked(begin, end), Dates(zone)
        for start in asked.free(begin, end):
            if first <= (day := dates.of(start)) <= last:
                found.setdefault(day, []).append(start)
        return found

    def _asked(self, begin: date, end: date) -> Availability:
        return availability_of(self.page, self.terms, begin, end, service=self.service, without=self.moved)

    def _booked_between(self, first: date, last: date) -> tuple[date, date]:
        """The page's dates that may hold times of these dates of a guest's, as far as it can be booked at all."""
        return max(first - _DAY, clock.today(self.page.time_zone)), min(last + _DAY, self.last_day)


def _after(first: date) -> date:
    return (first + timedelta(days=31)).replace(day=1)
