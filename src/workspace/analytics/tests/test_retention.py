from dataclasses import replace
from datetime import UTC, datetime, timedelta
from zoneinfo import ZoneInfo

import pytest
import time_machine

from workspace.analytics import retention
from workspace.analytics.queries import ValueCount, compute_statistics
from workspace.analytics.visit_writer import record_visit
from workspace.publishing.models import (
    Breakdown,
    DailyBreakdown,
    DailyCounter,
    Publication,
    UniqueVisitor,
    Visit,
    VisitCounter,
)
from workspace.rate_limits.models import RateCounter
from workspace.storage.models import VisitorSalt
from workspace.testing.publications import build_guest, publish

NOW = datetime(2026, 11, 21, 12, tzinfo=UTC)


@pytest.fixture
def code(db: None) -> Publication:
    return publish()


def test_a_days_salt_and_hashes_are_deleted_with_the_day(code: Publication) -> None:
    with time_machine.travel(NOW + timedelta(hours=1), tick=False) as travel:
        record_visit(code.pk, "scan", build_guest())
        retention.delete_expired()
        assert (VisitorSalt.objects.count(), UniqueVisitor.objects.count()) == (1, 1)
        record_visit(code.pk, "scan", build_guest())
        assert VisitCounter.objects.get().uniques == 1
        travel.shift(86_400)
        retention.delete_expired()
        assert (VisitorSalt.objects.count(), UniqueVisitor.objects.count()) == (0, 0)
        record_visit(code.pk, "scan", build_guest())
    assert VisitCounter.objects.get().uniques == 2


def test_every_day_has_a_different_salt(code: Publication) -> None:
    with time_machine.travel(NOW, tick=False) as travel:
        record_visit(code.pk, "scan", build_guest())
        travel.shift(86_400)
        record_visit(code.pk, "scan", build_guest())
    first, second = VisitorSalt.objects.values_list("value", flat=True)
    assert first != second and len(first) == 64


def test_visits_are_deleted_after_400_days_and_counters_are_not(
    code: Publication, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(retention, "_BATCH_SIZE", 2)
    for days in (403, 402, 401, 399, 0):
        with time_machine.travel(NOW - timedelta(days=days), tick=False):
            record_visit(code.pk, "scan", build_guest())
    with time_machine.travel(NOW, tick=False):
        retention.delete_expired()
    assert Visit.objects.count() == 2
    assert VisitCounter.objects.get().total == 5
    assert DailyCounter.objects.count() == 5


def test_daily_counters_are_deleted_after_the_configured_period_and_totals_are_not(
    code: Publication, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("django.conf.settings.STATS_RETENTION_DAYS", 400)
    monkeypatch.setattr(retention, "_PARENT_BATCH_SIZE", 2)
    for days, city in ((402, "Wels"), (401, "Graz"), (400, "Graz"), (1, "Linz"), (0, "Graz")):
        with time_machine.travel(NOW - timedelta(days=days), tick=False):
            record_visit(code.pk, "scan", build_guest(city=city))
    with time_machine.travel(NOW, tick=False):
        before = compute_statistics(code.pk, "scan", days=401, zone=ZoneInfo("UTC"))
        retention.delete_expired_counters()
        after = compute_statistics(code.pk, "scan", days=401, zone=ZoneInfo("UTC"))
        assert after == replace(before, before=0), "what came before the window is told to nobody who sees all of it"
        assert before.by_city == [ValueCount("Graz", 2, 2), ValueCount("Linz", 1, 1)]
    assert (VisitCounter.objects.get().total, DailyCounter.objects.count()) == (5, 3)
    assert set(Breakdown.objects.filter(dimension="city").values_list("value", flat=True)) == {"Graz", "Linz"}
    assert set(DailyBreakdown.objects.values_list("breakdown", flat=True)) == set(
        Breakdown.objects.values_list("pk", flat=True)
    )
    with time_machine.travel(NOW, tick=False):
        record_visit(code.pk, "scan", build_guest("Bob", city="Wels"))
        assert compute_statistics(code.pk, "scan", days=401, zone=ZoneInfo("UTC")).by_city[-1] == ValueCount(
            "Wels", 1, 1
        )


def test_imported_visits_are_deleted_after_400_days_although_newer_ones_have_smaller_keys(code: Publication) -> None:
    for days in (1, 401, 399, 500):  # an import adds old visits after newer ones
        with time_machine.travel(NOW - timedelta(days=days), tick=False):
            record_visit(code.pk, "scan", build_guest())
    with time_machine.travel(NOW, tick=False):
        retention.delete_expired_visits()
    assert sorted((NOW - at).days for at in Visit.objects.values_list("occurred_at", flat=True)) == [1, 399]


def test_attempts_are_deleted_when_their_window_is_over(db: None) -> None:
    RateCounter.objects.create(key="a", count=1, expires_at=NOW - timedelta(seconds=1))
    RateCounter.objects.create(key="b", count=1, expires_at=NOW + timedelta(seconds=1))
    with time_machine.travel(NOW, tick=False):
        retention.delete_expired()
    assert RateCounter.objects.get().key == "b"


def test_the_deletions_are_scheduled() -> None:
    from workspace.delivery.outbox import worker

    chores = {chore.func: chore.seconds for chore in worker._periodic_tasks}
    assert (chores[retention.delete_expired], chores[retention.delete_expired_counters]) == (3600, 86_400)
