"""Which times of a service are free, and why the others are not. Pure: what is taken is handed in, and so is now.

`find_cause` is the one rule. Times are listed by it, and whoever books, moves or approves asks it again inside of the
transaction. All moments are Unix time in whole seconds, so that a minute is a minute whatever the clocks do.
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
    """Whose buffer it is that two visits would share."""

    OWN = "own"
    OTHER = "other"
    BOTH = "both"


class Cause(NamedTuple):
    reason: UnavailableReason
    busy_time: BusyTime | None = None
    buffer_owner: BufferOwner | None = None


@dataclass(frozen=True, slots=True)
class ServiceTerms:
    """Of a service. Minutes, but `horizon`, which is whole local days after today; `daily_cap` None is no cap."""

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
    """`bookings` are live visits of the resource, `busy_times` what else it is busy with; `counts` are the service's
    live visits by the local date on which they start, in the page's zone."""

    opening: OpeningHours
    terms: ServiceTerms
    bookings: BusyTimes
    busy_times: BusyTimes
    counts: Mapping[date, int]
    now: int
    _last_day: date = field(init=False)  # of the horizon

    def __post_init__(self) -> None:
        last = self.opening.date_of(self.now) + timedelta(days=self.terms.horizon)
        object.__setattr__(self, "_last_day", last)

    def find_cause(self, start: int, exempt: Collection[UnavailableReason] = ()) -> Cause | None:
        """Why no visit can begin then; None where one can. `exempt` does not count.

        A month has 9,000 times where they lie five minutes apart: so it is a row of plain questions."""
        terms, opening = self.terms, self.opening
        day = opening.date_of(start)
        near = opening.windows_near(day)
        end = start + terms.duration * MINUTE_SECONDS
        if start < self.now and UnavailableReason.PAST not in exempt:
            return Cause(UnavailableReason.PAST)
        if (
            not near.contains(start, end)
            and (why := UnavailableReason.CLOSED if near.is_closed else UnavailableReason.HOURS) not in exempt
        ):
            return Cause(why)
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
        for occupied, why in ((self.bookings, UnavailableReason.TAKEN), (self.busy_times, UnavailableReason.BLOCKED)):
            if (taken := occupied.find_overlap(from_, until)) is not None:
                whose = _buffer_owner(start, end, from_, until, taken)
                if (told := why if whose is None else UnavailableReason.BUFFER) not in exempt:
                    return Cause(told, taken, whose)
        return None

    def list_times(self, first: date, last: date) -> list[StartTime]:
        """Every time of the grid that starts on these local dates, in their order, with its cause."""
        starts = self.opening.list_starts(first, last, self.terms.interval * MINUTE_SECONDS)
        return [StartTime(start, self.find_cause(start)) for start in starts]

    def list_free(self, first: date, last: date) -> list[int]:
        return list(self._iterate_free(first, last))

    def find_first_free(self, first: date, last: date, after: int = 0) -> int | None:
        """The first that is not before `after`: none behind it is judged."""
        return next(self._iterate_free(first, last, after), None)

    def _iterate_free(self, first: date, last: date, after: int = 0) -> Iterator[int]:
        """What would meet something is not asked again before that is over: a later time would meet it as well."""
        for start in self.opening.list_starts(first, last, self.terms.interval * MINUTE_SECONDS):
            if start < after:
                continue
            cause = self.find_cause(start)
            if cause is None:
                yield start
            elif cause.busy_time is not None:
                after = cause.busy_time.until + self.terms.before * MINUTE_SECONDS

    def find_nearest(self, start: int, most: int = 3, days: int = 7) -> list[int]:
        """The free times that lie nearest to one, in their order."""
        day, around = self.opening.date_of(start), timedelta(days=days)
        return sorted(nsmallest(most, self.list_free(day - around, day + around), key=lambda free: abs(free - start)))


def _buffer_owner(start: int, end: int, from_: int, until: int, taken: BusyTime) -> BufferOwner | None:
    """None where the visits themselves overlap."""
    if taken.start < end and start < taken.end:
        return None
    if taken.from_ < end and start < taken.until:
        return BufferOwner.OTHER
    if taken.start < until and from_ < taken.end:
        return BufferOwner.OWN
    return BufferOwner.BOTH
