"""Booking pages: a month's available times with 10,000 bookings and 2,000 busy ranges, a booking, and guest pages.

They include the most expensive requests that a stranger can send. The floors work on the same rows with raw statements,
and find the same times. The benchmark runs on PostgreSQL if WORKSPACE_DATABASE_URL names a server.

    python benchmarks/bench_booking.py
"""

from __future__ import annotations

import itertools
import json
import random
import statistics
import sys
import time
import tracemalloc
from bisect import bisect_left
from collections.abc import Callable, Iterator
from dataclasses import asdict
from datetime import UTC, date, datetime, timedelta
from functools import partial
from zoneinfo import ZoneInfo

from read_growth import cost, database  # sets up Django

# isort: split
from django.db import connection, transaction
from django.test import Client
from table import Row, markdown

from workspace.delivery.models import BusyTime, Calendar
from workspace.lib.weekly_hours import Window
from workspace.products.booking.domain import booking_actions
from workspace.products.booking.domain.booking_actions import Guest
from workspace.products.booking.domain.month_availability import ServiceOffer
from workspace.products.booking.models import Booking, BookingPage, Resource, Service
from workspace.products.booking.rules.availability import Availability, ServiceTerms
from workspace.products.booking.rules.busy_times import BusyKind, BusyTimes
from workspace.products.booking.rules.busy_times import BusyTime as Taken
from workspace.products.booking.rules.opening_hours import OpeningHours
from workspace.storage.database.transactions import write_transaction
from workspace.testing.api import make_account

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
EVENTS = 2_000
GOAL = "goal: 50 ms"
NEVER = "All day"  # it fits nowhere, so all months are searched


def random_busy_times(
    count: int, kind: BusyKind, buffer: int, seed: int, days: tuple[int, int] = (-300, 60)
) -> list[Taken]:
    drawn = random.Random(seed)
    first, last = (NOW + ahead * DAY for ahead in days)
    starts = (drawn.randrange(first, last, 300) for _ in range(count))
    return [Taken(start - buffer, start + 1800 + buffer, start, start + 1800, kind, "") for start in starts]


def month(hours: list[Window], interval: int, booked: list[Taken], events: list[Taken]) -> int:
    terms = ServiceTerms(duration=30, interval=interval, before=10, after=10, notice=0)
    asked = Availability(OpeningHours(hours, {}, BERLIN), terms, BusyTimes(booked), BusyTimes(events), {}, NOW)
    return len(asked.list_free(TODAY, TODAY + timedelta(days=30)))


def month_by_hand(booked: list[Taken], events: list[Taken], step: int = 300) -> int:
    """Return the available times of a page that is open all day, with the least work possible.

    Busy times are merged into spans, and each time is looked up once. There are no hours, notice, horizon, limits or
    reasons.
    """
    spans = sorted([(one.from_, one.until) for one in booked] + [(one.from_, one.until) for one in events])
    ends, furthest = [], 0
    for _, until in spans:
        furthest = max(furthest, until)
        ends.append(furthest)
    begins = [begin for begin, _ in spans]
    first = int(datetime.combine(TODAY, datetime.min.time(), BERLIN).timestamp())
    last = int(datetime.combine(TODAY + timedelta(days=31), datetime.min.time(), BERLIN).timestamp())
    count = 0
    for start in range(first, last, step):
        place = bisect_left(begins, start + 2400)
        count += start >= NOW and not (place and ends[place - 1] > start - 600)
    return count


def pure() -> Iterator[Row]:
    """Yield the measurements without a database."""
    for what, count, events in (
        ("10,000 bookings, 2,000 busy ranges", 10_000, random_busy_times(EVENTS, BusyKind.EVENT, 0, seed=2)),
        ("2,000 busy ranges within that month", 0, random_busy_times(EVENTS, BusyKind.EVENT, 0, seed=3, days=(0, 30))),
        ("nothing in the way", 0, []),
    ):
        booked = random_busy_times(count, BusyKind.BOOKING, 600, seed=1)
        assert month(ALWAYS, 5, booked, events) == month_by_hand(booked, events)
        told, low = cost(partial(month, ALWAYS, 5, booked, events)), cost(partial(month_by_hand, booked, events))
        yield Row(f"a month every 5 minutes, {what}", f"{told:.1f} ms", f"{low:.1f} ms", low / told, note=GOAL)


