import asyncio
import contextvars
import threading
import time

import pytest
from django.db import OperationalError

from workspace.interfaces.server.thread_pool import Pool, PoolBusyError

COLOR = contextvars.ContextVar("COLOR", default="none")


def in_pool(work, size=2, waiting=10):
    async def main():
        pool = Pool(size, waiting)
        try:
            return await work(pool)
        finally:
            pool.close()

    return asyncio.run(main())


def test_a_call_runs_in_another_thread_with_the_callers_context():
    async def work(pool):
        COLOR.set("red")
        return await pool.run(lambda: (COLOR.get(), threading.current_thread() is threading.main_thread()))

    assert in_pool(work) == ("red", False)


def test_context_variables_set_in_a_call_do_not_leave_it():
    async def work(pool):
        await pool.run(COLOR.set, "blue")
        return COLOR.get(), await pool.run(COLOR.get)

    assert in_pool(work, size=1) == ("none", "none")


def test_no_more_calls_run_at_once_than_there_are_threads():
    running = []
    most = []

    def count_running():
        running.append(1)
        most.append(len(running))
        time.sleep(0.01)
        running.pop()

    async def work(pool):
        await asyncio.gather(*(pool.run(count_running) for _ in range(12)))

    in_pool(work, size=3, waiting=12)
    assert max(most) <= 3 and len(most) == 12


def test_a_full_queue_refuses_calls_and_recovers():
    release = threading.Event()

    async def work(pool):
        calls = [asyncio.ensure_future(pool.run(release.wait)) for _ in range(3)]
        await asyncio.sleep(0)
        with pytest.raises(PoolBusyError):
            await pool.run(len, "abc")
        release.set()
        await asyncio.gather(*calls)
        return await pool.run(len, "abc")

    assert in_pool(work, size=1, waiting=2) == 3


def test_a_cancelled_waiting_call_does_not_run():
    release = threading.Event()
    ran = []

    async def work(pool):
        first = asyncio.ensure_future(pool.run(release.wait))
        second = asyncio.ensure_future(pool.run(ran.append, 1))
        await asyncio.sleep(0.01)
        second.cancel()
        await asyncio.gather(second, return_exceptions=True)
        release.set()
        await first

    in_pool(work, size=1)
    assert ran == []


def test_errors_are_raised_and_those_that_would_end_the_loop_are_wrapped():
    def exit_process():
        raise SystemExit(1)

    async def work(pool):
        with pytest.raises(ZeroDivisionError):
            await pool.run(lambda: 1 / 0)
        with pytest.raises(RuntimeError, match="SystemExit"):
            await pool.run(exit_process)
        with pytest.raises(RuntimeError, match="StopIteration"):
            await pool.run(next, iter(()))
        return await pool.run(len, "ab")

    assert in_pool(work) == 2


def test_a_connection_lost_on_release_fails_no_call(monkeypatch):
    def lost():
        raise OperationalError("the connection is lost")

    monkeypatch.setattr("django.db.close_old_connections", lost)
    assert in_pool(lambda pool: pool.run(lambda: "answered")) == "answered"


def test_closing_lets_waiting_calls_finish():
    done = []

    async def work(pool):
        for number in range(6):
            pool.submit(lambda n=number: (time.sleep(0.01), done.append(n)))

    in_pool(work)
    assert sorted(done) == [0, 1, 2, 3, 4, 5]
