"""The turn to write: first come, first served, and nobody waits for long at a database that is shut."""

from __future__ import annotations

import threading
import time

import pytest

from workspace.storage.database.errors import DatabaseTimeoutError
from workspace.storage.database.write_lock import PROBE_SECONDS, SHUT_AFTER_SECONDS, WriteLock

LONG = 60.0
FEW = 4


def _take(turn: WriteLock) -> None:
    turn.acquire(LONG)
    turn.mark_started()


def test_waiters_get_the_turn_in_the_order_in_which_they_came() -> None:
    turn, order = WriteLock(FEW), []

    def take(number: int) -> None:
        _take(turn)
        order.append(number)
        turn.release()

    _take(turn)
    threads = []
    for number in range(8):
        thread = threading.Thread(target=take, args=(number,))
        thread.start()
        threads.append(thread)
        while len(turn._waiting) <= number:
            time.sleep(0.001)
    turn.release()
    for thread in threads:
        thread.join()
    assert order == list(range(8))


def test_one_thread_at_a_time_is_inside() -> None:
    turn, inside, most = WriteLock(FEW), 0, 0

    def work() -> None:
        nonlocal inside, most
        for _ in range(200):
            _take(turn)
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


def test_who_waits_longer_than_the_patience_goes_and_leaves_the_queue() -> None:
    turn = WriteLock(FEW)
    _take(turn)
    with pytest.raises(DatabaseTimeoutError):
        turn.acquire(0.05)
    turn.release()
    _take(turn)


def test_after_one_has_waited_in_vain_the_next_only_look() -> None:
    turn = WriteLock(FEW)
    assert turn.acquire(0.2) > PROBE_SECONDS
    time.sleep(0.3)
    turn.release()  # it was not let in
    assert turn.acquire(0.2) == PROBE_SECONDS
    with pytest.raises(DatabaseTimeoutError):
        turn.acquire(0.2)  # somebody looks already
    turn.mark_started()
    turn.release()
    assert turn.acquire(0.2) > PROBE_SECONDS


def test_while_the_database_is_shut_only_a_few_wait() -> None:
    turn, refused, taken = WriteLock(FEW), [], []

    def take() -> None:
        try:
            _take(turn)
        except DatabaseTimeoutError:
            refused.append(1)
        else:
            taken.append(1)
            turn.release()

    turn.acquire(LONG)  # and is not let in
    threads = [threading.Thread(target=take) for _ in range(FEW + 7)]
    for thread in threads:
        thread.start()
    ends = time.monotonic() + 20
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


def test_a_long_write_of_our_own_turns_nobody_away() -> None:
    turn, taken = WriteLock(FEW), []

    def take() -> None:
        _take(turn)
        taken.append(1)
        turn.release()

    _take(turn)
    threads = [threading.Thread(target=take) for _ in range(FEW + 7)]
    for thread in threads:
        thread.start()
    time.sleep(2 * SHUT_AFTER_SECONDS)
    turn.release()
    for thread in threads:
        thread.join()
    assert len(taken) == FEW + 7
