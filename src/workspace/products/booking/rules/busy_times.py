"""Busy times: other bookings with their buffers, blocks, and calendar events.

They are half-open intervals in whole seconds of Unix time."""

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
    """A busy time.

    `from_` and `until` are the protected time, which for a booking includes its buffers. `about` is its name for the
    owner, such as a client or the title of an event. `id` is the id of the booking or block.
    """

    from_: int
    until: int
    start: int
    end: int
    kind: BusyKind
    about: str
    id: str = ""


class BusyTimes:
    """A collection of busy times in any order, which may overlap."""

    def __init__(self, taken: Iterable[BusyTime]) -> None:
        self._times = sorted(
            busy_time for busy_time in taken if busy_time[0] < busy_time[1]
        )  # an empty interval blocks nothing
        self._starts = [time[0] for time in self._times]
        # for each index, the busy time up to it that ends last, so that one lookup shows whether any extends past a
        # time
        self._longest_until = list(accumulate(self._times, _later_ending))

    def find_overlap(self, start: int, end: int) -> BusyTime | None:
        """Return the busy time that overlaps the span, or None.

        Of the busy times that start before `end`, this is the one that ends last.
        """
        place = bisect_left(self._starts, end)
        if place and self._longest_until[place - 1].until > start:
            return self._longest_until[place - 1]
        return None


def _later_ending(busy_time: BusyTime, busy: BusyTime) -> BusyTime:
    return busy if busy.until > busy_time.until else busy_time
