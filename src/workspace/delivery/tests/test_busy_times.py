"""Busy times from connected calendars, as booking and API clients request them."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import Any
from zoneinfo import ZoneInfo

import pytest

from workspace.accounts.models import Account
from workspace.delivery.calendars import list_busy_periods
from workspace.delivery.models import BusyTime, Calendar
from workspace.testing.api import make_account

PARIS, AUCKLAND = ZoneInfo("Europe/Paris"), ZoneInfo("Pacific/Auckland")


def utc_time(text: str) -> datetime:
    return datetime.fromisoformat(text).replace(tzinfo=UTC)


def connected(account: Account, *times: tuple[str, str, str], floating: bool = False, **fields: Any) -> Calendar:
    calendar = Calendar.objects.create(account=account, kind="ics", name="Mine", address="", host="", **fields)
    BusyTime.objects.bulk_create(
        BusyTime(calendar=calendar, starts_at=utc_time(start), ends_at=utc_time(end), title=title, floating=floating)
        for start, end, title in times
    )
    return calendar


def titles(account: Account, start: str, end: str, **how: Any) -> list[str]:
    return [one.title for one in list_busy_periods(account, utc_time(start), utc_time(end), **{"zone": PARIS, **how})]


def test_overlapping_times_are_returned_by_start_with_one_query(
    account: Account, django_assert_num_queries: Any
) -> None:
    calendar = connected(
        account,
        ("2027-05-03T10:00", "2027-05-03T11:00", "later"),
        ("2027-05-03T08:00", "2027-05-03T09:00", "until it begins"),
        ("2027-05-03T08:30", "2027-05-03T09:30", "into it"),
        ("2027-05-03T12:00", "2027-05-03T13:00", "from its end on"),
    )
    connected(make_account(), ("2027-05-03T10:00", "2027-05-03T11:00", "another's"))
    with django_assert_num_queries(1):
        found = list_busy_periods(account, utc_time("2027-05-03T09:00"), utc_time("2027-05-03T12:00"), zone=PARIS)
    assert [one.title for one in found] == ["into it", "later"]
    assert found[0] == (utc_time("2027-05-03T08:30"), utc_time("2027-05-03T09:30"), "into it", calendar.pk)


def test_an_all_day_event_uses_the_zone_of_the_query(account: Account) -> None:
    connected(account, ("2027-03-28T00:00", "2027-03-29T00:00", "holiday"), floating=True)
    [paris] = list_busy_periods(account, utc_time("2027-03-20T00:00"), utc_time("2027-04-01T00:00"), zone=PARIS)
    assert (paris.start, paris.end) == (utc_time("2027-03-27T23:00"), utc_time("2027-03-28T22:00"))  # 23 hours
    [there] = list_busy_periods(account, utc_time("2027-03-20T00:00"), utc_time("2027-04-01T00:00"), zone=AUCKLAND)
    assert there.start == utc_time("2027-03-27T11:00")
    assert titles(account, "2027-03-28T22:00", "2027-03-28T23:00") == []
    assert titles(account, "2027-03-27T11:30", "2027-03-27T11:45", zone=AUCKLAND) == ["holiday"]


def test_a_repeated_local_time_is_busy_both_times(account: Account) -> None:
    connected(account, ("2027-10-31T02:00", "2027-10-31T02:30", "floating"), floating=True)
    [found] = list_busy_periods(account, utc_time("2027-10-30T00:00"), utc_time("2027-11-01T00:00"), zone=PARIS)
    assert (found.start, found.end) == (utc_time("2027-10-31T00:00"), utc_time("2027-10-31T01:30"))


@pytest.mark.parametrize(("page_id", "expected"), [("bpg_1", ["all", "one"]), ("bpg_2", ["all"]), ("", ["all", "one"])])
def test_a_calendar_blocks_only_its_pages(account: Account, page_id: str, expected: list[str]) -> None:
    connected(account, ("2027-05-03T10:00", "2027-05-03T11:00", "all"))
    connected(account, ("2027-05-03T10:30", "2027-05-03T11:00", "one"), pages=" bpg_1 bpg_10 ")
    assert titles(account, "2027-05-03T00:00", "2027-05-04T00:00", page_id=page_id) == expected
