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

from workspace.lib.weekly_hours import Window, compute_span, is_on_day

# A window is at most a day long, and runs on into the second date where the place left one out.
LOOKBEHIND_DAYS = 2
HOUR_SECONDS = 3600


class TimeSpan(NamedTuple):
    """Half-open."""

    start: int
    end: int


class NearbyWindows(NamedTuple):
    """The windows in which a time of a date may lie, and the visit that begins then; `merged_windows` has those that
    touch as one, `merged_starts` tells when these do. `is_closed`: the date has other hours, and none."""

    windows: list[TimeSpan]
    merged_windows: list[TimeSpan]
    merged_starts: list[int]
    is_closed: bool

    def contains(self, start: int, end: int) -> bool:
        """Whether all of a visit is within: where one window ends as the next opens, it may lie in both."""
        place = bisect_right(self.merged_starts, start) - 1
        return place >= 0 and end <= self.merged_windows[place].end

    def is_on_grid(self, start: int, step: int) -> bool:
        """Whether it is a whole number of steps of elapsed time after the opening of a window in which it lies."""
        for begin, end in self.windows:  # noqa: SIM110 - twice as fast
            if begin <= start < end and not (start - begin) % step:
                return True
        return False


class LocalDates:
    """The local dates of moments: looked up by the hour, where that has one. No zone has left a date and come back to
    it within an hour since 2011."""

    def __init__(self, zone: ZoneInfo) -> None:
        self.zone = zone
        self._dates_by_hour: dict[int, date | None] = {}

    def date_of(self, moment: int) -> date:
        hour = moment // HOUR_SECONDS
        if hour not in self._dates_by_hour:
            first, last = (
                self._compute_date(hour * HOUR_SECONDS),
                self._compute_date(hour * HOUR_SECONDS + HOUR_SECONDS - 1),
            )
            self._dates_by_hour[hour] = first if first == last else None
        return self._dates_by_hour[hour] or self._compute_date(moment)

    def _compute_date(self, moment: int) -> date:
        return datetime.fromtimestamp(moment, self.zone).date()


class OpeningHours:
    def __init__(self, hours: Sequence[Window], overrides: Mapping[date, Sequence[Window]], zone: ZoneInfo) -> None:
        self.hours, self.overrides, self.zone = hours, overrides, zone
        self._spans_by_day: dict[date, list[TimeSpan]] = {}
        self._nearby_by_day: dict[date, NearbyWindows] = {}
        self._dates = LocalDates(zone)

    def iterate_windows(self, first: date, last: date) -> Iterator[TimeSpan]:
        """Those that open on these local dates."""
        for ahead in range((last - first).days + 1):
            yield from self._spans_on(first + timedelta(days=ahead))

    def list_starts(self, first: date, last: date, step: int) -> list[int]:
        """All times of the grid on these local dates, in their order, each once."""
        windows = self.iterate_windows(first - timedelta(days=LOOKBEHIND_DAYS), last + timedelta(days=1))
        found = {start for one in windows for start in range(one.start, one.end, step)}
        return sorted(start for start in found if first <= self.date_of(start) <= last)

    def date_of(self, moment: int) -> date:
        return self._dates.date_of(moment)

    def windows_near(self, day: date) -> NearbyWindows:
        found = self._nearby_by_day.get(day)
        if found is None:
            windows = sorted(
                self.iterate_windows(day - timedelta(days=LOOKBEHIND_DAYS), day + timedelta(days=LOOKBEHIND_DAYS))
            )
            merged = _merge_spans(windows)
            is_closed = self.overrides.get(day) == []
            found = self._nearby_by_day[day] = NearbyWindows(windows, merged, [one.start for one in merged], is_closed)
        return found

    def _spans_on(self, day: date) -> list[TimeSpan]:
        if day not in self._spans_by_day:
            windows = self.overrides.get(day)
            if windows is None:
                windows = [window for window in self.hours if is_on_day(window, day)]
            found = [compute_span(window["from"], window["until"], day, self.zone) for window in windows]
            self._spans_by_day[day] = [TimeSpan(int(a.timestamp()), int(b.timestamp())) for a, b in filter(None, found)]
        return self._spans_by_day[day]


def _merge_spans(spans: Sequence[TimeSpan]) -> list[TimeSpan]:
    merged: list[TimeSpan] = []
    for one in spans:
        if merged and one.start <= merged[-1].end:
            merged[-1] = TimeSpan(merged[-1].start, max(merged[-1].end, one.end))
        else:
            merged.append(one)
    return merged
