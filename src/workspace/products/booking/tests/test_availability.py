"""Available times of a service: test vectors of the rules, and the reason for each unavailable time."""

from __future__ import annotations

from datetime import UTC, date, datetime
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from workspace.products.booking.rules.availability import BufferOwner, Cause, ServiceTerms, UnavailableReason
from workspace.products.booking.rules.busy_times import BusyKind
from workspace.products.booking.tests.times import availability, free, unix_time, visit, window

LONDON, NEW_YORK, PARIS = "Europe/London", "America/New_York", "Europe/Paris"
NINE_TO_TWELVE = [window("09:00–12:00")]
LATE = [window("21:00–01:00", "fri"), window("00:00–02:00", "sat")]
DAY = "2026-06-05"  # a Friday

# description, zone, hours, local date, available times on it, further arguments
VECTORS: list[tuple[str, str, list[Any], str, str, dict[str, Any]]] = [
    ("a gap within", LONDON, [window("00:30–03:00")], "2026-03-29", "00:30 02:00+01 02:30+01", {}),
    ("a gap at the end", LONDON, [window("00:00–01:30")], "2026-03-29", "00:00 00:30 02:00+01", {}),
    ("inverted by a gap", LONDON, [window("01:15–02:05")], "2026-03-29", "", {}),
    ("an hour twice", LONDON, [window("00:30–01:30")], "2026-10-25", "00:30 01:00 01:30 01:00+00", {}),
    ("a gap of half an hour", "Australia/Lord_Howe", [window("01:30–02:30")], "2026-10-04", "01:30", {}),
    ("13:30 on a short day", NEW_YORK, [window("13:30–14:00")], "2026-03-08", "13:30-04", {}),
    ("02:30 on a short day", NEW_YORK, [window("02:30–04:00")], "2026-03-08", "03:30-04", {}),
    ("01:30 on a long day", NEW_YORK, [window("01:30–01:45")], "2026-11-01", "01:30 01:00-05", {}),
    ("a date left out", "Pacific/Apia", [window("09:00–10:00")], "2011-12-30", "", {}),
    ("into a date left out", "Pacific/Apia", [window("23:00–00:30", "thu")], "2011-12-31", "00:00", {}),
    ("visits in a row", PARIS, NINE_TO_TWELVE, DAY, "09:00 10:20 11:00",
     {"duration": 40, "interval": 40, "taken": [visit(PARIS, f"{DAY} 10:00", 20)]}),
    ("buffers stack", PARIS, [window("14:00–16:00")], DAY, "15:25 15:30",
     {"interval": 5, "before": 10, "taken": [visit(PARIS, f"{DAY} 14:00", 60, after=15)]}),
    ("a calendar has none", PARIS, [window("14:00–16:00")], DAY, "15:10 15:15 15:20 15:25 15:30",
     {"interval": 5, "before": 10, "taken": [visit(PARIS, f"{DAY} 14:00", 60, kind=BusyKind.EVENT)]}),
    ("buffers stick out of the hours", PARIS, [window("09:00–10:00")], DAY, "09:00 09:30", {"before": 60, "after": 60}),
    ("half-open", PARIS, [window("09:00–10:30")], DAY, "09:00 10:00", {"taken": [visit(PARIS, f"{DAY} 09:30", 30)]}),
    ("what takes no time", PARIS, [window("09:00–10:00")], DAY, "09:00 09:30",
     {"taken": [visit(PARIS, f"{DAY} 09:15", 0, kind=BusyKind.EVENT)]}),
    ("Friday's tail is of Saturday", PARIS, [window("21:00–01:00", "fri")], "2026-06-06", "00:00 00:30", {}),
    ("Saturday closed leaves it", PARIS, LATE, "2026-06-06", "00:00 00:30", {"overrides": {"2026-06-06": []}}),
    ("Friday closed takes it", PARIS, LATE, "2026-06-06", "00:00 00:30 01:00 01:30", {"overrides": {DAY: []}}),
    ("a date with special hours", PARIS, NINE_TO_TWELVE, DAY, "15:00",
     {"overrides": {DAY: [window("15:00–15:30")]}}),
    ("24:00 meets 00:00", PARIS, [window("23:00–00:00", "fri"), window("00:00–01:00", "sat")], DAY, "23:00 23:30",
     {"duration": 60}),
    ("and no further", PARIS, [window("23:00–00:00", "fri"), window("00:00–01:00", "sat")], "2026-06-06", "00:00",
     {"duration": 60}),
    ("each window from its own opening", PARIS, [window("09:10–10:10"), window("10:30–11:30")], DAY,
     "09:10 09:40 10:30 11:00", {}),
    ("notice is exact", PARIS, [window("09:00–15:00")], DAY, "14:30",
     {"notice": 120, "now": datetime(2026, 6, 5, 10, 0, 1, tzinfo=UTC)}),
    ("notice is inclusive", PARIS, [window("09:00–15:00")], DAY, "14:00 14:30",
     {"notice": 120, "now": datetime(2026, 6, 5, 10, 0, tzinfo=UTC)}),
    ("the last day of the horizon", PARIS, NINE_TO_TWELVE, "2026-06-07", "09:00 09:30 10:00 10:30 11:00 11:30",
     {"horizon": 2, "now": datetime(2026, 6, 5, 21, 59, tzinfo=UTC)}),
    ("the day after it", PARIS, NINE_TO_TWELVE, "2026-06-08", "",
     {"horizon": 2, "now": datetime(2026, 6, 5, 21, 59, tzinfo=UTC)}),
    ("midnight moves it", PARIS, [window("09:00–09:30")], "2026-06-08", "09:00",
     {"horizon": 2, "now": datetime(2026, 6, 5, 22, 0, tzinfo=UTC)}),
    ("the cap is reached", PARIS, NINE_TO_TWELVE, DAY, "", {"daily_cap": 2, "counts": {date(2026, 6, 5): 2}}),
    ("another day's is not", PARIS, [window("09:00–09:30")], DAY, "09:00",
     {"daily_cap": 2, "counts": {date(2026, 6, 6): 2}}),
    ("the cap is of the start's date", PARIS, [window("23:00–01:00")], DAY, "",
     {"daily_cap": 1, "counts": {date(2026, 6, 5): 1}}),
    ("and not of the window's", PARIS, [window("23:00–01:00")], DAY, "00:00 00:30 23:00 23:30",
     {"daily_cap": 1, "counts": {date(2026, 6, 4): 1}}),
    ("half-hour zones start at half past", "Asia/Kathmandu", [window("09:00–10:00")], DAY, "09:00 09:30", {}),
    ("an hour that is longer than its interval", PARIS, [window("09:00–10:00")], DAY, "09:00 09:10 09:20 09:30",
     {"interval": 10}),
    ("never open", PARIS, [], DAY, "", {}),
    ("open all day", PARIS, [window("08:00–08:00", "thu")], DAY, "00:00 02:00 04:00 06:00", {"interval": 120}),
]  # fmt: skip


