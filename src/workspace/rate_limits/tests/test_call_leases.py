"""Leases of calls: all processes together never exceed a limit, and small limits are exact."""

from __future__ import annotations

import signal
import sys
import threading
import time
from concurrent.futures import ThreadPoolExecutor
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest
import time_machine
from django.db import OperationalError, connection, connections
from django.test.utils import CaptureQueriesContext

from workspace.lib import clock
from workspace.rate_limits import call_leases
from workspace.rate_limits.call_leases import LEASE_SIZE, MIN_REMAINING
from workspace.rate_limits.models import CallQuota, call_quota
from workspace.testing import separate_process

pytestmark = pytest.mark.django_db(transaction=True)
PAID, FREE = 5000, 100


@pytest.fixture(autouse=True)
def _no_leases(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(call_quota, "_leases", call_leases.CallLeases())


def _use_calls(count: int, limit: int) -> list[int]:
    return [CallQuota.consume("key:1", limit).remaining for _ in range(count)]


def _read_used() -> int:
    return CallQuota.objects.get(pk="key:1").used


def use_until_refused(limit: str, most: str = "") -> None:
    """Consume calls until one is refused or `most` are granted. Print their number and wait."""
    call_leases.MIN_REMAINING = 40
    call_quota.WRITE_TIMEOUT_SECONDS = 20.0  # so that no call is counted in memory
    granted = 0
    while granted != int(most or -1) and CallQuota.consume("key:1", int(limit)):
        granted += 1
    sys.stdout.write(f"{granted}\n")
    sys.stdout.flush()
    if most:
        threading.Event().wait()


def _start_process(output: Path, limit: int, *most: str) -> Any:
    with output.open("wb") as file:
        return separate_process.start(f"{__name__}:use_until_refused", str(limit), *most, stdout=file)


def test_most_calls_of_a_paid_plan_are_not_written() -> None:
    with CaptureQueriesContext(connection) as queries:
        assert _use_calls(100, PAID) == list(range(PAID - 1, PAID - 101, -1))
    assert len(queries) < 30
    assert 100 <= _read_used() < 100 + LEASE_SIZE


def test_each_call_of_a_free_plan_is_written() -> None:
    for number in range(1, FREE + 1):
        assert CallQuota.consume("key:1", FREE)
        assert _read_used() == number
    assert not CallQuota.consume("key:1", FREE)


def test_each_call_near_the_limit_is_written() -> None:
    _use_calls(LEASE_SIZE, PAID)
    CallQuota.objects.update(used=PAID - MIN_REMAINING + 1)
    for number in range(2, 22):
        assert CallQuota.consume("key:1", PAID).remaining == MIN_REMAINING - number
        assert _read_used() == PAID - MIN_REMAINING + number


def test_processes_together_use_exactly_the_limit(tmp_path: Path) -> None:
    limit = 10 * LEASE_SIZE + 7
    paths = [tmp_path / str(number) for number in range(3)]
    started = [_start_process(path, limit) for path in paths]
    assert [process.wait(60) for process in started] == [0] * 3
    assert sum(int(path.read_text()) for path in paths) == limit == _read_used()


def test_a_killed_process_loses_less_than_a_lease_and_nothing_near_the_limit(tmp_path: Path) -> None:
    for limit, lost in ((PAID, LEASE_SIZE), (50, 1)):
        CallQuota.objects.all().delete()
        process = _start_process(tmp_path / str(limit), limit, "45")
        while (tmp_path / str(limit)).read_text() != "45\n":
            assert process.poll() is None
            time.sleep(0.01)
        process.send_signal(signal.SIGKILL)
        process.wait(60)
        assert 45 <= _read_used() < 45 + lost


def test_threads_share_a_lease() -> None:
    def use_calls(_: int) -> int:
        try:
            return sum(CallQuota.consume("key:1", 600).is_granted for _ in range(100))
        finally:
            connections.close_all()

    with ThreadPoolExecutor(8) as pool:
        assert sum(pool.map(use_calls, range(8))) == 600
    assert _read_used() == 600


def test_calls_that_are_minutes_apart_use_one_call_each() -> None:
    with time_machine.travel("2026-11-21T09:00:00Z", tick=False) as travel:
        _use_calls(LEASE_SIZE + 1, PAID)
        stored = _read_used()
        for number in range(1, 6):
            travel.shift(120)
            assert _use_calls(1, PAID) == [PAID - LEASE_SIZE - 1 - number]
            assert _read_used() == stored + number
            assert CallQuota.objects.get(pk="key:1").last_used_at == clock.now()


def test_a_lease_ends_with_the_day_and_with_the_plan() -> None:
    with time_machine.travel("2026-11-21T23:59:00Z", tick=False) as travel:
        _use_calls(LEASE_SIZE + 1, PAID)
        assert not CallQuota.consume("key:1", FREE // 10)
        travel.shift(timedelta(minutes=2))
        assert _use_calls(1, PAID) == [PAID - 1]


def test_leased_calls_are_granted_while_the_database_cannot_be_written(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(call_quota, "_unwritten", call_quota._CallsInMemory())
    _use_calls(LEASE_SIZE + 1, PAID)
    write = call_quota._add_calls

    def fail(*arguments: object) -> None:
        raise OperationalError("database is locked")

    monkeypatch.setattr(call_quota, "_add_calls", fail)
    assert _use_calls(LEASE_SIZE + 10, PAID)[:3] == [PAID - 22, PAID - 23, PAID - 24]
    monkeypatch.setattr(call_quota, "_add_calls", write)
    call_quota._unwritten._paused_until = 0.0
    _use_calls(1, PAID)
    assert LEASE_SIZE * 2 + 12 <= _read_used() < LEASE_SIZE * 3 + 12
