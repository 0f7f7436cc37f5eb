"""The turn to write: first come, first served, and nobody waits for long at a database that is shut."""

from __future__ import annotations

import threading
import time

import pytest

from workspace.storage.database.errors import Kept
from workspace.storage.database.write_lock import LOOK, SOON, Turn

LONG = 60.0
FEW = 4


def _take(turn: Turn) -> None:
    turn.take(LONG)
    turn.begun()


def test_waiters_get_the_turn_in_the_order_in_which_they_came() -> None:
    turn, order = Turn(FEW), []

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
    turn, inside, most = Turn(FEW), 0, 0

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
    turn = Turn(FEW)
    _take(turn)
    with pytest.raises(Kept):
        turn.take(0.05)
    turn.release()
    _take(turn)


def test_after_one_has_waited_in_vain_the_next_only_look() -> None:
    turn = Turn(FEW)
    assert turn.take(0.2) > LOOK
    time.sleep(0.3)
    turn.release()  # it was not let in
    assert turn.take(0.2) == LOOK
    with pytest.raises(Kept):
        turn.take(0.2)  # somebody looks already
    turn.begun()
    turn.release()
    assert turn.take(0.2) > LOOK


def test_while_the_database_is_shut_only_a_few_wait() -> None:
    turn, refused, taken = Turn(FEW), [], []

    def take() -> None:
        try:
            _take(turn)
        except Kept:
            refused.append(1)
        else:
            taken.append(1)
            turn.release()

    turn.take(LONG)  # and is not let in
    threads = [threading.Thread(target=take) for _ in range(FEW + 7)]
    for thread in threads:
        thread.start()
    ends = time.monotonic() + 20
    while len(refused) < 7:
        assert time.monotonic() < ends
        time.sleep(0.01)
    with pytest.raises(Kept):
        turn.take(LONG)
    turn.begun()
    turn.release()
    for thread in threads:
        thread.join()
    assert (len(refused), len(taken)) == (7, FEW)


def test_a_long_write_of_our_own_turns_nobody_away() -> None:
    turn, taken = Turn(FEW), []

    def take() -> None:
        _take(turn)
        taken.append(1)
        turn.release()

    _take(turn)
    threads = [threading.Thread(target=take) for _ in range(FEW + 7)]
    for thread in threads:
        thread.start()
    time.sleep(2 * SOON)
    turn.release()
    for thread in threads:
        thread.join()
    assert len(taken) == FEW + 7
