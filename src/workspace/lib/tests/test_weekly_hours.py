"""Weekly hours across midnight, and on days with 23 or 25 hours."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from typing import Any
from zoneinfo import ZoneInfo

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from workspace.lib.weekly_hours import DAYS, format_hours, is_within_hours, next_change, next_occurrence

VIENNA = ZoneInfo("Europe/Vienna")


def window(start: str, end: str, *days: str) -> Any:
    return {"days": list(days), "from": start, "until": end}


def local(text: str, zone: ZoneInfo = VIENNA) -> datetime:
    return datetime.fromisoformat(text).replace(tzinfo=zone).astimezone(UTC)


LUNCH = [window("11:30", "14:30", "mon", "tue", "wed", "thu", "fri")]
LATE = [window("22:00", "02:00", "fri", "sat")]


@pytest.mark.parametrize(
    ("hours", "at", "served"),
    [
        ([], "2026-11-20T03:00", True),
        (LUNCH, "2026-11-20T11:29", False),  # a Friday
        (LUNCH, "2026-11-20T11:30", True),
        (LUNCH, "2026-11-20T14:29", True),
        (LUNCH, "2026-11-20T14:30", False),
        (LUNCH, "2026-11-21T12:00", False),
        (LATE, "2026-11-20T23:00", True),
        (LATE, "2026-11-21T01:59", True),
        (LATE, "2026-11-21T02:00", False),
        (LATE, "2026-11-20T01:00", False),  # Thursday night is not included
        (LATE, "2026-11-22T01:00", True),
        (LATE, "2026-11-23T01:00", False),
        ([window("08:00", "08:00")], "2026-11-20T07:59", True),  # all day
    ],
)
def test_windows_follow_the_local_clock(hours: Any, at: str, served: bool) -> None:
    assert is_within_hours(hours, local(at), VIENNA) is served


def test_the_next_change_is_a_start_or_an_end() -> None:
    assert next_change(LUNCH, local("2026-11-20T09:00"), VIENNA) == local("2026-11-20T11:30")
    assert next_change(LUNCH, local("2026-11-20T11:30"), VIENNA) == local("2026-11-20T14:30")
    assert next_change(LUNCH, local("2026-11-20T15:00"), VIENNA) == local("2026-11-23T11:30")
    assert next_change(LATE, local("2026-11-21T00:30"), VIENNA) == local("2026-11-21T02:00")
    assert next_change([], local("2026-11-20T09:00"), VIENNA) is None


def test_a_skipped_or_repeated_hour_moves_no_change_to_another_day() -> None:
    # clocks go forward on March 29, 2026 and back on October 25
    assert next_change([window("11:30", "14:30")], local("2026-03-29T00:30"), VIENNA) == local("2026-03-29T11:30")
    assert next_change([window("11:30", "14:30")], local("2026-10-25T00:30"), VIENNA) == local("2026-10-25T11:30")
    night = [window("23:00", "04:00")]
    assert is_within_hours(night, local("2026-10-25T03:30"), VIENNA)
    ends = next_change(night, local("2026-10-25T00:30"), VIENNA)
    assert ends == datetime(2026, 10, 25, 3, 0, tzinfo=UTC)
    assert next_change(night, local("2026-03-29T00:30"), VIENNA) == datetime(2026, 3, 29, 2, 0, tzinfo=UTC)


def test_of_a_repeated_time_a_window_opens_at_the_first_and_closes_at_the_second() -> None:
    early = [window("01:00", "02:30")]
    assert next_change(early, local("2026-10-25T00:30"), VIENNA) == local("2026-10-25T01:00")
    assert next_change(early, local("2026-10-25T01:00"), VIENNA) == datetime(2026, 10, 25, 1, 30, tzinfo=UTC)
    assert next_change([window("02:30", "04:00")], local("2026-10-25T01:00"), VIENNA) == local("2026-10-25T02:30")


def test_a_time_in_the_morning_occurs_once_on_every_day_of_the_year() -> None:
    now = local("2026-01-01T00:00")
    mornings = []
    while (now := next_occurrence("05:00", now, VIENNA)) < local("2027-01-01T00:00"):
        mornings.append(now)
    assert len(mornings) == 365
    assert {morning.astimezone(VIENNA).strftime("%H:%M") for morning in mornings} == {"05:00"}


CLOCKS = st.builds("{:02d}:{:02d}".format, st.integers(0, 23), st.sampled_from([0, 15, 30, 59]))
WINDOWS = st.lists(
    st.builds(lambda start, end, days: window(start, end, *days), CLOCKS, CLOCKS, st.lists(st.sampled_from(DAYS))),
    min_size=1,
    max_size=3,
)
ZONES = st.sampled_from(["UTC", "Europe/Vienna", "America/New_York", "Asia/Kathmandu", "Australia/Lord_Howe"])


@settings(max_examples=150)
@given(WINDOWS, ZONES, st.datetimes(datetime(2026, 1, 1), datetime(2027, 1, 1)))
def test_nothing_changes_before_the_next_change(hours: Any, name: str, at: datetime) -> None:
    zone, now = ZoneInfo(name), at.replace(tzinfo=UTC)
    edge = next_change(hours, now, zone)
    assert edge is not None and edge > now
    states = {is_within_hours(hours, now + (edge - now) * share, zone) for share in (0, 0.25, 0.5, 0.75)}
    assert states == {is_within_hours(hours, edge - timedelta(microseconds=1), zone)}


def _by_the_clock(hours: Any, at: datetime) -> bool:
    """Apply the rules literally: today's windows, and yesterday's that run across midnight."""
    clock, today = at.strftime("%H:%M"), DAYS[at.weekday()]
    yesterday = DAYS[(at - timedelta(days=1)).weekday()]
    for one in hours:
        start, end = one["from"], one["until"]
        on = [day for day in (today, yesterday) if not one["days"] or day in one["days"]]
        if end > start:
            if today in on and start <= clock < end:
                return True
        elif (today in on and clock >= start) or (yesterday in on and clock < end):
            return True
    return False


@settings(max_examples=200)
@given(WINDOWS, ZONES, st.datetimes(datetime(2026, 6, 1), datetime(2026, 8, 31)))  # no clock changes in these weeks
def test_without_clock_changes_windows_match_the_local_time(hours: Any, name: str, at: datetime) -> None:
    at = at.replace(second=0, microsecond=0)
    assert is_within_hours(hours, at.replace(tzinfo=ZoneInfo(name)), ZoneInfo(name)) is _by_the_clock(hours, at)


@settings(max_examples=200)
@given(CLOCKS, ZONES, st.datetimes(datetime(2026, 1, 1), datetime(2027, 1, 1)))
def test_the_next_occurrence_is_within_a_long_day_and_shows_the_local_time(clock: str, name: str, at: datetime) -> None:
    zone, now = ZoneInfo(name), at.replace(tzinfo=UTC)
    found = next_occurrence(clock, now, zone)
    assert timedelta() < found - now <= timedelta(hours=25)
    shown = found.astimezone(zone)
    is_skipped = shown.strftime("%H:%M") != clock
    # only a time that the clocks skip may show another one, shifted forward by the gap
    wall = datetime.combine(shown.date(), datetime.strptime(clock, "%H:%M").time(), zone)
    assert is_skipped == (wall.astimezone(UTC).astimezone(zone).replace(tzinfo=None) != wall.replace(tzinfo=None))


@settings(max_examples=100)
@given(WINDOWS, ZONES, st.datetimes(datetime(2026, 1, 1), datetime(2027, 1, 1)))
def test_following_the_changes_never_ends(hours: Any, name: str, at: datetime) -> None:
    zone, now = ZoneInfo(name), at.replace(tzinfo=UTC)
    for _ in range(10):
        edge = next_change(hours, now, zone)
        assert edge is not None and now < edge <= now + timedelta(days=8)
        now = edge


def test_hours_are_formatted_as_text() -> None:
    assert format_hours(LUNCH) == "Mon–Fri 11:30–14:30"
    assert format_hours([*LUNCH, {**LUNCH[0], "from": "18:00", "until": "22:00"}]) == "Mon–Fri 11:30–14:30, 18:00–22:00"
    assert format_hours(LATE) == "Fri, Sat 22:00–02:00"
    assert format_hours([window("07:00", "11:00"), window("12:00", "15:00", "sun", "mon", "wed")]) == (
        "daily 07:00–11:00, Mon, Wed, Sun 12:00–15:00"
    )
