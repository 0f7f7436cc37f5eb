"""When a page is open: its weekly hours and the dates that differ, as spans of Unix time in whole seconds.

A window belongs to the local date on which it opens, its tail past midnight too; a date that differs replaces the
windows of that date, and no windows close it.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterator, Mapping, Sequence
from datetime import date, datetime, timedelta
from typing import NamedTuple
from zoneinfo import ZoneInfo

from workspace.lib.weekly_hours import Window, on, span

# A window is at most a day long, and runs on into the second date where the place left one out.
BACK = 2
HOUR = 3600


class Span(NamedTuple):
    """Half-open."""

    start: int
    end: int


class Near(NamedTuple):
    """The windows in which a time of a date may lie, and the visit that begins then; `merged` has those that touch as
    one, `begins` tells when these do. `is_closed`: the date has other hours, and none."""

    windows: list[Span]
    merged: list[Span]
    begins: list[int]
    is_closed: bool

    def holds(self, start: int, end: int) -> bool:
        """Whether all of a visit is within: where one window ends as the next opens, it may lie in both."""
        place = bisect_right(self.begins, start) - 1
        return place >= 0 and end <= self.merged[place].end

    def is_on_grid(self, start: int, step: int) -> bool:
        """Whether it is a whole number of steps of elapsed time after the opening of a window in which it lies."""
        for begin, end in self.windows:  # noqa: SIM110 - twice as fast
            if begin <= start < end and not (start - begin) % step:
                return True
        return False


class Dates:
    """The local dates of moments: looked up by the hour, where that has one. No zone has left a date and come back to
    it within an hour since 2011."""

    def __init__(self, zone: ZoneInfo) -> None:
        self.zone = zone
        self._hours: dict[int, date | None] = {}

    def of(self, moment: int) -> date:
        hour = moment // HOUR
        if hour not in self._hours:
            first, last = self._local(hour * HOUR), self._local(hour * HOUR + HOUR - 1)
            self._hours[hour] = first if first == last else None
        return self._hours[hour] or self._local(moment)

    def _local(self, moment: int) -> date:
        return datetime.fromtimestamp(moment, self.zone).date()


class Opening:
    def __init__(self, hours: Sequence[Window], overrides: Mapping[date, Sequence[Window]], zone: ZoneInfo) -> None:
        self.hours, self.overrides, self.zone = hours, overrides, zone
        self._days: dict[date, list[Span]] = {}
        self._near: dict[date, Near] = {}
        self._dates = Dates(zone)

    def windows(self, first: date, last: date) -> Iterator[Span]:
        """Those that open on these local dates."""
        for ahead in range((last - first).days + 1):
            yield from self._of(first + timedelta(days=ahead))

    def starts(self, first: date, last: date, step: int) -> list[int]:
        """All times of the grid on these local dates, in their order, each once."""
        windows = self.windows(first - timedelta(days=BACK), last + timedelta(days=1))
        found = {start for one in windows for start in range(one.start, one.end, step)}
        return sorted(start for start in found if first <= self.date_of(start) <= last)

    def date_of(self, moment: int) -> date:
        return self._dates.of(moment)

    def around(self, day: date) -> Near:
        found = self._near.get(day)
        if found is None:
            windows = sorted(self.windows(day - timedelta(days=BACK), day + timedelta(days=BACK)))
            merged = _union(windows)
            is_closed = self.overrides.get(day) == []
            found = self._near[day] = Near(windows, merged, [one.start for one in merged], is_closed)
        return found

    def _of(self, day: date) -> list[Span]:
        if day not in self._days:
            windows = self.overrides.get(day)
            if windows is None:
                windows = [window for window in self.hours if on(window, day)]
            found = [span(window["from"], window["until"], day, self.zone) for window in windows]
            self._days[day] = [Span(int(a.timestamp()), int(b.timestamp())) for a, b in filter(None, found)]
        return self._days[day]


def _union(spans: Sequence[Span]) -> list[Span]:
    merged: list[Span] = []
    for one in spans:
        if merged and one.start <= merged[-1].end:
            merged[-1] = Span(merged[-1].start, max(merged[-1].end, one.end))
        else:
            merged.append(one)
    return merged
