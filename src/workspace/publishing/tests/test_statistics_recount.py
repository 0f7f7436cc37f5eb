"""Whatever was visited and whenever, the figures equal a plain recount of the list of visits."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta, tzinfo
from zoneinfo import ZoneInfo

import pytest
import time_machine
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from workspace.publishing.counting import Arrival, enter
from workspace.publishing.statistics import Share, statistics
from workspace.publishing.tests.making import guest, publish

# clocks that change at midnight, at one and at two, by half an hour, and zones off by half and quarter hours
ZONES = [
    "UTC",
    "Europe/Vienna",
    "America/New_York",
    "America/Havana",
    "Africa/Cairo",
    "Asia/Beirut",
    "Asia/Kolkata",
    "Asia/Kathmandu",
    "Australia/Lord_Howe",
    "America/St_Johns",
    "Pacific/Chatham",
    "Pacific/Kiritimati",
]
CHANGES = [
    datetime(2026, 3, 8),
    datetime(2026, 3, 29),
    datetime(2026, 4, 24),
    datetime(2026, 10, 25),
    datetime(2026, 11, 1),
]


@dataclass(frozen=True)
class Visited:
    at: datetime
    name: str
    device: str
    city: str
    part: str
    bot: bool


def _visits(around: datetime) -> st.SearchStrategy[list[Visited]]:
    minutes = st.integers(-10 * 24 * 60, 24 * 60)
    return st.lists(
        st.builds(
            lambda offset, *rest: Visited(around + timedelta(minutes=offset), *rest),
            minutes,
            st.sampled_from(["Ann", "Bob", "Cem"]),
            st.sampled_from(["phone", "desktop"]),
            st.sampled_from(["Graz", "Linz"]),
            st.sampled_from(["", "menu", "phone"]),
            st.sampled_from([False, False, False, True]),
        ),
        max_size=25,
    )


CASES = st.sampled_from(CHANGES).flatmap(
    lambda around: st.tuples(st.just(around.replace(tzinfo=UTC)), _visits(around.replace(tzinfo=UTC)))
)


@pytest.mark.django_db
@settings(max_examples=60, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(CASES, st.sampled_from(ZONES).map(ZoneInfo), st.integers(1, 12), st.integers(0, 40), st.integers(1, 7))
def test_statistics_equal_a_recount(
    case: tuple[datetime, list[Visited]], zone: ZoneInfo, days: int, later: int, batch: int
) -> None:
    around, visits = case
    visits = sorted(visits, key=lambda visit: visit.at)
    code = publish()
    arrivals = [
        Arrival(code.pk, "scan", v.part, v.at, guest(v.name, device=v.device, city=v.city, bot=v.bot)) for v in visits
    ]
    for start in range(0, len(arrivals), batch):
        enter(arrivals[start : start + batch])
    with time_machine.travel(around + timedelta(hours=24 + later), tick=False):
        today = datetime.now(UTC).astimezone(zone).date()
        found = statistics(code.pk, "scan", days=days, zone=zone)
    first = today - timedelta(days=days - 1)
    people = [visit for visit in visits if not visit.bot]
    firsts = _firsts(people)
    inside = [visit for visit in people if _day(visit, zone) >= first]
    assert found.total == len(people)
    assert found.total_in_window == len(inside)
    assert found.unique == sum(id(visit) in firsts for visit in inside)
    assert found.bots == sum(visit.bot and _day(visit, zone) >= first for visit in visits)
    assert found.last_7_days == sum(_day(visit, zone) >= today - timedelta(days=6) for visit in people)
    assert [day.date for day in found.by_day] == [first + timedelta(days=n) for n in range(days)]
    counted = Counter(_day(visit, zone) for visit in inside)
    assert {day.date: day.count for day in found.by_day if day.count} == counted
    assert {hour: n for hour, n in enumerate(found.by_hour) if n} == Counter(_hour(v, zone).hour for v in inside)
    for field in ("device", "city"):
        counts = Counter(getattr(visit, field) for visit in inside)
        uniques = Counter(getattr(visit, field) for visit in inside if id(visit) in firsts)
        expected = [Share(value, n, uniques[value]) for value, n in counts.items()]
        assert getattr(found, f"by_{field}") == sorted(expected, key=lambda share: (-share.count, share.value))
    assert {share.value: share.count for share in found.by_part} == Counter(v.part for v in inside if v.part)


def _firsts(people: list[Visited]) -> set[int]:
    met: set[tuple[str, object]] = set()
    firsts = set()
    for visit in people:
        if (visit.name, visit.at.date()) not in met:
            met.add((visit.name, visit.at.date()))
            firsts.add(id(visit))
    return firsts


def _hour(visit: Visited, zone: tzinfo) -> datetime:
    return visit.at.replace(minute=0).astimezone(zone)


def _day(visit: Visited, zone: tzinfo) -> object:
    return _hour(visit, zone).date()