@pytest.mark.parametrize(
    ("zone", "hours", "day", "expected", "others"), [pytest.param(*line[1:], id=line[0]) for line in VECTORS]
)
def test_available_times_match_the_vectors(
    zone: str, hours: list[Any], day: str, expected: str, others: dict[str, Any]
) -> None:
    assert free(availability(zone, hours, **others), zone, day) == expected


@pytest.mark.parametrize(
    ("start", "utc"),
    [
        ("2026-03-08 13:30", "2026-03-08T17:30:00Z"),
        ("2026-03-08 02:30", "2026-03-08T07:30:00Z"),
        ("2026-11-01 01:30", "2026-11-01T05:30:00Z"),
    ],
)
def test_a_window_in_new_york_opens_at_the_expected_utc_time(start: str, utc: str) -> None:
    day, clock = start.split()
    asked = availability(NEW_YORK, [window(f"{clock}–{clock[:2]}:59")], duration=5)
    assert asked.list_free(date.fromisoformat(day), date.fromisoformat(day))[0] == unix_time(utc, "UTC")


def causes(asked: Any, *clocks: str, day: str = DAY) -> list[Cause | None]:
    return [asked.find_cause(unix_time(f"{day} {clock}", PARIS)) for clock in clocks]


def test_each_unavailable_time_has_its_cause() -> None:
    taken = [
        visit(PARIS, f"{DAY} 10:00", 30, before=15, after=15),
        visit(PARIS, f"{DAY} 12:00", 30, kind=BusyKind.PAYING),
        visit(PARIS, f"{DAY} 13:00", 30, kind=BusyKind.BLOCK),
        visit(PARIS, f"{DAY} 14:00", 30, kind=BusyKind.EVENT),
    ]
    asked = availability(
        PARIS, [window("08:00–16:00")], taken=taken, interval=15, before=10, after=5, notice=60, horizon=1,
        now=datetime(2026, 6, 5, 6, 5, tzinfo=UTC), overrides={"2026-06-06": []},
    )  # fmt: skip
    booking, paying, block, event = taken
    assert causes(asked, "07:00", "08:15", "09:15", "09:30", "10:15", "10:45", "10:50", "11:00") == [
        (UnavailableReason.PAST, None, None),
        (UnavailableReason.NOTICE, None, None),
        (UnavailableReason.BUFFER, booking, BufferOwner.BOTH),
        (UnavailableReason.BUFFER, booking, BufferOwner.OTHER),
        (UnavailableReason.TAKEN, booking, None),
        (UnavailableReason.BUFFER, booking, BufferOwner.BOTH),
        (UnavailableReason.GRID, None, None),
        None,
    ]
    assert causes(asked, "11:30", "11:45", "12:30", "13:15", "14:30", "15:30", "15:45", "16:00") == [
        (UnavailableReason.BUFFER, paying, BufferOwner.OWN),
        (UnavailableReason.TAKEN, paying, None),
        (UnavailableReason.BUFFER, paying, BufferOwner.OWN),
        (UnavailableReason.BLOCKED, block, None),
        (UnavailableReason.BUFFER, event, BufferOwner.OWN),
        None,
        (UnavailableReason.HOURS, None, None),
        (UnavailableReason.HOURS, None, None),
    ]
    assert causes(asked, "10:00", day="2026-06-06") == [(UnavailableReason.CLOSED, None, None)]
    assert causes(asked, "10:00", day="2026-06-07") == [(UnavailableReason.HORIZON, None, None)]


