"""Rules for times, order, conflicts, and running sessions."""

from __future__ import annotations

from datetime import UTC, date, datetime, timedelta
from zoneinfo import ZoneInfo

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from workspace.brand.color_contrast import contrast_ratio
from workspace.brand.style import DAY, NIGHT
from workspace.products.event.rules.conflicts import MAX_CONFLICTS, Conflict, find_conflicts
from workspace.products.event.rules.now_and_next import compute_ends, find_now_and_next
from workspace.products.event.rules.session_order import insertion_index
from workspace.products.event.rules.session_slot import Slot
from workspace.products.event.rules.session_times import (
    compute_session_times,
    format_minutes,
    is_after_midnight,
    minutes_between,
)
from workspace.products.event.rules.track_colors import visible_color

pytestmark = pytest.mark.any_database
PARIS, NEW_YORK = ZoneInfo("Europe/Paris"), ZoneInfo("America/New_York")
FRIDAY, SATURDAY = date(2026, 5, 15), date(2026, 5, 16)


def slot(
    id: str,
    start: str = "",
    end: str = "",
    *,
    day: date = FRIDAY,
    zone: ZoneInfo = PARIS,
    room: str = "",
    **more: object,
) -> Slot:
    starts_at, ends_at = compute_session_times(day, start, end, zone)
    return Slot(id, day.isoformat(), starts_at, ends_at, room, **more)  # type: ignore[arg-type]


def local_time(text: str, day: date = FRIDAY, zone: ZoneInfo = PARIS) -> datetime:
    return datetime.fromisoformat(f"{day}T{text}").replace(tzinfo=zone)


def pairs(*slots: Slot) -> set[str]:
    return {f"{clash.first}/{clash.second}" for clash in find_conflicts(slots)}


def test_an_end_before_the_start_is_on_the_next_date() -> None:
    begins, until = compute_session_times(FRIDAY, "22:30", "01:00", PARIS)
    assert begins == local_time("22:30")
    assert until == local_time("01:00", SATURDAY)
    assert compute_session_times(FRIDAY, "", "", PARIS) == (None, None)
    assert compute_session_times(FRIDAY, "09:00", "", PARIS) == (local_time("09:00"), None)


@pytest.mark.parametrize(
    ("day", "start", "end", "hours"),
    [
        (date(2026, 3, 7), "23:00", "04:00", 4),  # the clock is set forward
        (date(2026, 10, 31), "23:00", "03:00", 5),  # the clock is set back
        (date(2026, 11, 1), "01:15", "01:45", 0.5),  # both times occur twice: the first of each
        (date(2026, 3, 8), "02:15", "02:45", 0.5),  # neither time exists: the difference of the clock times
        (date(2026, 3, 8), "02:30", "03:15", 0.75),  # the start moves past the end
    ],
)
def test_a_night_with_a_clock_change_has_its_real_length(day: date, start: str, end: str, hours: float) -> None:
    begins, until = compute_session_times(day, start, end, NEW_YORK)
    assert begins is not None
    assert until is not None
    assert until - begins == timedelta(hours=hours)


def test_a_skipped_start_is_later_by_the_gap_and_a_repeated_start_is_the_first() -> None:
    assert compute_session_times(date(2026, 3, 8), "02:30", "", NEW_YORK)[0] == datetime(2026, 3, 8, 7, 30, tzinfo=UTC)
    assert compute_session_times(date(2026, 11, 1), "01:30", "", NEW_YORK)[0] == datetime(
        2026, 11, 1, 5, 30, tzinfo=UTC
    )


@given(
    st.dates(date(2026, 1, 1), date(2027, 12, 31)),
    st.integers(0, 1439),
    st.integers(0, 1439),
    st.sampled_from(["America/New_York", "Europe/Paris", "Australia/Lord_Howe", "Asia/Tokyo", "America/Santiago"]),
)
def test_no_session_ends_before_it_starts(day: date, start: int, end: int, zone: str) -> None:
    if start != end:
        begins, until = compute_session_times(day, format_minutes(start), format_minutes(end), ZoneInfo(zone))
        assert begins is not None
        assert until is not None
        assert timedelta() < until - begins <= timedelta(hours=26)


def test_clock_times_are_computed_past_midnight() -> None:
    assert minutes_between("22:30", "01:00") == 150
    assert format_minutes(25 * 60 + 5) == "01:05"
    assert is_after_midnight("00:30")
    assert not is_after_midnight("09:00")
    assert not is_after_midnight("")


def ordered(*requested: tuple[str, str]) -> list[str]:
    day: list[tuple[str, str]] = []
    for title, start in requested:
        day.insert(insertion_index([other for _, other in day], start), (title, start))
    return [title for title, _ in day]


def test_untimed_sessions_and_equal_starts_keep_their_order_of_insertion() -> None:
    assert ordered(("Q", "14:00"), ("Lunch", ""), ("P", "09:00")) == ["P", "Q", "Lunch"]
    assert ordered(("A", "09:00"), ("B", "09:00"), ("x", ""), ("C", "08:00"), ("y", "")) == ["C", "A", "B", "x", "y"]