def stored(bookings: int) -> Service:
    """Create half-hour bookings, each followed by a buffer of ten minutes. Two thirds of them are in the past."""
    account = make_account(time_zone="Europe/Berlin")
    page = BookingPage.open(
        account, name="Salon", resource=Resource.get_own(account), time_zone="Europe/Berlin", hours=ALWAYS
    )
    service = Service.objects.create(
        page=page, name="Cut", duration=30, interval=5, buffer_after=10, min_notice_minutes=0
    )
    Service.objects.create(page=page, name=NEVER, duration=600, interval=5, max_days_ahead=730, min_notice_minutes=0)
    first = datetime.fromtimestamp(NOW, UTC) - timedelta(minutes=90 * (bookings * 2 // 3))
    rows = []
    for number in range(bookings):
        start = first + timedelta(minutes=90 * number)
        end = start + timedelta(minutes=30)
        rows.append(
            Booking(
                account=account, resource_id=page.resource_id, page=page, service=service, service_name="Cut",
                name="Ada", uid=str(number), starts_at=start, ends_at=end, blocked_from=start,
                blocked_until=end + timedelta(minutes=10), local_date=start.date(), time_zone="Europe/Berlin",
            )
        )  # fmt: skip
    with write_transaction():
        Booking.objects.bulk_create(rows, batch_size=500)
    calendar = Calendar.objects.create(account=account, kind="ics", name="Mine", address="", host="")
    BusyTime.objects.bulk_create(
        BusyTime(
            calendar=calendar,
            starts_at=datetime.fromtimestamp(one.start, UTC),
            ends_at=datetime.fromtimestamp(one.end, UTC),
        )
        for one in random_busy_times(EVENTS, BusyKind.EVENT, 0, seed=2)
    )
    return Service.objects.select_related("page__account", "page__resource", "page__publication").get(name="Cut")


def rows_by_hand(service: Service) -> int:
    """Return how many rows are needed for a month."""
    first, last = (datetime.combine(TODAY + timedelta(days=ahead), datetime.min.time(), UTC) for ahead in (-4, 35))
    span = [connection.ops.adapt_datetimefield_value(one) for one in (first, last)]
    with connection.cursor() as cursor:
        cursor.execute(
            "SELECT blocked_from, blocked_until, name, id FROM booking_booking WHERE resource_id = %s AND "
            "status = 'confirmed' AND blocked_until > %s AND blocked_from < %s",
            [service.page.resource_id, *span],
        )
        found = len(cursor.fetchall())
        cursor.execute(
            "SELECT starts_at, ends_at, title FROM delivery_busytime WHERE ends_at > %s AND starts_at < %s", span
        )
        return found + len(cursor.fetchall())


def booked_by_hand(service: Service, numbers: Iterator[int]) -> None:
    number = next(numbers)
    start = datetime(TODAY.year + 6, 1, 1, tzinfo=UTC) + timedelta(days=number)
    end = start + timedelta(minutes=30)
    with transaction.atomic():
        Booking.objects.bulk_create([
            Booking(
                account=service.page.account, resource_id=service.page.resource_id, page=service.page, service=service,
                service_name="Cut", name="Ada", uid=f"by hand {number}", starts_at=start, ends_at=end,
                blocked_from=start, blocked_until=end, local_date=start.date(), time_zone="Europe/Berlin",
            )
        ])  # fmt: skip


def spread(work: Callable[[], object], times: int) -> tuple[float, float]:
    """Return processor milliseconds: the median, and the 95th percentile."""
    spent = []
    for _ in range(times):
        began = time.process_time()
        work()
        spent.append((time.process_time() - began) * 1000)
    return statistics.median(spent), statistics.quantiles(spent, n=20)[-1]


def measure_service(service: Service, bookings: int, times: int) -> Iterator[Row]:
    numbers = itertools.count(1)

    def load_month() -> int:
        return len(ServiceOffer(service).load_month(TODAY, BERLIN).free_by_day)

    def book() -> None:
        start = datetime.combine(date(TODAY.year + 3, 1, 1), datetime.min.time(), UTC) + timedelta(days=next(numbers))
        booking_actions.create_booking(service, start, Guest(name="Ben"), by_owner=True, ignore_rules=True)

    read = cost(partial(rows_by_hand, service))
    row = cost(partial(booked_by_hand, service, itertools.count(1)))
    for what, work, low, note in (
        ("a month every 5 minutes from the database", load_month, read, f"{GOAL}; beside reading its rows"),
        ("booked", book, row, "beside writing the row"),
    ):
        told = cost(work)
        median, p95 = spread(work, times)
        told_by = f"{note}; median {median:.1f}, p95 {p95:.1f} ms"
        yield Row(f"{what}, {bookings:,} bookings", f"{told:.1f} ms", f"{low:.1f} ms", low / told, note=told_by)


def guests(service: Service, typing: float) -> Iterator[Row]:
    """Yield the costs of pages and posts, including the most expensive ones that a stranger can request."""
    places = (f"10.{number >> 16 & 255}.{number >> 8 & 255}.{number & 255}" for number in itertools.count(1))
    guest = Client(HTTP_HOST="127.0.0.1:8000")
    home = f"/b/{service.page.slug}"
    start = datetime.combine(TODAY + timedelta(days=9), datetime.min.time(), UTC) + timedelta(minutes=7)
    at = f"{start:%Y-%m-%dT%H:%MZ}"  # not on the grid, so that the three nearest times are searched for
    form = guest.get(f"{home}/book", {"service": service.pk, "start": at}).content.decode()
    stamp = form.split('name="stamp" value="')[1].split('"')[0]
    time.sleep(typing)  # as long as a person takes
    usual = {"service": service.pk, "start": at, "stamp": stamp, "name": "Ada", "email": "ada@example.com"}

    def get_step(step: str, query: dict[str, str], status: int = 200) -> None:
        assert guest.get(f"{home}{step}", query, REMOTE_ADDR=next(places)).status_code == status

    def post(given: dict[str, str], *statuses: int) -> None:
        answer = guest.post(f"{home}/book", given, REMOTE_ADDR=next(places))
        assert answer.status_code in statuses, answer.content

    bare = cost(partial(get_step, "/visit/none", {}, 404))
    huge = {**usual, "name": "é" * 900_000, "email": "x" * 900_000}
    many = {**usual, **{f"question{number}": "x" for number in range(900)}}
    never = Service.objects.get(name=NEVER).pk
    far = {"service": service.pk, "zone": "Pacific/Kiritimati"}
    for what, work in (
        ("a month on the guest’s page", partial(get_step, "/times", {"service": service.pk})),
        ("the same on clocks of another place", partial(get_step, "/times", far)),
        ("a month where nothing is free, nor in the next three", partial(get_step, "/times", {"service": never})),
        ("the page of zones", partial(get_step, "/zones", {"service": service.pk})),
        ("the page of zones, in another language", partial(get_step, "/zones", {"lang": "de"})),
        ("a post for a time that is none: the nearest", partial(post, usual, 400, 409, 429)),
        ("a post with two fields of 900 kB", partial(post, huge, 400, 413)),
        ("a post with 900 fields", partial(post, many, 400, 409, 413, 429)),
    ):
        told = cost(work)
        tracemalloc.start()
        work()
        peak = tracemalloc.get_traced_memory()[1] / 1024**2
        tracemalloc.stop()
        yield Row(
            what,
            f"{told:.1f} ms",
            f"{bare:.1f} ms",
            bare / told,
            note=f"{peak:.1f} MB; beside a page that says one sentence",
        )


def measure(bookings: int = 10_000, times: int = 100, typing: float = 6) -> list[Row]:
    rows = list(pure())
    with database():
        service = stored(bookings)
        rows += [*measure_service(service, bookings, times), *guests(service, typing)]
    return rows


if __name__ == "__main__":
    table = measure(200, 4, 0) if "--short" in sys.argv else measure()
    print(json.dumps({"rows": [asdict(row) for row in table]}) if "--json" in sys.argv else markdown(table))
