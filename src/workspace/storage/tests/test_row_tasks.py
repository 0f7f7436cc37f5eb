"""Scheduled tasks by row: rows that fail are set aside and tried again later."""

from __future__ import annotations

from datetime import timedelta

import pytest
import time_machine
from django.db import OperationalError

from workspace.lib import clock
from workspace.storage.models import SetAside
from workspace.storage.row_tasks import run_rows

pytestmark = pytest.mark.django_db
TASK = "tests.task"


class Work:
    """A task that handles every row but those in `bad`, and records its calls."""

    def __init__(self, *bad: str) -> None:
        self.bad, self.given = set(bad), []

    def __call__(self, id: str) -> bool:
        self.given.append(id)
        if id in self.bad:
            raise ValueError(f"{id} is bad")
        return True


def later(minutes: float) -> time_machine.travel:
    return time_machine.travel(clock.now() + timedelta(minutes=minutes), tick=False)


def test_a_failing_row_is_logged_and_set_aside_and_the_others_are_handled(caplog: pytest.LogCaptureFixture) -> None:
    assert run_rows(TASK, ["a", "b", "c"], Work("b")) == 2
    row = SetAside.objects.get()
    assert (row.task, row.row, row.error, row.attempts) == (TASK, "b", "ValueError: b is bad", 1)
    assert "row b failed and is set aside" in caplog.text and "Traceback" in caplog.text


def test_a_row_that_was_set_aside_is_skipped_until_its_next_try_and_then_tried_less_often() -> None:
    run_rows(TASK, ["a", "b"], Work("b"))
    again = Work("b")
    run_rows(TASK, ["a", "b"], again)
    assert again.given == ["a"]
    with later(6):
        run_rows(TASK, ["b"], again)
        assert again.given == ["a", "b"] and SetAside.objects.get().attempts == 2
    with later(12):
        run_rows(TASK, ["b"], again)
        assert again.given == ["a", "b"], "half an hour from the second failure"


@pytest.mark.parametrize("ids", [["b"], []])
def test_a_row_that_succeeds_or_is_no_longer_due_is_cleared(ids: list[str]) -> None:
    run_rows(TASK, ["b"], Work("b"))
    with later(6):
        run_rows(TASK, ids, Work())
    assert not SetAside.objects.exists()


def test_bad_rows_at_the_front_do_not_use_up_the_rows_of_a_run() -> None:
    run_rows(TASK, ["a", "b", "c", "d"], Work("a", "b"), batch_size=2)
    good = Work()
    assert run_rows(TASK, ["a", "b", "c", "d"], good, batch_size=2) == 2 and good.given == ["c", "d"]


def test_failed_rows_of_one_task_do_not_affect_another() -> None:
    run_rows(TASK, ["a"], Work("a"))
    other = Work()
    run_rows("tests.other", ["a"], other)
    assert other.given == ["a"]


def test_a_database_outage_sets_no_row_aside() -> None:
    def fails(id: str) -> None:
        raise OperationalError("the connection was closed")

    with pytest.raises(OperationalError):
        run_rows(TASK, ["a", "b"], fails)
    assert not SetAside.objects.exists()


def test_an_administrator_retries_a_row_at_the_next_run() -> None:
    run_rows(TASK, ["b"], Work("b"))
    assert SetAside.schedule_retry([SetAside.objects.get().pk]) == 1
    assert run_rows(TASK, ["b"], Work()) == 1 and not SetAside.objects.exists()
