"""The available times of a service, and the reasons why other times are unavailable.

The module is pure: busy times and the current time are arguments. `find_cause` is the single rule. It is used to list
times, and booking, rescheduling and approval call it again inside their transaction. All times are Unix time in whole
seconds, so clock changes do not matter.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass, field
from datetime import date, timedelta
from enum import StrEnum
from heapq import nsmallest
from typing import NamedTuple

from workspace.products.booking.rules.busy_times import BusyTime, BusyTimes
from workspace.products.booking.rules.opening_hours import OpeningHours

MINUTE_SECONDS = 60
SEARCH_STEP = timedelta(days=6)


class UnavailableReason(StrEnum):
    PAST = "past"
    CLOSED = "closed"
    HOURS = "hours"
    GRID = "interval"
    NOTICE = "notice"
    HORIZON = "horizon"
    CAP = "daily_cap"
    TAKEN = "taken"
    BUFFER = "buffer"
    BLOCKED = "blocked"


class BufferOwner(StrEnum):
    """The booking whose buffer causes an overlap."""

    OWN = "own"
    OTHER = "other"
    BOTH = "both"


class Cause(NamedTuple):
    reason: UnavailableReason
    busy_time: BusyTime | None = None
    buffer_owner: BufferOwner | None = None


@dataclass(frozen=True, slots=True)
class ServiceTerms:
    """The terms of a service.

    Times are in minutes, except `horizon`, in whole local days after today. If `daily_cap` is None, there is no cap.
    """

    duration: int
    interval: int
    before: int = 0
    after: int = 0
    notice: int = 0
    horizon: int = 60
    daily_cap: int | None = None


class StartTime(NamedTuple):
    start: int
    cause: Cause | None

    @property
    def is_free(self) -> bool:
        return self.cause is None


@dataclass(frozen=True, slots=True)
class Availability:
    """The availability of a service.

    `bookings` are the resource's live bookings, and `busy_times` its other busy times. `counts` has the number of the
    service's live bookings by local start date, in the page's time zone.
    """

    opening: OpeningHours
    terms: ServiceTerms
    bookings: BusyTimes
    busy_times: BusyTimes
    counts: Mapping[date, int]
    now: int
    _last_day: date = field(init=False)  # the last day of the horizon

    def __post_init__(self) -> None:
        last = self.opening.date_of(self.now) + timedelta(days=self.terms.horizon)
        object.__setattr__(self, "_last_day", last)

    def find_cause(self, start: int, exempt: Collection[UnavailableReason] = ()) -> Cause | None:
        """Return why no appointment can start at `start`, or None if it can. Reasons in `exempt` are ignored.

        With an interval of five minutes, a month has 9,000 times, so this is a plain sequence of conditions for speed.
        """
        terms, opening = self.terms, self.opening
        day = opening.date_of(start)
        near = opening.windows_near(day)
        end = start + terms.duration * MINUTE_SECONDS
        if start < self.now and UnavailableReason.PAST not in exempt:
            return Cause(UnavailableReason.PAST)
        if (
            not near.contains(start, end)
            and (reason := UnavailableReason.CLOSED if near.is_closed else UnavailableReason.HOURS) not in exempt
        ):
            return Cause(reason)
        if not near.is_on_grid(start, terms.interval * MINUTE_SECONDS) and UnavailableReason.GRID not in exempt:
            return Cause(UnavailableReason.GRID)
        if start < self.now + terms.notice * MINUTE_SECONDS and UnavailableReason.NOTICE not in exempt:
            return Cause(UnavailableReason.NOTICE)
        if day > self._last_day and UnavailableReason.HORIZON not in exempt:
            return Cause(UnavailableReason.HORIZON)
        if (
            terms.daily_cap is not None
            and self.counts.get(day, 0) >= terms.daily_cap
            and UnavailableReason.CAP not in exempt
        ):
            return Cause(UnavailableReason.CAP)
        from_, until = start - terms.before * MINUTE_SECONDS, end + terms.after * MINUTE_SECONDS
        for occupied, reason in (
            (self.bookings, UnavailableReason.TAKEN),
            (self.busy_times, UnavailableReason.BLOCKED),
        ):
            if (taken := occupied.find_overlap(from_, until)) is not None:
                buffer_owner = _buffer_owner(start, end, from_, until, taken)
                if (unavailable_reason := reason if buffer_owner is None else UnavailableReason.BUFFER) not in exempt:
                    return Cause(unavailable_reason, taken, buffer_owner)
        return None

    def list_times(self, first: date, last: date) -> list[StartTime]:
        """Return all times of the grid on these local dates, in order, with the reason if a time is unavailable."""
        starts = self.opening.list_starts(first, last, self.terms.interval * MINUTE_SECONDS)
        return [StartTime(start, self.find_cause(start)) for start in starts]

    def list_free(self, first: date, last: date) -> list[int]:
        return list(self._iterate_free(first, last))

    def find_first_free(self, first: date, last: date, after: int = 0) -> int | None:
        """Return the first available time that is not before `after`, or None. Later times are not checked."""
        while first <= last:  # week by week, since most pages have an available time soon
            end = min(first + SEARCH_STEP, last)
            if (found := next(self._iterate_free(first, end, after), None)) is not None:
                return found
            first = end + timedelta(days=1)
        return None

    def _iterate_free(self, first: date, last: date, after: int = 0) -> Iterator[int]:
        """Yield the available times.

        After an overlap, continue at the end of that busy time, because all times before it overlap too.
        """
        for start in self.opening.list_starts(first, last, self.terms.interval * MINUTE_SECONDS):
            if start < after:
                continue
            cause = self.find_cause(start)
            if cause is None:
                yield start
            elif cause.busy_time is not None:
                after = cause.busy_time.until + self.terms.before * MINUTE_SECONDS

    def find_nearest(self, start: int, max_count: int = 3, days: int = 7) -> list[int]:
        """Return up to `max_count` available times nearest to `start`, in chronological order."""
        day, around = self.opening.date_of(start), timedelta(days=days)
        return sorted(
            nsmallest(max_count, self.list_free(day - around, day + around), key=lambda free: abs(free - start))
        )


def _buffer_owner(start: int, end: int, from_: int, until: int, taken: BusyTime) -> BufferOwner | None:
    """Return the booking whose buffer overlaps, or None if the appointments themselves overlap."""
    if taken.start < end and start < taken.end:
        return None
    if taken.from_ < end and start < taken.until:
        return BufferOwner.OTHER
    if taken.start < until and from_ < taken.end:
        return BufferOwner.OWN
    return BufferOwner.BOTH