@given(st.lists(st.sampled_from(["", "08:00", "09:30", "12:00", "23:59"]), max_size=12))
def test_sessions_inserted_by_the_rule_are_ordered_by_time(starts: list[str]) -> None:
    day: list[str] = []
    for start in starts:
        day.insert(insertion_index(day, start), start)
    timed = [start for start in day if start]
    assert timed == sorted(timed)


def test_overlaps_in_a_room_conflict_even_if_not_adjacent_in_order() -> None:
    a, b, c = (
        slot("A", "09:00", "12:00", room="hall"),
        slot("B", "10:00", "10:30", room="hall"),
        slot("C", "11:00", "13:00", room="hall"),
    )
    assert pairs(a, b, c) == {"A/B", "A/C"}
    assert pairs(slot("A", "09:00", "10:00", room="hall"), slot("B", "10:00", "11:00", room="hall")) == set()


def test_a_night_and_the_early_hours_of_the_next_day_conflict() -> None:
    late = slot("late", "22:30", "01:00", room="hall")
    assert pairs(late, slot("early", "00:30", "02:00", day=SATURDAY, room="hall")) == {"late/early"}


def test_a_speaker_cannot_be_in_two_sessions_and_no_room_is_no_conflict() -> None:
    item, other = slot("one", "09:00", "10:00", speakers=("ada",)), slot("other", "09:30", "10:30", speakers=("ada",))
    assert find_conflicts([item, other]) == [Conflict("one", "other", speaker="ada")]
    assert pairs(slot("one", "09:00", "10:00"), slot("other", "09:30", "10:30")) == set()


def test_a_session_without_an_end_is_a_point_in_time() -> None:
    whole = slot("whole", "09:00", "10:00", room="hall")
    assert pairs(whole, slot("within", "09:59", room="hall")) == {"whole/within"}
    assert pairs(whole, slot("after", "10:00", room="hall")) == set()
    assert pairs(slot("one", "09:00", room="hall"), slot("same", "09:00", room="hall")) == {"one/same"}


def test_breaks_and_cancelled_sessions_have_no_conflicts() -> None:
    whole = slot("whole", "09:00", "12:00", room="hall")
    assert pairs(whole, slot("coffee", "10:00", "10:30", room="hall", kind="break")) == set()
    assert pairs(whole, slot("off", "10:00", "10:30", room="hall", cancelled=True)) == set()


def test_the_number_of_reported_conflicts_is_limited() -> None:
    assert len(find_conflicts([slot(f"{n}", "09:00", "12:00", room="hall") for n in range(100)])) == MAX_CONFLICTS


def test_now_and_next_follow_the_clock() -> None:
    x = slot("X", "10:00", "11:00", room="r1")
    y = slot("Y", "10:00", "12:00", room="r2")
    z = slot("Z", "11:00", "12:00", room="r1")
    first = find_now_and_next([z, x, y], local_time("10:00"))
    assert ([slot.id for slot in first.now], [slot.id for slot in first.next]) == (["X", "Y"], ["Z"])
    second = find_now_and_next([x, y, z], local_time("11:00"))
    assert ([slot.id for slot in second.now], list(second.next)) == (["Y", "Z"], [])


def test_the_next_session_may_be_on_a_later_day() -> None:
    now_and_next = find_now_and_next(
        [slot("A", "09:00", "10:00"), slot("B", "09:00", "10:00", day=SATURDAY)], local_time("20:00")
    )
    assert ([slot.id for slot in now_and_next.now], [slot.id for slot in now_and_next.next]) == ([], ["B"])


def test_a_session_without_an_end_lasts_until_the_next_in_its_room_and_an_hour_at_most() -> None:
    x = slot("X", "18:00", room="r1")
    assert [slot.id for slot in find_now_and_next([x], local_time("18:59")).now] == ["X"]
    assert find_now_and_next([x], local_time("19:00")).now == []
    followed = [x, slot("Y", "18:20", room="r1"), slot("Z", "18:10", room="r2")]
    assert compute_ends(followed)["X"] == local_time("18:20")


def test_untimed_and_cancelled_sessions_are_neither_now_nor_next() -> None:
    now_and_next = find_now_and_next(
        [slot("off", "10:00", "11:00", cancelled=True), slot("some time")], local_time("10:30")
    )
    assert (now_and_next.now, now_and_next.next) == ([], [])
    assert find_now_and_next([slot("off", "12:00", cancelled=True)], local_time("10:30")).next == []


def test_a_running_session_in_tokyo_is_running_for_a_phone_in_new_york() -> None:
    morning = slot("T", "09:00", "10:00", zone=ZoneInfo("Asia/Tokyo"))
    moment = datetime(2026, 5, 14, 20, 30, tzinfo=NEW_YORK)
    assert [slot.id for slot in find_now_and_next([morning], moment).now] == ["T"]


@given(color=st.from_regex(r"#[0-9a-f]{6}", fullmatch=True))
@example(color="#ffe14d")
def test_a_tracks_color_is_visible_in_light_and_dark_mode(color: str) -> None:
    fits = [contrast_ratio(color, card) >= 3 for card in (DAY.card, NIGHT.card)]
    shown = visible_color(color)
    assert min(contrast_ratio(shown, card) for card in (DAY.card, NIGHT.card)) >= 3
    assert (shown == color) == all(fits), "what is seen stays as it was chosen"
