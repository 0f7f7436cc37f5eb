"""Calls are still counted while the database cannot be written to."""

from __future__ import annotations

from collections.abc import Callable

import pytest
import time_machine
from django.db import OperationalError

from workspace.lib import clock
from workspace.lib.errors import UnavailableError
from workspace.rate_limits.models import CallQuota, call_quota

pytestmark = pytest.mark.django_db(transaction=True)
Locking = Callable[[bool], None]


@pytest.fixture
def lock(monkeypatch: pytest.MonkeyPatch) -> Locking:
    write = call_quota._add_calls

    def refuse(*arguments: object) -> None:
        raise OperationalError("database is locked")

    def switch(locked: bool) -> None:
        monkeypatch.setattr(call_quota, "_add_calls", refuse if locked else write)
        call_quota._unwritten._paused_until = 0.0

    monkeypatch.setattr(call_quota, "_unwritten", call_quota._CallsInMemory())
    return switch


def _used(bucket: str = "key:1") -> int:
    return CallQuota.objects.get(pk=bucket).used


def test_unwritten_calls_are_written_with_the_next_call(lock: Locking) -> None:
    CallQuota.consume("key:1", 100)
    lock(True)
    assert [CallQuota.consume("key:1", 100).remaining for _ in range(3)] == [98, 97, 96]
    assert CallQuota.consume("key:2", 100).remaining == 99
    assert _used() == 1
    lock(False)
    assert CallQuota.consume("key:1", 100).remaining == 95
    assert (_used(), _used("key:2")) == (5, 1)
    CallQuota.consume("key:1", 100)
    assert _used() == 6


def test_the_limit_applies_without_writes(lock: Locking) -> None:
    CallQuota.consume("key:1", 3)
    lock(True)
    assert [CallQuota.consume("key:1", 3).is_granted for _ in range(4)] == [True, True, False, False]
    lock(False)
    assert not CallQuota.consume("key:1", 3).is_granted
    assert _used() == 3


def test_calls_after_a_failed_write_do_not_wait(lock: Locking, monkeypatch: pytest.MonkeyPatch) -> None:
    lock(True)
    CallQuota.consume("key:1", 100)
    monkeypatch.setattr(call_quota, "write_transaction", None)  # a write would call it
    assert CallQuota.consume("key:1", 100).remaining == 98


def test_another_day_starts_from_zero(lock: Locking) -> None:
    with time_machine.travel("2026-11-21T23:59:00Z", tick=False) as travel:
        lock(True)
        CallQuota.consume("key:1", 2)
        travel.shift(120)
        assert CallQuota.consume("key:1", 2).remaining == 1
        lock(False)
        assert CallQuota.consume("key:1", 2).remaining == 0
        assert CallQuota.objects.get().day == clock.now().date()


def test_the_number_of_buckets_in_memory_is_limited(lock: Locking, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(call_quota, "MAX_BUCKETS", 2)
    lock(True)
    CallQuota.consume("key:1", 100)
    CallQuota.consume("key:2", 100)
    with pytest.raises(UnavailableError):
        CallQuota.consume("key:3", 100)
    assert CallQuota.consume("key:1", 100).remaining == 98
