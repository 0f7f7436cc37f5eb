"""At every clock change of every time zone, available times match those found by reading the clock minute by minute.

The reader ignores folds, and only asks a zone what its clocks show at a given time. `bin/test` checks each kind of
change once. With TEST_ALL_ZONES=1 every change of every zone is checked."""

from __future__ import annotations

import os
from collections.abc import Iterator
from datetime import UTC, date, datetime, timedelta
from importlib.resources import files
from typing import Any
from zoneinfo import ZoneInfo, available_timezones

from workspace.products.booking.rules.availability import Availability, ServiceTerms
from workspace.products.booking.rules.busy_times import BusyTimes
from workspace.products.booking.rules.opening_hours import OpeningHours

FIRST, LAST = datetime(2020, 1, 1, tzinfo=UTC), datetime(2038, 1, 1, tzinfo=UTC)
STEP = timedelta(days=5)  # no zone changes its clocks twice within this time
MINUTE = timedelta(minutes=1)
DAY = 24 * 60
EVERY_ZONE = os.environ.get("TEST_ALL_ZONES") == "1"
NOTHING = BusyTimes([])


def offset(zone: ZoneInfo, moment: datetime) -> timedelta:
    return moment.astimezone(zone).utcoffset() or timedelta()


def changes(zone: ZoneInfo) -> Iterator[datetime]:
    """Yield the first minute after each change of the zone's offset."""
    low, former = FIRST, offset(zone, FIRST)
    while low < LAST:
        high = low + STEP
        if (latter := offset(zone, high)) != former:
            first, last = 0, STEP // MINUTE
            while last - first > 1:
                middle = (first + last) // 2
                first, last = (middle, last) if offset(zone, low + middle * MINUTE) == former else (first, middle)
            yield low + last * MINUTE
        low, former = high, latter


class Reader:
    """The clock in each minute of some days, as minutes since the start of the first day."""

    def __init__(self, zone: ZoneInfo, change: datetime) -> None:
        self.first = change.astimezone(zone).date() - timedelta(days=2)
        self.start = change - timedelta(days=3)
        origin = datetime.combine(self.first, datetime.min.time())
        self.shown = []
        for count in range(7 * DAY + 60):
            moment = (self.start + count * MINUTE).astimezone(zone).replace(tzinfo=None)
            self.shown.append((moment - origin) // MINUTE)
        self.seen: dict[int, list[int]] = {}
        for place, shown in enumerate(self.shown):
            self.seen.setdefault(shown, []).append(place)

    def opens(self, wall: int) -> int:
        return self.seen[wall][0] if wall in self.seen else self._skipped(wall)

    def closes(self, wall: int) -> int:
        return self.seen[wall][-1] if wall in self.seen else self._skipped(wall)

    def _skipped(self, wall: int) -> int:
        """Return the index for a skipped local time.

        The result is as long after the jump as the clock would have needed to show that time.
        """
        for place, (here, existing) in enumerate(zip(self.shown, self.shown[1:], strict=False)):
            if here < wall < existing:
                return place + 1 + (wall - here - 1)
        raise AssertionError(wall)

    def has(self, day: int) -> bool:
        return any(day * DAY <= wall < (day + 1) * DAY for wall in self.seen)

    def free(self, begin: int, until: int, length: int, step: int) -> dict[int, list[int]]:
        """Return the indexes at which an appointment can start, by day.

        The only daily window lasts from `begin` to `until`, in minutes of the day."""
        ends = until if until > begin else until + DAY
        days = [day for day in range(5) if self.has(day)]
        windows = [(self.opens(day * DAY + begin), self.closes(day * DAY + ends)) for day in days]
        is_open = bytearray(len(self.shown))
        for start, end in windows:
            for place in range(start, end):
                is_open[place] = 1
        begins = {place for start, end in windows for place in range(start, end, step)}
        result: dict[int, list[int]] = {}
        for place in sorted(begins):
            if all(is_open[place : place + length]):
                result.setdefault(self.shown[place] // DAY, []).append(place)
        return result


def clock(minutes: int) -> str:
    return f"{minutes // 60:02d}:{minutes % 60:02d}"


def windows_around(wall: int) -> list[tuple[int, int]]:
    """Return windows that start, end and lie around a minute of the day, a window past midnight, and a full day."""
    near = [(wall + ahead) % DAY for ahead in (-45, -15, 0, 20, 30, 75)]
    pairs = [(near[0], near[2]), (near[1], near[3]), (near[2], near[5]), (near[3], near[4]), (near[4], near[1])]
    return [*pairs, (13 * 60, 20 * 60), (22 * 60, 2 * 60 + 30), (0, 0)]


def check(name: str, change: datetime) -> None:
    zone = ZoneInfo(name)
    reader = Reader(zone, change)
    before = (change - MINUTE).astimezone(zone)
    for begin, until in windows_around((before.hour * 60 + before.minute + 1) % DAY):
        hours: Any = [{"days": [], "from": clock(begin), "until": clock(until)}]
        availability = Availability(
            OpeningHours(hours, {}, zone),
            ServiceTerms(duration=30, interval=15, horizon=100_000),
            NOTHING,
            NOTHING,
            {},
            0,
        )
        by_day = reader.free(begin, until, length=30, step=15)
        for day in (1, 2, 3):
            date = reader.first + timedelta(days=day)
            expected = [reader.start + place * MINUTE for place in by_day.get(day, [])]
            moments = [datetime.fromtimestamp(start, UTC) for start in availability.list_free(date, date)]
            assert moments == expected, (name, change, clock(begin), clock(until), date)


def zones() -> list[str]:
    """Return all zones, or one of each set with the same rules."""
    names = sorted(name for name in available_timezones() if name not in ("localtime", "Factory"))
    rules = {files("tzdata.zoneinfo").joinpath(name).read_bytes(): name for name in names}
    return names if EVERY_ZONE else sorted(rules.values())


def kind(zone: ZoneInfo, change: datetime) -> tuple[Any, ...]:
    """Return the key of a kind of change: the shift, the local time of day, and the former offset."""
    before = (change - MINUTE).astimezone(zone)
    return (offset(zone, change) - offset(zone, change - MINUTE), before.time(), before.utcoffset())


def test_available_times_match_the_clock_at_every_change() -> None:
    known: set[Any] = set()
    checked = 0
    for name in zones():
        zone = ZoneInfo(name)
        for change in changes(zone):
            key = kind(zone, change)
            if EVERY_ZONE or key not in known:
                known.add(key)
                check(name, change)
                checked += 1
    assert len(known) > 50, "the zones have lost their rules"
    print(f"{checked} changes, {len(known)} kinds of them")  # noqa: T201


def test_a_date_that_a_zone_skipped_has_no_times() -> None:
    zone = ZoneInfo("Pacific/Apia")
    change = datetime(2011, 12, 30, 10, tzinfo=UTC)
    assert change.astimezone(zone).date() == date(2011, 12, 31)
    check("Pacific/Apia", change)
