"""What stands in the way of a visit: others' visits with their buffers, blocks, and what calendars hold. In whole
seconds of Unix time, half-open."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterable
from enum import StrEnum
from itertools import accumulate
from typing import NamedTuple


class BusyKind(StrEnum):
    BOOKING = "booking"
    PAYING = "payment"
    REQUEST = "request"
    BLOCK = "block"
    EVENT = "calendar"


class BusyTime(NamedTuple):
    """`from_` and `until` are what is kept free for it: a visit with its buffers. `about` is what its owner knows it
    by, an id or a few words."""

    from_: int
    until: int
    start: int
    end: int
    kind: BusyKind
    about: str


class BusyTimes:
    """Many of them, which may overlap one another, in any order."""

    def __init__(self, taken: Iterable[BusyTime]) -> None:
        self._times = sorted(one for one in taken if one[0] < one[1])  # what takes no time is in nobody's way
        self._starts = [one[0] for one in self._times]
        # up to each place, the one that lasts longest: whether anything reaches past a moment is then one look
        self._longest_until = list(accumulate(self._times, _later_ending))

    def find_overlap(self, start: int, end: int) -> BusyTime | None:
        """One that overlaps the span, of those that begin before its end the one that lasts longest."""
        place = bisect_left(self._starts, end)
        if place and self._longest_until[place - 1].until > start:
            return self._longest_until[place - 1]
        return None


def _later_ending(held: BusyTime, one: BusyTime) -> BusyTime:
    return one if one.until > held.until else held
