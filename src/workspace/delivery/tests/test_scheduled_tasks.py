"""Scheduled tasks are run by one of several workers."""

from __future__ import annotations

from datetime import datetime, timedelta

import pytest
import time_machine

from workspace.delivery.models import ScheduledTask
from workspace.delivery.outbox import worker
from workspace.delivery.outbox.worker import OutboxWorker
from workspace.lib import clock

pytestmark = pytest.mark.django_db

HOUR = 3600.0


@pytest.fixture
def done(monkeypatch: pytest.MonkeyPatch) -> list[datetime]:
    """Return the times when the only task, an hourly one, ran."""
    times: list[datetime] = []
    monkeypatch.setattr(worker, "_periodic_tasks", [])
    worker.every(HOUR, lambda: times.append(clock.now()), name="tests.note_time")
    return times


def keep_house(*workers: OutboxWorker) -> None:
    for one in workers:
        one._last_runs.clear()  # as if their interval had passed
        one.run_due_tasks()


def test_one_of_several_workers_runs_the_task_each_time(done: list[datetime]) -> None:
    first, second = OutboxWorker(), OutboxWorker()
    with time_machine.travel("2026-11-21 10:00", tick=False) as now:
        keep_house(first, second, first)
        assert len(done) == 1
        now.shift(timedelta(minutes=30))
        keep_house(second, first)
        assert len(done) == 1
        now.shift(timedelta(minutes=30))
        keep_house(second, first)
        assert len(done) == 2


def test_a_task_of_a_killed_worker_is_run_by_another_within_minutes(done: list[datetime], monkeypatch) -> None:
    with time_machine.travel("2026-11-21 10:00", tick=False) as now:
        with monkeypatch.context() as killed:
            killed.setattr(worker._periodic_tasks[0], "func", _dies)
            with pytest.raises(SystemExit):
                keep_house(OutboxWorker())
        keep_house(OutboxWorker())
        assert done == []
        now.shift(timedelta(minutes=10))
        keep_house(OutboxWorker())
        assert len(done) == 1


def test_each_task_has_a_unique_name() -> None:
    names = [duty.name for duty in worker._periodic_tasks]
    assert len(set(names)) == len(names) > 10
    assert max(map(len, names)) <= ScheduledTask._meta.get_field("name").max_length


def _dies() -> None:
    raise SystemExit
