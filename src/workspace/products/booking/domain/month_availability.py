"""The available times of a month for guests, by date in the guest's time zone."""

from __future__ import annotations

import calendar
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import date, datetime, time, timedelta
from zoneinfo import ZoneInfo

from workspace.lib import clock
from workspace.products.booking.domain.availability_query import load_availability
from workspace.products.booking.models import Booking, BookingPage, Service
from workspace.products.booking.rules.availability import Availability, ServiceTerms
from workspace.products.booking.rules.opening_hours import LocalDates

_DAY = timedelta(days=1)
SEARCH_DAYS = 93  # days after a full month in which the next available time is searched for


@dataclass(frozen=True, slots=True)
class MonthAvailability:
    """The available times of a month.

    `free_by_day` has only dates with available times, as Unix time. They are not converted here, because a guest views
    the times of only one day.
    """

    first: date
    free_by_day: Mapping[date, list[int]]
    zone: ZoneInfo

    def times_on(self, day: date) -> list[datetime]:
        """Return the times of a day in the guest's time zone."""
        return [datetime.fromtimestamp(start, self.zone) for start in self.free_by_day.get(day, ())]

    @property
    def weeks(self) -> list[list[date]]:
        """The full weeks of the month, starting on Monday, including days of adjacent months."""
        return calendar.Calendar().monthdatescalendar(self.first.year, self.first.month)

    @property
    def previous(self) -> date:
        return (self.first - _DAY).replace(day=1)

    @property
    def next(self) -> date:
        return _next_month(self.first)


@dataclass(frozen=True, slots=True)
class ServiceOffer:
    """A service to book, or a booking of it to reschedule.

    A booking to reschedule does not block itself, and its duration does not change.
    """

    service: Service
    moved_booking: Booking | None = None

    @property
    def page(self) -> BookingPage:
        return self.service.page

    @property
    def terms(self) -> ServiceTerms:
        return self.service.build_terms(self.moved_booking.duration if self.moved_booking is not None else None)

    @property
    def last_day(self) -> date:
        """The last day that guests can book, in the page's time zone."""
        return clock.today(self.page.time_zone) + timedelta(days=self.service.max_days_ahead)

    def load_month(self, day: date, zone: ZoneInfo) -> MonthAvailability:
        first = day.replace(day=1)
        return MonthAvailability(first, self._free_times_by_day(first, _next_month(first) - _DAY, zone), zone)

    def find_next_free_day(self, after: date, zone: ZoneInfo) -> date | None:
        """Return the first date with an available time, starting with `after`, or None.

        Dates are in the guest's time zone.
        """
        begin, end = self._bookable_range(after, after + timedelta(days=SEARCH_DAYS))
        if begin > end:
            return None
        midnight = int(datetime.combine(after, time.min, zone).timestamp())
        first_free = self._load_availability(begin, end).find_first_free(begin, end, midnight)
        return None if first_free is None else datetime.fromtimestamp(first_free, zone).date()

    def _free_times_by_day(self, first: date, last: date, zone: ZoneInfo) -> dict[date, list[int]]:
        result = dict[date, list[int]]()
        begin, end = self._bookable_range(first, last)
        if begin > end:
            return result
        availability, dates = self._load_availability(begin, end), LocalDates(zone)
        for start in availability.list_free(begin, end):
            if first <= (day := dates.date_of(start)) <= last:
                result.setdefault(day, []).append(start)
        return result

    def _load_availability(self, begin: date, end: date) -> Availability:
        return load_availability(
            self.page, self.terms, begin, end, service=self.service, ignored_booking=self.moved_booking
        )

    def _bookable_range(self, first: date, last: date) -> tuple[date, date]:
        """Return the page's dates within the bookable range that may contain times of these dates of the guest."""
        return max(first - _DAY, clock.today(self.page.time_zone)), min(last + _DAY, self.last_day)


def _next_month(first: date) -> date:
    return (first + timedelta(days=31)).replace(day=1)
