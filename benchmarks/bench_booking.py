"""A month's free times of one service, beside 10,000 bookings and 2,000 events of calendars: what it takes of the
processor. The goal is 50 ms for each.

Runs alone: python benchmarks/bench_booking.py. `WORKSPACE_DATABASE_URL` names an empty PostgreSQL database, else it is
SQLite.
"""

from __future__ import annotations

import os
import random
import statistics
import tempfile
import time
from collections.abc import Callable
from datetime import UTC, date, datetime, timedelta
from zoneinfo import ZoneInfo

os.environ.update(WORKSPACE_DATA=tempfile.mkdtemp(prefix="workspace-bench-"), WORKSPACE_OUTBOX="off")
os.environ.setdefault("DJANGO_SETTINGS_MODULE", "workspace.settings")

import django

django.setup()

from django.core.management import call_command
from django.db import connection

from workspace.delivery.models import BusyTime, Calendar
from workspace.products.booking import acting
from workspace.products.booking.acting import Guest
from workspace.products.booking.asking import availability_of
from workspace.products.booking.availability import Availability, Terms
from workspace.products.booking.models import Booking, BookingPage, Resource, Service
from workspace.products.booking.occupied import Kind, Occupied, Taken
from workspace.products.booking.opening import Opening
from workspace.storage.database import writing
from workspace.testing import make_account
from workspace.toolkit.hours import Window

BERLIN = ZoneInfo("Europe/Berlin")
DAY = 86_400
TODAY = datetime.now(UTC).date()
NOW = int(datetime.combine(TODAY, datetime.min.time(), UTC).timestamp())
SALON: list[Window] = [
    {"days": ["tue", "wed", "thu", "fri"], "from": "09:00", "until": "13:00"},
    {"days": ["tue", "wed", "thu", "fri"], "from": "14:00", "until": "18:30"},
    {"days": ["sat"], "from": "09:00", "until": "15:00"},
]
ALWAYS: list[Window] = [{"days": [], "from": "00:00", "until": "00:00"}]
BOOKINGS, EVENTS = 10_000, 2_000


def told(name: str, act: Callable[[], int], times: int = 40) -> None:
    spent = []
    for _ in range(times):
        begun = time.process_time()
        count = act()
        spent.append((time.process_time() - begun) * 1000)
    p95 = statistics.quantiles(spent, n=20)[-1]
    print(f"{name}: {count:,}, median {statistics.median(spent):.1f} ms, p95 {p95:.1f} ms")


def taken(count: int, kind: Kind, buffer: int, seed: int) -> list[Taken]:
    drawn = random.Random(seed)
    starts = (NOW + drawn.randrange(-300 * DAY // 300, 60 * DAY // 300) * 300 for _ in range(count))
    return [Taken(start - buffer, start + 1800 + buffer, start, start + 1800, kind, "") for start in starts]


def month(hours: list[Window], interval: int, booked: list[Taken], events: list[Taken]) -> int:
    terms = Terms(duration=30, interval=interval, before=10, after=10, notice=120)
    asked = Availability(Opening(hours, {}, BERLIN), terms, Occupied(booked), Occupied(events), {}, NOW)
    return len(asked.times(TODAY, TODAY + timedelta(days=30)))


def pure() -> None:
    booked, events = taken(BOOKINGS, Kind.BOOKING, 600, seed=1), taken(EVENTS, Kind.EVENT, 0, seed=2)
    for name, hours, interval in (
        ("a salon's week, every 15 minutes", SALON, 15),
        ("round the clock, every 30", ALWAYS, 30),
        ("round the clock, every 5", ALWAYS, 5),
    ):
        told(f"times judged, {name}", lambda hours=hours, step=interval: month(hours, step, booked, events))  # type: ignore[misc]


def stored() -> Service:
    """Visits of half an hour, each followed by ten minutes that are kept free, two thirds of them past."""
    call_command("migrate", verbosity=0)
    account = make_account(time_zone="Europe/Berlin")
    page = BookingPage.open(
        account, name="Salon", resource=Resource.own(account), time_zone="Europe/Berlin", hours=SALON
    )
    service = Service.objects.create(page=page, name="Cut", duration=30, interval=15, buffer_after=10, notice=0)
    begun = time.perf_counter()
    first = datetime.fromtimestamp(NOW, UTC) - timedelta(minutes=45 * (BOOKINGS * 2 // 3))
    rows = []
    for number in range(BOOKINGS):
        start = first + timedelta(minutes=45 * number)
        end = start + timedelta(minutes=30)
        rows.append(
            Booking(
                account=account, resource_id=page.resource_id, page=page, service=service, service_name="Cut",
                name="Ada", uid=str(number), starts_at=start, ends_at=end, protected_from=start,
                protected_until=end + timedelta(minutes=10), local_date=start.date(), time_zone="Europe/Berlin",
            )
        )  # fmt: skip
    with writing():
        Booking.objects.bulk_create(rows, batch_size=500)
    calendar = Calendar.objects.create(account=account, kind="ics", name="Mine", address="", host="")
    BusyTime.objects.bulk_create(
        BusyTime(
            calendar=calendar,
            starts_at=datetime.fromtimestamp(one.start, UTC),
            ends_at=datetime.fromtimestamp(one.end, UTC),
        )
        for one in taken(EVENTS, Kind.EVENT, 0, seed=2)
    )
    print(f"{BOOKINGS:,} bookings and {EVENTS:,} events written in {time.perf_counter() - begun:.1f} s")
    return Service.objects.select_related("page__account", "page__resource").get()


def main() -> None:
    pure()
    service = stored()
    last = TODAY + timedelta(days=30)

    def ask() -> int:
        return len(availability_of(service.page, service.terms(), TODAY, last, service=service).times(TODAY, last))

    def day() -> int:
        return len(availability_of(service.page, service.terms(), last, last, service=service).times(last, last))

    told(f"{connection.vendor}: times of a month from the database", ask)
    told(f"{connection.vendor}: times of one day", day)
    count = 0

    def book() -> int:
        nonlocal count
        count += 1
        start = datetime.combine(date(TODAY.year + 3, 1, 1) + timedelta(days=count), datetime.min.time(), UTC)
        acting.book(service, start, Guest(name="Ben"), by_owner=True, ignore_rules=True)
        return count

    told(f"{connection.vendor}: booked", book)


if __name__ == "__main__":
    main()
