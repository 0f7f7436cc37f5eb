"""For any visits, times and account time zones, the statistics and the export equal a plain recount of all visits."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass
from datetime import UTC, date, datetime, timedelta
from typing import Any
from zoneinfo import ZoneInfo

import pytest
import time_machine
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from workspace.accounts.models import Account
from workspace.analytics.ingest import IncomingVisit, write_visits
from workspace.analytics.queries import ValueCount, compute_statistics, stream_visits
from workspace.testing.api import make_account
from workspace.testing.publications import build_guest, publish

# clock changes at midnight, at one and at two, by half an hour, and zones with half-hour and quarter-hour offsets
ZONES = [
    "UTC",
    "Europe/Vienna",
    "America/New_York",
    "America/Havana",
    "Africa/Cairo",
    "Asia/Beirut",
    "Asia/Kolkata",
    "Asia/Kathmandu",
    "Australia/Adelaide",
    "Australia/Lord_Howe",
    "America/St_Johns",
    "Pacific/Chatham",
    "Pacific/Kiritimati",
    "Etc/GMT+12",
]
CHANGES = [
    datetime(2026, 3, 8),
    datetime(2026, 3, 29),
    datetime(2026, 4, 5),
    datetime(2026, 4, 24),
    datetime(2026, 10, 4),
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


@dataclass(frozen=True)
class Counted:
    """A visit, its time on the account's clocks at that time, and whether it was the visitor's first."""

    visit: Visited
    local: datetime
    first: bool
    first_of_part: bool


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


CASES = st.sampled_from([change.replace(tzinfo=UTC) for change in CHANGES]).flatmap(
    lambda around: st.tuples(
        st.just(around),
        # the account's consecutive time zones, with the visits written in each; not by time, because visits wait while
        # the database cannot be written to
        st.lists(st.tuples(st.sampled_from(ZONES).map(ZoneInfo), _visits(around)), min_size=1, max_size=3),
    )
)


@pytest.mark.django_db
@settings(max_examples=80, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(CASES, st.integers(1, 12), st.integers(0, 40), st.integers(1, 7), st.booleans())
def test_statistics_equal_a_recount(
    case: tuple[datetime, list[tuple[ZoneInfo, list[Visited]]]], days: int, later: int, batch: int, in_order: bool
) -> None:
    around, periods = case
    account = make_account()
    code = publish(account)
    for zone, visits in periods:
        Account.objects.filter(pk=account.pk).update(time_zone=zone.key)
        if in_order:
            visits.sort(key=lambda visit: visit.at)
        arrivals = [
            IncomingVisit(code.pk, "scan", v.part, v.at, build_guest(v.name, device=v.device, city=v.city, bot=v.bot))
            for v in visits
        ]
        for start in range(0, len(arrivals), batch):
            write_visits(arrivals[start : start + batch])
    zone = periods[-1][0]
    with time_machine.travel(around + timedelta(hours=24 + later), tick=False):
        today = datetime.now(UTC).astimezone(zone).date()
        found = compute_statistics(code.pk, "scan", days=days, zone=zone)
        parts = {
            part: compute_statistics(code.pk, "scan", days=days, zone=zone, part=part) for part in ("menu", "phone")
        }
        exported = list(stream_visits(code.pk, "scan", days=days, zone=zone))
    first = today - timedelta(days=days - 1)
    counted = _recount(periods)
    people = [one for one in counted if not one.visit.bot]
    inside = [one for one in people if one.local.date() >= first]
    assert found.total == len(people)
    assert found.total_in_window == len(inside) == sum(row[-1] == "no" for row in exported)
    assert found.unique == sum(one.first for one in inside)
    assert found.bots == sum(row[-1] == "yes" for row in exported)
    assert found.bots == sum(one.visit.bot and one.local.date() >= first for one in counted)
    assert found.last_7_days == sum(one.local.date() >= today - timedelta(days=6) for one in people)
    assert [day.date for day in found.by_day] == [first + timedelta(days=n) for n in range(days)]
    by_day = _share(inside, lambda one: min(one.local.date(), today), lambda one: one.first)
    assert {day.date: (day.count, day.unique) for day in found.by_day if day.count} == by_day
    assert {hour: n for hour, n in enumerate(found.by_hour) if n} == Counter(one.local.hour for one in inside)
    assert found.by_device == _shares(inside, lambda one: one.visit.device, lambda one: one.first)
    assert found.by_city == _shares(inside, lambda one: one.visit.city, lambda one: one.first)
    clicked = [one for one in inside if one.visit.part]
    assert found.by_part == _shares(clicked, lambda one: one.visit.part, lambda one: one.first_of_part)
    for part, told in parts.items():
        own = [one for one in clicked if one.visit.part == part]
        assert (told.total_in_window, told.by_part) == (len(own), [])
        assert told.unique == sum(one.first_of_part for one in own)
        assert told.by_device == _shares(own, lambda one: one.visit.device, lambda one: one.first_of_part)


def _recount(periods: list[tuple[ZoneInfo, list[Visited]]]) -> list[Counted]:
    met: set[tuple[str, str, date]] = set()

    def is_first(visit: Visited, part: str, day: date) -> bool:
        key = (visit.name, part, day)
        return not visit.bot and key not in met and not met.add(key)  # type: ignore[func-returns-value]

    counted = []
    for zone, visits in periods:
        for visit in visits:
            local = visit.at.astimezone(zone)
            first = is_first(visit, "", local.date())
            of_part = bool(visit.part) and is_first(visit, visit.part, local.date())
            counted.append(Counted(visit, local, first, of_part))
    return counted


def _share(
    counted: list[Counted], key: Callable[[Counted], Any], first: Callable[[Counted], bool]
) -> dict[Any, tuple[int, int]]:
    counts, uniques = Counter(map(key, counted)), Counter(key(one) for one in counted if first(one))
    return {value: (n, uniques[value]) for value, n in counts.items()}


def _shares(
    counted: list[Counted], key: Callable[[Counted], str], first: Callable[[Counted], bool]
) -> list[ValueCount]:
    found = [ValueCount(value, *counts) for value, counts in _share(counted, key, first).items()]
    return sorted(found, key=lambda share: (-share.count, share.value))
