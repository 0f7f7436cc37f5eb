"""Validity to the day: through the last day, in the account's time zone, across clock changes."""

from __future__ import annotations

from datetime import UTC, date, datetime, timedelta
from zoneinfo import ZoneInfo

import pytest
from hypothesis import given
from hypothesis import strategies as st

from workspace.products.waiver.rules.validity import (
    Reason,
    Span,
    ValidityInput,
    compute_birthday,
    compute_expiry,
    compute_last_day,
    compute_majority,
    find_reason,
    is_of_age,
    start_of_day,
)

NEW_YORK = ZoneInfo("America/New_York")
ZONES = ["America/New_York", "Europe/Berlin", "Asia/Kathmandu", "Pacific/Apia", "Africa/Cairo", "UTC"]


def local_time(text: str, zone: ZoneInfo = NEW_YORK) -> datetime:
    return datetime.fromisoformat(text).replace(tzinfo=zone)


@pytest.mark.parametrize(
    ("signed", "span", "now", "expected"),
    [
        ("2025-11-21 12:00", {"years": 1}, "2026-11-21 23:59", Reason.VALID),
        ("2025-11-21 12:00", {"years": 1}, "2026-11-22 00:00", Reason.EXPIRED),
        ("2025-11-21 23:30", {"years": 1}, "2026-11-21 23:59", Reason.VALID),
        ("2025-11-21 23:30", {"years": 1}, "2026-11-22 00:00", Reason.EXPIRED),
        ("2026-10-31 09:00", {"days": 1}, "2026-11-01 23:59", Reason.VALID),
        ("2026-10-31 09:00", {"days": 1}, "2026-11-02 00:00", Reason.EXPIRED),
        ("2026-03-07 09:00", {"days": 1}, "2026-03-08 23:59", Reason.VALID),
        ("2026-05-05 09:00", {"end_of_year": True}, "2026-12-31 23:59", Reason.VALID),
        ("2026-05-05 09:00", {"end_of_year": True}, "2027-01-01 00:00", Reason.EXPIRED),
        ("2026-05-05 09:00", {"until": "2026-06-30"}, "2026-07-01 00:00", Reason.EXPIRED),
        ("2026-05-05 09:00", {}, "2126-07-01 00:00", Reason.VALID),
    ],
)
def test_a_signature_is_valid_through_the_last_day(signed: str, span: Span, now: str, expected: Reason) -> None:
    copy = ValidityInput(1, compute_expiry(span, local_time(signed).astimezone(UTC), NEW_YORK))
    assert find_reason(copy, 1, local_time(now).astimezone(UTC)) is expected


@pytest.mark.parametrize(
    ("born", "now", "expected"),
    [
        ("2008-11-21", "2026-11-20 22:00", Reason.VALID),
        ("2008-11-21", "2026-11-21 00:00", Reason.OF_AGE),
        ("2008-02-29", "2026-02-28 23:59", Reason.VALID),
        ("2008-02-29", "2026-03-01 00:00", Reason.OF_AGE),
    ],
)
def test_a_minors_signature_is_valid_until_the_birthday(born: str, now: str, expected: Reason) -> None:
    copy = ValidityInput(1, None, compute_majority(date.fromisoformat(born), 18, NEW_YORK))
    assert find_reason(copy, 1, local_time(now).astimezone(UTC)) is expected


def test_the_reason_with_the_highest_precedence_is_returned() -> None:
    now = datetime(2026, 6, 1, tzinfo=UTC)
    past = now - timedelta(days=1)
    assert find_reason(ValidityInput(1, past, past, True), 2, now) is Reason.VOIDED
    assert find_reason(ValidityInput(1, past, past), 2, now) is Reason.EXPIRED
    assert find_reason(ValidityInput(1, None, past), 2, now) is Reason.OUTDATED
    assert find_reason(ValidityInput(2, None, past), 2, now) is Reason.OF_AGE
    assert find_reason(ValidityInput(3, now + timedelta(seconds=1), None), 2, now) is Reason.VALID


@pytest.mark.parametrize(
    ("signed", "span", "last"),
    [
        ("2026-01-31", {"months": 1}, "2026-02-28"),
        ("2028-01-31", {"months": 1}, "2028-02-29"),
        ("2028-02-29", {"years": 1}, "2029-02-28"),
        ("2026-08-31", {"months": 18}, "2028-02-29"),
        ("2026-12-31", {"end_of_year": True}, "2026-12-31"),
    ],
)
def test_a_period_in_months_ends_on_the_last_day_of_a_shorter_month(signed: str, span: Span, last: str) -> None:
    assert compute_last_day(span, date.fromisoformat(signed)) == date.fromisoformat(last)


@given(
    st.datetimes(datetime(2000, 1, 1), datetime(2060, 1, 1), timezones=st.just(UTC)),
    st.sampled_from(ZONES),
    st.one_of(
        st.builds(lambda n: {"days": n}, st.integers(1, 4000)),
        st.builds(lambda n: {"months": n}, st.integers(1, 120)),
        st.builds(lambda n: {"years": n}, st.integers(1, 10)),
    ),
)
def test_all_of_the_last_day_is_valid_and_nothing_of_the_next(signed: datetime, name: str, span: Span) -> None:
    zone = ZoneInfo(name)
    ends = compute_expiry(span, signed, zone)
    last = compute_last_day(span, signed.astimezone(zone).date())
    assert ends is not None and last is not None
    before = (ends - timedelta(microseconds=1)).astimezone(UTC).astimezone(zone)
    after = ends.astimezone(UTC).astimezone(zone)
    assert before.date() <= last < after.date() and signed < ends.astimezone(UTC)


@given(st.dates(date(1900, 1, 1), date(2030, 12, 31)), st.integers(16, 21), st.sampled_from(ZONES))
def test_the_age_of_majority_starts_with_the_first_moment_of_a_day(born: date, age: int, name: str) -> None:
    day = compute_birthday(born, age)
    assert not is_of_age(born, age, day - timedelta(days=1)) and is_of_age(born, age, day)
    assert compute_majority(born, age, ZoneInfo(name)) == start_of_day(day, ZoneInfo(name))
    assert (day.month, day.day) in {(born.month, born.day), (3, 1)}
