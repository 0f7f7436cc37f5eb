"""A subprocess may fail in any way: its caller soon gets an error and continues."""

from __future__ import annotations

import json
import os
import threading
import time
from collections.abc import Iterator
from contextlib import ExitStack

import pytest

from workspace.lib.errors import BusyError
from workspace.lib.subprocess_worker import pool
from workspace.lib.subprocess_worker.pool import SubprocessError, SubprocessPool

WORK = "workspace.lib.tests.subprocess_work"


@pytest.fixture
def children() -> SubprocessPool:
    return SubprocessPool(0.25, megabytes=100, seconds=1)


@pytest.mark.parametrize(
    ("word", "spent"),
    [("eat", True), ("spin", True), ("die", False), ("fail", False), ("write", False)],
)
def test_a_subprocess_without_a_result_raises_an_error(children: SubprocessPool, word: str, spent: bool) -> None:
    with pytest.raises(SubprocessError) as failed:
        children.run(WORK, word.encode())
    assert failed.value.is_exhausted is spent
    assert "library" not in str(failed.value)
    assert children.run(WORK, b"tell"), "the next one has its turn"


def test_a_subprocess_without_cpu_time_is_given_up(children: SubprocessPool, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(pool, "CLOCK_TIME_FACTOR", 1)
    monkeypatch.setattr(pool, "START_SECONDS", 0)
    with pytest.raises(BusyError):
        children.run(WORK, b"sleep")


def test_a_slow_start_takes_no_time_from_the_work(children: SubprocessPool, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(pool, "CLOCK_TIME_FACTOR", 1)
    monkeypatch.setattr(pool, "START_SECONDS", 60)
    assert children.run(WORK, b"nap"), "it takes longer than the work may"


def test_a_subprocess_is_small_has_low_priority_and_gets_no_secrets(
    children: SubprocessPool, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("WORKSPACE_SECRET_KEY", "a secret")
    monkeypatch.setattr(pool, "NICE_LEVEL", 5)
    told = json.loads(children.run(WORK, b"tell"))
    assert not [name for name in told["environment"] if name.startswith("WORKSPACE")]
    assert not [name for name in told["modules"] if name.partition(".")[0] in ("django", "pydantic")]
    assert told["nice"] == min(os.nice(0) + 5, 19)
    assert 0 < told["memory"] < 300 * 1024**2


def test_a_caller_without_a_free_slot_is_rejected_immediately_and_others_are_served(children: SubprocessPool) -> None:
    with ExitStack() as stack:
        for _ in range(children.slot_count):
            stack.enter_context(children.reserve_slot())
        with pytest.raises(BusyError) as busy:
            children.run(WORK, b"tell")
        assert (busy.value.status, busy.value.extra()) == (503, {"retryAfter": pool.RETRY_AFTER_SECONDS})
    assert children.run(WORK, b"tell")


def test_waiting_for_a_turn_has_a_limit(children: SubprocessPool, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(pool, "MAX_WAIT_SECONDS", 0.05)
    with children.reserve_slot() as place, place.wait_for_turn(), pytest.raises(BusyError):
        SubprocessPool(0.25, megabytes=100, seconds=2).run(WORK, b"tell")


def test_one_subprocess_runs_at_a_time_for_all_kinds_of_work(children: SubprocessPool) -> None:
    others = SubprocessPool(0.25, megabytes=100, seconds=2)
    at_work, most = 0, 0
    guard = threading.Lock()

    def work(queue: SubprocessPool) -> None:
        nonlocal at_work, most
        with queue.reserve_slot() as place, place.wait_for_turn():
            with guard:
                at_work += 1
                most = max(most, at_work)
            time.sleep(0.01)
            with guard:
                at_work -= 1

    threads = [threading.Thread(target=work, args=(queue,)) for queue in (children, others) for _ in range(3)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert most == 1


@pytest.fixture(autouse=True)
def _no_child_stays(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    monkeypatch.setattr(pool, "CLOCK_TIME_FACTOR", 40)  # even on a busy machine, its CPU limit is reached first
    yield
    assert pool._run_lock.acquire(timeout=0), "a slot was not released"
    pool._run_lock.release()
