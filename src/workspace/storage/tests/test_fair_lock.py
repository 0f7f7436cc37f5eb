"""First come, first served."""

from __future__ import annotations

import threading
import time

from workspace.storage.fair_lock import FairLock


def test_waiters_get_the_lock_in_the_order_in_which_they_came() -> None:
    lock, order = FairLock(), []

    def take(number: int) -> None:
        with lock:
            order.append(number)

    with lock:
        threads = []
        for number in range(8):
            thread = threading.Thread(target=take, args=(number,))
            thread.start()
            threads.append(thread)
            while len(lock._waiting) <= number:
                time.sleep(0.001)
    for thread in threads:
        thread.join()
    assert order == list(range(8))


def test_one_thread_at_a_time_is_inside() -> None:
    lock, inside, most = FairLock(), 0, 0

    def work() -> None:
        nonlocal inside, most
        for _ in range(200):
            with lock:
                inside += 1
                most = max(most, inside)
                inside -= 1

    threads = [threading.Thread(target=work) for _ in range(6)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert most == 1


def test_its_holder_may_take_it_again() -> None:
    lock = FairLock()
    with lock, lock:
        pass
    taken = threading.Thread(target=lambda: lock.__enter__())
    taken.start()
    taken.join(2)
    assert not taken.is_alive()


def test_an_exception_gives_it_back() -> None:
    lock = FairLock()
    try:
        with lock:
            raise RuntimeError
    except RuntimeError:
        pass
    with lock:
        pass