def test_an_owner_exempt_from_a_rule_gets_the_next_cause_that_applies() -> None:
    taken = visit(PARIS, f"{DAY} 10:00", 30)
    asked = availability(PARIS, NINE_TO_TWELVE, taken=[taken], notice=600, now=datetime(2026, 6, 5, 6, tzinfo=UTC))
    assert asked.find_cause(unix_time(f"{DAY} 10:00", PARIS)) == Cause(UnavailableReason.NOTICE)
    assert asked.find_cause(unix_time(f"{DAY} 10:00", PARIS), {UnavailableReason.NOTICE}) == Cause(
        UnavailableReason.TAKEN, taken
    )
    assert asked.find_cause(unix_time(f"{DAY} 11:00", PARIS), {UnavailableReason.NOTICE}) is None


def test_the_nearest_available_times_are_in_order() -> None:
    taken = [visit(PARIS, f"{DAY} 10:00", 60), visit(PARIS, f"{DAY} 11:30", 30)]
    asked = availability(PARIS, [window("09:00–12:00", "thu", "fri")], taken=taken)
    assert asked.find_nearest(unix_time(f"{DAY} 10:30", PARIS)) == [
        unix_time(f"{DAY} {clock}", PARIS) for clock in ("09:00", "09:30", "11:00")
    ]
    assert availability(PARIS, []).find_nearest(unix_time(f"{DAY} 10:30", PARIS)) == []


MINUTES = st.integers(0, 12 * 12).map(lambda fives: fives * 5)
SPANS = st.lists(st.tuples(MINUTES, st.integers(0, 90), st.integers(0, 30), st.integers(0, 30)), max_size=12)


@given(SPANS, st.sampled_from([0, 5, 20]), st.sampled_from([0, 10]))
def test_a_time_is_available_when_no_busy_time_overlaps_it(spans: Any, before: int, after: int) -> None:
    taken = [
        visit("UTC", f"{DAY} {8 + minute // 60:02d}:{minute % 60:02d}", length, margin, margin_after, kind)
        for (minute, length, margin, margin_after), kind in zip(
            spans, [BusyKind.BOOKING, BusyKind.EVENT] * 6, strict=False
        )
    ]
    asked = availability("UTC", [window("08:00–20:00")], taken=taken, interval=5, before=before, after=after)
    expected = [
        start
        for start in range(unix_time(f"{DAY} 08:00", "UTC"), unix_time(f"{DAY} 19:31", "UTC"), 300)
        if not any(
            busy_time.from_ < busy_time.until
            and busy_time.from_ < start + (30 + after) * 60
            and start - before * 60 < busy_time.until
            for busy_time in taken
        )
    ]
    assert asked.list_free(date.fromisoformat(DAY), date.fromisoformat(DAY)) == expected


def test_listed_times_are_those_without_a_cause() -> None:
    taken = [visit(PARIS, f"{DAY} 10:00", 30, after=20)]
    asked = availability(PARIS, LATE + NINE_TO_TWELVE, taken=taken, interval=25, before=10)
    days = date(2026, 6, 4), date(2026, 6, 7)
    listed = {time.start for time in asked.list_times(*days) if time.is_free}
    assert set(asked.list_free(*days)) == listed
    minutes = range(unix_time("2026-06-04 00:00", PARIS), unix_time("2026-06-08 00:00", PARIS), 60)
    assert listed == {minute for minute in minutes if asked.find_cause(minute) is None}
    assert asked.terms == ServiceTerms(duration=30, interval=25, before=10, horizon=100_000)
