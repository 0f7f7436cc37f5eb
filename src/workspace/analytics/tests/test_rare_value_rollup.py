"""If a code has very many values, the rare ones are merged. Visits keep their days."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from zoneinfo import ZoneInfo

import pytest
import time_machine

from workspace.analytics import rare_value_rollup
from workspace.analytics.queries import Statistics, ValueCount, compute_statistics
from workspace.analytics.visit_writer import record_visit
from workspace.publishing.models import Breakdown, DailyBreakdown, Publication
from workspace.testing.publications import build_guest, publish

NOW = datetime(2026, 11, 21, 12, tzinfo=UTC)


@pytest.fixture
def code(db: None, monkeypatch: pytest.MonkeyPatch) -> Publication:
    monkeypatch.setattr(rare_value_rollup, "MAX_NAMED_VALUES", 2)
    monkeypatch.setattr(rare_value_rollup, "_BATCH_SIZE", 2)
    return publish()


def _scan(code: Publication, days_ago: int, *cities: str, part: str = "") -> None:
    for city in cities:
        with time_machine.travel(NOW - timedelta(days=days_ago), tick=False):
            record_visit(code.pk, "scan", build_guest(city, city=city), part=part)


def _merge_rare_values() -> None:
    with time_machine.travel(NOW, tick=False):
        rare_value_rollup.merge_rare_values()


def _figures(code: Publication, days: int) -> Statistics:
    with time_machine.travel(NOW, tick=False):
        return compute_statistics(code.pk, "scan", days=days, zone=ZoneInfo("UTC"))


def test_rare_values_are_merged_on_their_own_days(code: Publication) -> None:
    _scan(code, 30, "Graz", "Graz", "Linz", "Linz", "Wels", "Steyr")
    _scan(code, 20, "Graz", "Linz", "Wels", "Hallein", "Hallein")
    _scan(code, 10, "Graz", "Linz", "Lienz")
    _merge_rare_values()
    assert _figures(code, 40).by_city == [ValueCount("Other", 6, 5), ValueCount("Graz", 4, 3), ValueCount("Linz", 4, 3)]
    assert _figures(code, 25).by_city == [ValueCount("Other", 4, 3), ValueCount("Graz", 2, 2), ValueCount("Linz", 2, 2)]
    assert _figures(code, 15).by_city == [ValueCount("Graz", 1, 1), ValueCount("Linz", 1, 1), ValueCount("Other", 1, 1)]
    assert _figures(code, 5).by_city == []
    assert Breakdown.objects.filter(dimension="city").count() == 3
    assert set(DailyBreakdown.objects.values_list("breakdown", flat=True)) == set(
        Breakdown.objects.values_list("pk", flat=True)
    )


def test_a_recent_value_is_not_merged_and_a_returning_one_gets_its_name_back(code: Publication) -> None:
    _scan(code, 20, "Graz", "Graz", "Linz", "Linz", "Wels")
    _scan(code, 3, "Steyr")
    _merge_rare_values()
    _scan(code, 2, "Wels")
    _merge_rare_values()
    assert _figures(code, 5).by_city == [ValueCount("Steyr", 1, 1), ValueCount("Wels", 1, 1)]
    told = _figures(code, 30).by_city
    assert told[-3:] == [ValueCount("Other", 1, 1), ValueCount("Steyr", 1, 1), ValueCount("Wels", 1, 1)]


def test_values_merged_later_join_those_merged_before(code: Publication) -> None:
    _scan(code, 40, "Graz", "Graz", "Linz", "Linz", "Wels", "Steyr")
    _merge_rare_values()
    _scan(code, 50, "Hallein")  # written late
    _scan(code, 30, "Lienz")
    _merge_rare_values()
    assert _figures(code, 60).by_city[0] == ValueCount("Other", 4, 4)
    assert _figures(code, 45).by_city[0] == ValueCount("Other", 3, 3)
    assert _figures(code, 35).by_city == [ValueCount("Other", 1, 1)]


def test_parts_are_never_merged(code: Publication) -> None:
    for number in range(4):
        _scan(code, 20 + number, "Graz", part=f"{number}")
    _merge_rare_values()
    assert len(_figures(code, 60).by_part) == 4
