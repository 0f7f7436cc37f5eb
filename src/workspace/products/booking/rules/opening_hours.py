"""The opening hours of a page: weekly hours and dates with other hours, as spans of Unix time in whole seconds.

A window belongs to the local date when it opens, including its part after midnight. An override replaces the windows of
its date. An override without windows closes the date.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterator, Mapping, Sequence
from datetime import date, datetime, timedelta
from typing import NamedTuple
from zoneinfo import ZoneInfo

from workspace.lib.weekly_hours import Window, compute_span, is_on_day

# A window lasts at most a day. If the place skipped a date, it ends on the second day after.
LOOKBEHIND_DAYS = 2
HOUR_SECONDS = 3600


class TimeSpan(NamedTuple):
    """A half-open span."""

    start: int
    end: int


class NearbyWindows(NamedTuple):
    """The windows that can contain a time of a date and an appointment that starts then.

    In `merged_windows`, touching windows are merged. `merged_starts` are their starts. `is_closed` means that an
    override closes the date.
    """

    windows: list[TimeSpan]
    merged_windows: list[TimeSpan]
    merged_starts: list[int]
    is_closed: bool

    def contains(self, start: int, end: int) -> bool:
        """Return whether an appointment is within the windows.

        It may continue into the next window if there is no gap between them.
        """
        place = bisect_right(self.merged_starts, start) - 1
        return place >= 0 and end <= self.merged_windows[place].end

    def is_on_grid(self, start: int, step: int) -> bool:
        """Return whether `start` is a whole number of steps after the start of the window that contains it.

        Steps are measured in elapsed time.
        """
        for begin, end in self.windows:  # noqa: SIM110 - twice as fast
            if begin <= start < end and not (start - begin) % step:
                return True
        return False


class LocalDates:
    """A cache of the local dates of times.

    If a whole hour has the same date, the date is looked up by hour. Since 2011, no zone has left a date and returned
    to it within an hour.
    """

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
        """Yield the windows that open on these local dates."""
        for ahead in range((last - first).days + 1):
            yield from self._spans_on(first + timedelta(days=ahead))

    def list_starts(self, first: date, last: date, step: int) -> list[int]:
        """Return all times of the grid on these local dates, sorted and without duplicates."""
        windows = self.iterate_windows(first - timedelta(days=LOOKBEHIND_DAYS), last + timedelta(days=1))
        results = {start for window in windows for start in range(window.start, window.end, step)}
        return sorted(start for start in results if first <= self.date_of(start) <= last)

    def date_of(self, moment: int) -> date:
        return self._dates.date_of(moment)

    def windows_near(self, day: date) -> NearbyWindows:
        nearby_windows = self._nearby_by_day.get(day)
        if nearby_windows is None:
            windows = sorted(
                self.iterate_windows(day - timedelta(days=LOOKBEHIND_DAYS), day + timedelta(days=LOOKBEHIND_DAYS))
            )
            merged = _merge_spans(windows)
            is_closed = self.overrides.get(day) == []
            nearby_windows = self._nearby_by_day[day] = NearbyWindows(
                windows, merged, [time_span.start for time_span in merged], is_closed
            )
        return nearby_windows

    def _spans_on(self, day: date) -> list[TimeSpan]:
        if day not in self._spans_by_day:
            windows = self.overrides.get(day)
            if windows is None:
                windows = [window for window in self.hours if is_on_day(window, day)]
            results = [compute_span(window["from"], window["until"], day, self.zone) for window in windows]
            self._spans_by_day[day] = [
                TimeSpan(int(a.timestamp()), int(b.timestamp())) for a, b in filter(None, results)
            ]
        return self._spans_by_day[day]


def _merge_spans(spans: Sequence[TimeSpan]) -> list[TimeSpan]:
    merged: list[TimeSpan] = []
    for span in spans:
        if merged and span.start <= merged[-1].end:
            merged[-1] = TimeSpan(merged[-1].start, max(merged[-1].end, span.end))
        else:
            merged.append(span)
    return merged
