"""One bounded pool of threads for all synchronous work: Django requests and tools called from MCP."""

import asyncio
import contextvars
import threading
from collections.abc import Callable
from concurrent.futures import Future, ThreadPoolExecutor
from typing import ParamSpec, TypeVar

P = ParamSpec("P")
R = TypeVar("R")


class PoolBusy(Exception):
    """Every thread is taken and the queue is full."""


class Pool:
    """`size` threads; at most `waiting` further calls queue, one more raises PoolBusy.

    Django opens a database connection for each thread: the size bounds them too, and on SQLite each thread
    has its own handle of the one file. A call made inside the pool must not wait for another call of the
    same pool: with every thread waiting, none would be left to run it.
    """

    def __init__(self, size: int = 8, waiting: int = 1000) -> None:
        self.size = size
        self._capacity = size + waiting
        self._pending = 0
        self._lock = threading.Lock()
        self._executor = ThreadPoolExecutor(size, thread_name_prefix="workspace-pool")

    async def run(self, func: Callable[P, R], *args: P.args, **kwargs: P.kwargs) -> R:
        """Call in a pool thread and await the result. Contextvars of the caller hold inside."""
        return await asyncio.wrap_future(self.submit(func, *args, **kwargs))

    def submit(self, func: Callable[P, R], *args: P.args, **kwargs: P.kwargs) -> Future[R]:
        """Call in a pool thread; PoolBusy when the queue is full, RuntimeError after close()."""
        with self._lock:
            if self._pending >= self._capacity:
                raise PoolBusy
            self._pending += 1
        context = contextvars.copy_context()
        try:
            future = self._executor.submit(context.run, lambda: _call(lambda: func(*args, **kwargs)))
        except RuntimeError:
            self._finished()
            raise
        future.add_done_callback(self._finished)
        return future

    def close(self) -> None:
        """Let queued calls finish, close every thread's database connections, end the threads. Blocks."""
        # The barrier holds each thread until all are there, so that each closes its own connections once.
        barrier = threading.Barrier(self.size)
        for _ in range(self.size):
            self._executor.submit(_close_connections, barrier)
        self._executor.shutdown(wait=True)

    def _finished(self, _future: object = None) -> None:
        with self._lock:
            self._pending -= 1


def _call(func: Callable[[], R]) -> R:
    from django.db import close_old_connections

    close_old_connections()
    try:
        return func()
    except (StopIteration, GeneratorExit, SystemExit, KeyboardInterrupt) as error:
        # As results of a future these would break or end the event loop.
        raise RuntimeError(f"{type(error).__name__} was raised in a pool thread") from error
    finally:
        close_old_connections()


def _close_connections(barrier: threading.Barrier) -> None:
    from django.db import connections

    try:
        barrier.wait(timeout=30)
    finally:
        connections.close_all()
