"""Which times of a service are free, and why the others are not. Pure: what is taken is handed in, and so is now.

`judge` is the one rule. Times are listed by it, and whoever books, moves or approves asks it again inside of the
transaction. All moments are Unix time in whole seconds, so that a minute is a minute whatever the clocks do.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass, field
from datetime import date, timedelta
from enum import StrEnum
from heapq import nsmallest
from typing import NamedTuple

from workspace.products.booking.rules.busy_times import Occupied, Taken
from workspace.products.booking.rules.opening_hours import Opening

MINUTE = 60


class Why(StrEnum):
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


class Whose(StrEnum):
    """Whose buffer it is that two visits would share."""

    OWN = "own"
    OTHER = "other"
    BOTH = "both"


class Cause(NamedTuple):
    why: Why
    taken: Taken | None = None
    whose: Whose | None = None


@dataclass(frozen=True, slots=True)
class Terms:
    """Of a service. Minutes, but `horizon`, which is whole local days after today; `daily_cap` None is no cap."""

    duration: int
    interval: int
    before: int = 0
    after: int = 0
    notice: int = 0
    horizon: int = 60
    daily_cap: int | None = None


class Time(NamedTuple):
    start: int
    cause: Cause | None

    @property
    def is_free(self) -> bool:
        return self.cause is None


@dataclass(frozen=True, slots=True)
class Availability:
    """`booked` are live visits of the resource, `blocked` what else it is busy with; `counts` are the service's live
    visits by the local date on which they start, in the page's zone."""

    opening: Opening
    terms: Terms
    booked: Occupied
    blocked: Occupied
    counts: Mapping[date, int]
    now: int
    _last_day: date = field(init=False)  # of the horizon

    def __post_init__(self) -> None:
        last = self.opening.date_of(self.now) + timedelta(days=self.terms.horizon)
        object.__setattr__(self, "_last_day", last)

    def judge(self, start: int, exempt: Collection[Why] = ()) -> Cause | None:
        """Why no visit can begin then; None where one can. `exempt` does not count.

        A month has 9,000 times where they lie five minutes apart: so it is a row of plain questions."""
        terms, opening = self.terms, self.opening
        day = opening.date_of(start)
        near = opening.around(day)
        end = start + terms.duration * MINUTE
        if start < self.now and Why.PAST not in exempt:
            return Cause(Why.PAST)
        if not near.holds(start, end) and (why := Why.CLOSED if near.is_closed else Why.HOURS) not in exempt:
            return Cause(why)
        if not near.is_on_grid(start, terms.interval * MINUTE) and Why.GRID not in exempt:
            return Cause(Why.GRID)
        if start < self.now + terms.notice * MINUTE and Why.NOTICE not in exempt:
            return Cause(Why.NOTICE)
        if day > self._last_day and Why.HORIZON not in exempt:
            return Cause(Why.HORIZON)
        if terms.daily_cap is not None and self.counts.get(day, 0) >= terms.daily_cap and Why.CAP not in exempt:
            return Cause(Why.CAP)
        from_, until = start - terms.before * MINUTE, end + terms.after * MINUTE
        for occupied, why in ((self.booked, Why.TAKEN), (self.blocked, Why.BLOCKED)):
            if (taken := occupied.within(from_, until)) is not None:
                whose = _whose_buffer(start, end, from_, until, taken)
                if (told := why if whose is None else Why.BUFFER) not in exempt:
                    return Cause(told, taken, whose)
        return None

    def times(self, first: date, last: date) -> list[Time]:
        """Every time of the grid that starts on these local dates, in their order, with its cause."""
        starts = self.opening.starts(first, last, self.terms.interval * MINUTE)
        return [Time(start, self.judge(start)) for start in starts]

    def free(self, first: date, last: date) -> list[int]:
        return list(self._free(first, last))

    def first_free(self, first: date, last: date, after: int = 0) -> int | None:
        """The first that is not before `after`: none behind it is judged."""
        return next(self._free(first, last, after), None)

    def _free(self, first: date, last: date, after: int = 0) -> Iterator[int]:
        """What would meet something is not asked again before that is over: a later time would meet it as well."""
        for start in self.opening.starts(first, last, self.terms.interval * MINUTE):
            if start < after:
                continue
            cause = self.judge(start)
            if cause is None:
                yield start
            elif cause.taken is not None:
                after = cause.taken.until + self.terms.before * MINUTE

    def nearest(self, start: int, most: int = 3, days: int = 7) -> list[int]:
        """The free times that lie nearest to one, in their order."""
        day, around = self.opening.date_of(start), timedelta(days=days)
        return sorted(nsmallest(most, self.free(day - around, day + around), key=lambda free: abs(free - start)))


def _whose_buffer(start: int, end: int, from_: int, until: int, taken: Taken) -> Whose | None:
    """None where the visits themselves overlap."""
    if taken.start < end and start < taken.end:
        return None
    if taken.from_ < end and start < taken.until:
        return Whose.OTHER
    if taken.start < until and from_ < taken.end:
        return Whose.OWN
    return Whose.BOTH
