"""Days are local days of the account, including zones with half-hour offsets and clock changes."""

from __future__ import annotations

from datetime import UTC, date, datetime, timedelta
from zoneinfo import ZoneInfo

import pytest
import time_machine

from workspace.analytics import retention
from workspace.analytics.queries import DayCount, Statistics, compute_statistics, stream_visits
from workspace.analytics.visit_writer import record_visit
from workspace.publishing.models import DailyCounter, Publication
from workspace.storage.models import VisitorSalt
from workspace.testing.api import make_account
from workspace.testing.publications import build_guest, publish

pytestmark = pytest.mark.django_db


def _scan(code: Publication, at: datetime, name: str = "Ann", **facts: object) -> None:
    with time_machine.travel(at, tick=False):
        record_visit(code.pk, "scan", build_guest(name, **facts))


def _figures(code: Publication, zone: str, now: datetime, days: int) -> Statistics:
    with time_machine.travel(now, tick=False):
        found = compute_statistics(code.pk, "scan", days=days, zone=ZoneInfo(zone))
        exported = list(stream_visits(code.pk, "scan", days=days, zone=ZoneInfo(zone)))
    assert len(exported) == found.total_in_window + found.bots
    return found


def _move(code: Publication, zone: str) -> None:
    assert code.account is not None
    code.account.time_zone = zone
    code.account.save()


@pytest.mark.parametrize(
    ("zone", "midnight"),
    [
        ("UTC", datetime(2026, 11, 21, 0, 0)),
        ("Asia/Kathmandu", datetime(2026, 11, 20, 18, 15)),
        ("Asia/Kolkata", datetime(2026, 11, 20, 18, 30)),
        ("Australia/Adelaide", datetime(2026, 11, 20, 13, 30)),
        ("America/St_Johns", datetime(2026, 11, 21, 3, 30)),
        ("Australia/Lord_Howe", datetime(2026, 11, 20, 13, 0)),
    ],
)
def test_a_day_starts_at_the_accounts_midnight(zone: str, midnight: datetime) -> None:
    midnight = midnight.replace(tzinfo=UTC)
    code = publish(make_account(time_zone=zone))
    for minutes in (-2, -1, 0, 1, 14, 59):
        _scan(code, midnight + timedelta(minutes=minutes))
    found = _figures(code, zone, midnight + timedelta(hours=2), 2)
    assert found.by_day == [DayCount(date(2026, 11, 20), 2, 1), DayCount(date(2026, 11, 21), 4, 1)]
    assert (found.by_hour[23], found.by_hour[0], found.by_device[0].unique) == (2, 4, 2)
    assert _figures(code, zone, midnight + timedelta(hours=2), 1).total_in_window == 4
    assert DailyCounter.objects.get(day=date(2026, 11, 21)).begins_at == midnight


@pytest.mark.parametrize(
    ("zone", "begins", "ends"),
    [
        ("Europe/Vienna", "2026-03-28T23:00", "2026-03-29T22:00"),
        ("Europe/Vienna", "2026-10-24T22:00", "2026-10-25T23:00"),
        # by half an hour
        ("Australia/Lord_Howe", "2026-04-04T13:00", "2026-04-05T13:30"),
        ("Australia/Lord_Howe", "2026-10-03T13:30", "2026-10-04T13:00"),
        # midnight is skipped, and midnight is repeated
        ("Africa/Cairo", "2026-04-23T22:00", "2026-04-24T21:00"),
        ("America/Havana", "2025-11-02T04:00", "2025-11-03T05:00"),
    ],
)
def test_days_with_clock_changes_are_shorter_or_longer(zone: str, begins: str, ends: str) -> None:
    code = publish(make_account(time_zone=zone))
    first, last = (datetime.fromisoformat(moment).replace(tzinfo=UTC) for moment in (begins, ends))
    minute = timedelta(minutes=1)
    for number, at in enumerate([first - minute, first, last - minute, last]):
        _scan(code, at, f"Guest {number}")
    found = _figures(code, zone, last + timedelta(hours=1), 3)
    assert [(day.count, day.unique) for day in found.by_day] == [(1, 1), (2, 2), (1, 1)]
    slots = DailyCounter.objects.order_by("day").values_list("day", "begins_at")
    assert [begins for _, begins in slots[1:]] == [first, last]


def test_a_guest_is_unique_once_per_local_day(db: None) -> None:
    code = publish(make_account(time_zone="Pacific/Auckland"))  # midnight is 11:00 UTC
    for hour in (11, 23, 25, 34, 35):  # three UTC dates within two local days
        _scan(code, datetime(2026, 11, 19, tzinfo=UTC) + timedelta(hours=hour))
    found = _figures(code, "Pacific/Auckland", datetime(2026, 11, 20, 12, tzinfo=UTC), 2)
    assert [(day.count, day.unique) for day in found.by_day] == [(4, 1), (1, 1)]


def test_a_changed_zone_moves_no_counted_visits() -> None:
    code = publish(make_account(time_zone="Asia/Kathmandu"))
    _scan(code, datetime(2026, 11, 19, 18, 14, tzinfo=UTC), "Ann")
    _scan(code, datetime(2026, 11, 19, 18, 15, tzinfo=UTC), "Ann")
    before = _figures(code, "Asia/Kathmandu", datetime(2026, 11, 21, 12, tzinfo=UTC), 3)
    assert [day.count for day in before.by_day] == [1, 1, 0]
    for zone in ("America/Los_Angeles", "Pacific/Auckland", "UTC"):
        _move(code, zone)
        found = _figures(code, zone, datetime(2026, 11, 21, 10, tzinfo=UTC), 3)
        assert (found.by_day, found.by_hour) == (before.by_day, before.by_hour)


def test_a_day_that_the_account_leaves_by_moving_west_is_counted() -> None:
    code = publish(make_account(time_zone="Pacific/Auckland"))
    now = datetime(2026, 11, 20, 21, tzinfo=UTC)  # 10:00 on the 21st in Auckland, on the 20th in Honolulu
    _scan(code, now, "Ann")
    _move(code, "Pacific/Honolulu")
    _scan(code, now, "Ann")
    _scan(code, now, "Ann")
    found = _figures(code, "Pacific/Honolulu", now, 1)
    assert found.by_day == [DayCount(date(2026, 11, 20), 3, 2)]
    found = _figures(code, "Pacific/Honolulu", now + timedelta(days=1), 2)
    assert found.by_day == [DayCount(date(2026, 11, 20), 2, 1), DayCount(date(2026, 11, 21), 1, 1)]


@pytest.mark.parametrize("zone", ["Pacific/Kiritimati", "Etc/GMT+12"])
def test_a_dates_salt_is_stored_while_it_is_today_anywhere(zone: str) -> None:
    """Run the hourly deletion in each of the 50 hours in which it is the 20th in Kiritimati or on Baker Island."""
    code = publish(make_account(time_zone=zone))
    begins = datetime(2026, 11, 20, tzinfo=ZoneInfo(zone)).astimezone(UTC)
    for hour in range(24):
        _scan(code, begins + timedelta(hours=hour))
        with time_machine.travel(begins + timedelta(hours=hour, minutes=59), tick=False):
            retention.delete_expired()
    assert DailyCounter.objects.values_list("day", "count", "uniques").get() == (date(2026, 11, 20), 24, 1)
    over = datetime(2026, 11, 21, 12, tzinfo=UTC)
    for moment, left in ((over - timedelta(seconds=1), 1), (over, 0)):
        with time_machine.travel(moment, tick=False):
            retention.delete_expired()
        assert VisitorSalt.objects.count() == left
