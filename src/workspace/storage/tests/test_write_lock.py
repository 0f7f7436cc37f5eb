"""The write lock is granted in order of arrival, with short waits for a locked database."""

from __future__ import annotations

import threading
import time
from types import SimpleNamespace

import pytest

from workspace.storage.database import write_lock
from workspace.storage.database.errors import DatabaseTimeoutError
from workspace.storage.database.write_lock import PROBE_SECONDS, SHUT_AFTER_SECONDS, WriteLock

LONG = 60.0
FEW = 4


def _acquire(turn: WriteLock) -> None:
    turn.acquire(LONG)
    turn.mark_started()


def test_waiting_threads_get_the_lock_in_order_of_arrival() -> None:
    turn, order = WriteLock(FEW), []

    def acquire_in_order(number: int) -> None:
        _acquire(turn)
        order.append(number)
        turn.release()

    _acquire(turn)
    threads = []
    for number in range(8):
        thread = threading.Thread(target=acquire_in_order, args=(number,))
        thread.start()
        threads.append(thread)
        while len(turn._waiting) <= number:
            time.sleep(0.001)
    turn.release()
    for thread in threads:
        thread.join()
    assert order == list(range(8))


def test_only_one_thread_has_the_lock() -> None:
    turn, inside, most = WriteLock(FEW), 0, 0

    def work() -> None:
        nonlocal inside, most
        for _ in range(200):
            _acquire(turn)
            inside += 1
            most = max(most, inside)
            inside -= 1
            turn.release()

    threads = [threading.Thread(target=work) for _ in range(6)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert most == 1


def test_a_thread_that_waits_too_long_leaves_the_queue() -> None:
    turn = WriteLock(FEW)
    _acquire(turn)
    with pytest.raises(DatabaseTimeoutError):
        turn.acquire(0.05)
    turn.release()
    _acquire(turn)


def test_after_one_timeout_the_next_threads_only_probe() -> None:
    turn = WriteLock(FEW)
    assert turn.acquire(0.2) > PROBE_SECONDS
    time.sleep(0.3)
    turn.release()  # its transaction could not start
    assert turn.acquire(0.2) == PROBE_SECONDS
    with pytest.raises(DatabaseTimeoutError):
        turn.acquire(0.2)  # another thread is probing
    turn.mark_started()
    turn.release()
    assert turn.acquire(0.2) > PROBE_SECONDS


def test_only_a_few_threads_wait_while_the_database_is_locked() -> None:
    turn, refused, taken = WriteLock(FEW), [], []

    def acquire_lock() -> None:
        try:
            _acquire(turn)
        except DatabaseTimeoutError:
            refused.append(1)
        else:
            taken.append(1)
            turn.release()

    turn.acquire(LONG)  # and its transaction cannot start either
    threads = [threading.Thread(target=acquire_lock) for _ in range(FEW + 7)]
    for thread in threads:
        thread.start()
    ends = time.monotonic() + LONG
    while len(refused) < 7:
        assert time.monotonic() < ends
        time.sleep(0.01)
    with pytest.raises(DatabaseTimeoutError):
        turn.acquire(LONG)
    turn.mark_started()
    turn.release()
    for thread in threads:
        thread.join()
    assert (len(refused), len(taken)) == (7, FEW)


def test_a_thread_that_runs_late_on_a_busy_machine_rejects_no_one(monkeypatch: pytest.MonkeyPatch) -> None:
    turn, runs, shift, create_lock = WriteLock(FEW), threading.Event(), [0.0], threading.Lock

    class LateLock:
        """A lock whose thread, once woken, continues only when the test allows it."""

        def __init__(self) -> None:
            self._lock = create_lock()
            self.release = self._lock.release

        def acquire(self, timeout: float = -1) -> bool:
            return self._lock.acquire(timeout=timeout) and (timeout < 0 or runs.wait(LONG))

    _acquire(turn)
    monkeypatch.setattr(write_lock, "threading", SimpleNamespace(Lock=LateLock))
    monkeypatch.setattr(write_lock, "time", SimpleNamespace(monotonic=lambda: time.monotonic() + shift[0]))
    late = threading.Thread(target=_acquire, args=(turn,))
    late.start()
    while not turn._waiting:
        time.sleep(0.001)
    turn.release()
    shift[0] = 10 * SHUT_AFTER_SECONDS
    assert not turn._is_hopeless(FEW, LONG)
    runs.set()
    late.join()
    turn.release()
    assert not turn.is_writing


def test_a_long_write_of_our_own_rejects_no_one() -> None:
    turn, taken = WriteLock(FEW), []

    def acquire_lock() -> None:
        _acquire(turn)
        taken.append(1)
        turn.release()

    _acquire(turn)
    threads = [threading.Thread(target=acquire_lock) for _ in range(FEW + 7)]
    for thread in threads:
        thread.start()
    time.sleep(2 * SHUT_AFTER_SECONDS)
    turn.release()
    for thread in threads:
        thread.join()
    assert len(taken) == FEW + 7
