"""Calls go on being counted while the database cannot be written."""

from __future__ import annotations

from collections.abc import Callable

import pytest
import time_machine
from django.db import OperationalError

from workspace.accounts.models import Meter, call_quota
from workspace.lib import clock
from workspace.lib.errors import Unavailable

pytestmark = pytest.mark.django_db(transaction=True)
Locking = Callable[[bool], None]


@pytest.fixture
def lock(monkeypatch: pytest.MonkeyPatch) -> Locking:
    write = call_quota._add

    def refuse(*arguments: object) -> None:
        raise OperationalError("database is locked")

    def switch(locked: bool) -> None:
        monkeypatch.setattr(call_quota, "_add", refuse if locked else write)
        call_quota._owed._rests_until = 0.0

    monkeypatch.setattr(call_quota, "_owed", call_quota._Owed())
    return switch


def _used(bucket: str = "key:1") -> int:
    return Meter.objects.get(pk=bucket).used


def test_what_could_not_be_written_is_written_with_the_next_call(lock: Locking) -> None:
    Meter.take("key:1", 100)
    lock(True)
    assert [Meter.take("key:1", 100).left for _ in range(3)] == [98, 97, 96]
    assert Meter.take("key:2", 100).left == 99
    assert _used() == 1
    lock(False)
    assert Meter.take("key:1", 100).left == 95
    assert (_used(), _used("key:2")) == (5, 1)
    Meter.take("key:1", 100)
    assert _used() == 6


def test_the_limit_holds_all_the_same(lock: Locking) -> None:
    Meter.take("key:1", 3)
    lock(True)
    assert [Meter.take("key:1", 3).granted for _ in range(4)] == [True, True, False, False]
    lock(False)
    assert not Meter.take("key:1", 3).granted
    assert _used() == 3


def test_after_a_try_in_vain_the_next_calls_do_not_wait_for_theirs(
    lock: Locking, monkeypatch: pytest.MonkeyPatch
) -> None:
    lock(True)
    Meter.take("key:1", 100)
    monkeypatch.setattr(call_quota, "writing", None)  # which a try would call
    assert Meter.take("key:1", 100).left == 98


def test_another_day_begins_afresh(lock: Locking) -> None:
    with time_machine.travel("2026-11-21T23:59:00Z", tick=False) as travel:
        lock(True)
        Meter.take("key:1", 2)
        travel.shift(120)
        assert Meter.take("key:1", 2).left == 1
        lock(False)
        assert Meter.take("key:1", 2).left == 0
        assert Meter.objects.get().day == clock.now().date()


def test_what_is_remembered_is_bounded(lock: Locking, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(call_quota, "MOST", 2)
    lock(True)
    Meter.take("key:1", 100)
    Meter.take("key:2", 100)
    with pytest.raises(Unavailable):
        Meter.take("key:3", 100)
    assert Meter.take("key:1", 100).left == 98
