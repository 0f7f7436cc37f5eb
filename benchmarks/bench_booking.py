"""A month's free times of one service, beside 10,000 bookings and 2,000 events of calendars: what it takes
of the processor. The goal is 50 ms for each.

Runs alone: python benchmarks/bench_booking.py
"""

from __future__ import annotations

import random
import time
from datetime import UTC, date, datetime
from zoneinfo import ZoneInfo

from workspace.products.booking.availability import Availability, Terms
from workspace.products.booking.occupied import Kind, Occupied, Taken
from workspace.products.booking.opening import Opening
from workspace.toolkit.hours import Window

BERLIN = ZoneInfo("Europe/Berlin")
NOW = int(datetime(2026, 6, 1, tzinfo=UTC).timestamp())
DAY = 86_400
SALON: list[Window] = [
    {"days": ["tue", "wed", "thu", "fri"], "from": "09:00", "until": "13:00"},
    {"days": ["tue", "wed", "thu", "fri"], "from": "14:00", "until": "18:30"},
    {"days": ["sat"], "from": "09:00", "until": "15:00"},
]
ALWAYS: list[Window] = [{"days": [], "from": "00:00", "until": "00:00"}]


def taken(count: int, kind: Kind, buffer: int, seed: int) -> list[Taken]:
    drawn = random.Random(seed)
    starts = (NOW + drawn.randrange(-300 * DAY // 300, 60 * DAY // 300) * 300 for _ in range(count))
    return [Taken(start - buffer, start + 1800 + buffer, start, start + 1800, kind, "") for start in starts]


def month(hours: list[Window], interval: int, booked: list[Taken], events: list[Taken]) -> int:
    opening = Opening(hours, {}, BERLIN)
    terms = Terms(duration=30, interval=interval, before=10, after=10, notice=120)
    asked = Availability(opening, terms, Occupied(booked), Occupied(events), {}, NOW)
    return len(asked.times(date(2026, 6, 1), date(2026, 6, 30)))


def main() -> None:
    booked, events = taken(10_000, Kind.BOOKING, 600, seed=1), taken(2_000, Kind.EVENT, 0, seed=2)
    for name, hours, interval in (
        ("a salon's week, every 15 minutes", SALON, 15),
        ("round the clock, every 30", ALWAYS, 30),
        ("round the clock, every 5", ALWAYS, 5),
    ):
        spent = []
        for _ in range(9):
            begun = time.process_time()
            times = month(hours, interval, booked, events)
            spent.append((time.process_time() - begun) * 1000)
        print(f"{name}: {times:,} times judged in {sorted(spent)[len(spent) // 2]:.1f} ms")


if __name__ == "__main__":
    main()
