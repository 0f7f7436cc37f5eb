from datetime import UTC, datetime, timedelta

import pytest
import time_machine

from workspace.publishing import housekeeping
from workspace.publishing.models import Attempt, Publication, Salt, Seen, Slot, Tally, Visit
from workspace.publishing.tests.making import guest, publish
from workspace.publishing.visits import record

NOW = datetime(2026, 11, 21, 12, tzinfo=UTC)


@pytest.fixture
def code(db: None) -> Publication:
    return publish()


def test_a_days_salt_and_hashes_go_with_the_day(code: Publication) -> None:
    with time_machine.travel(NOW, tick=False) as travel:
        record(code.pk, "scan", guest())
        housekeeping.forget()
        assert (Salt.objects.count(), Seen.objects.count()) == (1, 1)
        record(code.pk, "scan", guest())
        assert Tally.objects.get().uniques == 1
        travel.shift(86_400)
        housekeeping.forget()
        assert (Salt.objects.count(), Seen.objects.count()) == (0, 0)
        record(code.pk, "scan", guest())
    assert Tally.objects.get().uniques == 2


def test_every_day_has_a_salt_of_its_own(code: Publication) -> None:
    with time_machine.travel(NOW, tick=False) as travel:
        record(code.pk, "scan", guest())
        travel.shift(86_400)
        record(code.pk, "scan", guest())
    first, second = Salt.objects.values_list("value", flat=True)
    assert first != second and len(first) == 64


def test_visits_are_forgotten_after_400_days_and_counters_are_not(
    code: Publication, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(housekeeping, "_BATCH", 2)
    for days in (403, 402, 401, 399, 0):
        with time_machine.travel(NOW - timedelta(days=days), tick=False):
            record(code.pk, "scan", guest())
    with time_machine.travel(NOW, tick=False):
        housekeeping.forget()
    assert Visit.objects.count() == 2
    assert Tally.objects.get().total == 5
    assert Slot.objects.filter(dimension="all").count() == 5


def test_attempts_are_forgotten_once_their_window_is_over(db: None) -> None:
    Attempt.objects.create(key="a", count=1, ends_at=NOW - timedelta(seconds=1))
    Attempt.objects.create(key="b", count=1, ends_at=NOW + timedelta(seconds=1))
    with time_machine.travel(NOW, tick=False):
        housekeeping.forget()
    assert Attempt.objects.get().key == "b"


def test_the_worker_is_told_to_forget() -> None:
    from workspace.delivery import worker

    assert housekeeping.forget in [chore.func for chore in worker._chores]
