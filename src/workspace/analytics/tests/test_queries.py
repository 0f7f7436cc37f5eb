from datetime import UTC, date, datetime, timedelta
from zoneinfo import ZoneInfo

import pytest
import time_machine

from workspace.analytics.queries import DayCount, ValueCount, compute_statistics, stream_visits
from workspace.analytics.visit_writer import record_visit
from workspace.publishing.models import Publication
from workspace.testing.publications import build_guest, publish

NOW = datetime(2026, 11, 21, 12, tzinfo=UTC)
VIENNA = ZoneInfo("Europe/Vienna")


@pytest.fixture
def code(db: None) -> Publication:
    return publish()


def _scan(
    code: Publication, at: datetime, name: str = "Ann", event: str = "scan", part: str = "", **facts: object
) -> None:
    with time_machine.travel(at, tick=False):
        record_visit(code.pk, event, build_guest(name, **facts), part=part)


@time_machine.travel(NOW, tick=False)
def test_a_code_without_scans_has_zeros_for_every_day(code: Publication) -> None:
    found = compute_statistics(code.pk, "scan", days=3, zone=VIENNA)
    assert (found.total, found.total_in_window, found.unique, found.bots, found.last_7_days) == (0, 0, 0, 0, 0)
    assert found.by_day == [DayCount(date(2026, 11, day), 0, 0) for day in (19, 20, 21)]
    assert found.by_hour == [0] * 24
    assert found.by_device == found.by_city == found.by_country == found.by_referrer == found.by_part == []


@time_machine.travel(NOW, tick=False)
def test_statistics_are_by_day_and_by_dimension(code: Publication) -> None:
    _scan(code, NOW - timedelta(days=30), "Old", city="Linz")
    _scan(code, NOW - timedelta(days=5), "Ann", device="desktop", city="Linz", referrer_host="example.com")
    _scan(code, NOW - timedelta(hours=3), "Bob")
    _scan(code, NOW - timedelta(hours=2), "Bob")
    _scan(code, NOW - timedelta(hours=1), "Robot", bot=True)
    found = compute_statistics(code.pk, "scan", days=3, zone=VIENNA)
    assert (found.total, found.total_in_window, found.unique, found.bots, found.last_7_days) == (4, 2, 1, 1, 3)
    assert found.before == 1
    assert found.by_day[-1] == DayCount(date(2026, 11, 21), 2, 1)
    assert found.by_device == [ValueCount("phone", 2, 1)]
    found = compute_statistics(code.pk, "scan", days=30, zone=VIENNA)
    assert found.by_device == [ValueCount("phone", 2, 1), ValueCount("desktop", 1, 1)]
    assert found.by_city == [ValueCount("Graz", 2, 1), ValueCount("Linz", 1, 1)]
    assert found.by_country == [ValueCount("Austria", 3, 2)]
    assert found.by_referrer == [ValueCount("Direct", 2, 1), ValueCount("example.com", 1, 1)]


@time_machine.travel(NOW, tick=False)
def test_clicks_are_counted_by_part(code: Publication) -> None:
    for part, name in [("menu", "Ann"), ("menu", "Ann"), ("menu", "Bob"), ("phone", "Ann")]:
        _scan(code, NOW, name, "click", part)
    found = compute_statistics(code.pk, "click", days=7, zone=VIENNA)
    assert found.by_part == [ValueCount("menu", 3, 2), ValueCount("phone", 1, 1)]
    assert (found.total, found.unique) == (4, 2)
    menu = compute_statistics(code.pk, "click", days=7, zone=VIENNA, part="menu")
    assert (menu.total, menu.unique, menu.by_part) == (3, 2, [])


@time_machine.travel(NOW, tick=False)
def test_statistics_need_the_same_queries_for_any_number_of_visits(
    code: Publication, django_assert_num_queries: pytest.FixtureRequest
) -> None:
    for rows in (0, 30):
        for number in range(rows):
            _scan(code, NOW - timedelta(hours=number), city=f"City {number}", part=f"{number}")
        with django_assert_num_queries(4):
            compute_statistics(code.pk, "scan", days=30, zone=VIENNA)


@time_machine.travel(NOW, tick=False)
def test_the_export_has_one_row_per_visit_newest_first(code: Publication) -> None:
    _scan(code, NOW - timedelta(days=9), "Old")
    _scan(code, NOW - timedelta(days=1), "Ann", bot=True)
    _scan(code, NOW, "Bob", city="Linz", referrer_host="example.com", part="menu")
    assert list(stream_visits(code.pk, "scan", days=2, zone=ZoneInfo("UTC"))) == [
        ("2026-11-21T12:00:00+00:00", "phone", "Linz", "Austria", "example.com", "no"),
        ("2026-11-20T12:00:00+00:00", "phone", "Graz", "Austria", "", "yes"),
    ]
    newest = next(stream_visits(code.pk, "scan", days=2, zone=VIENNA, parts=True))
    assert (newest[0], newest[-1]) == ("2026-11-21T13:00:00+01:00", "menu")
