"""A bounded pool of threads for all synchronous work: Django requests and tools called over MCP.

Turns are fair: a caller with hundreds of requests waits behind its own requests.
"""

import asyncio
import contextvars
import threading
from collections.abc import Callable
from concurrent.futures import Future, ThreadPoolExecutor
from contextvars import ContextVar
from time import thread_time
from typing import Any, ParamSpec, TypeVar

from workspace.interfaces.server.access_log import log
from workspace.interfaces.server.cpu_usage import CpuUsage
from workspace.interfaces.server.fair_queue import CallerQueueFullError, FairQueue

P = ParamSpec("P")
R = TypeVar("R")


# the caller for which a call is counted: the source of a request, or "" for the service itself
caller: ContextVar[str] = ContextVar("caller", default="")


class PoolBusyError(Exception):
    """All threads are busy and the queue is full."""


class PoolCallerLimitError(PoolBusyError):
    """Too many calls of this caller are already waiting."""


class Pool:
    """A pool of `size` threads with a queue of at most `waiting` calls.

    Further calls raise PoolBusyError. Each caller may use a quarter of the queue; further calls raise
    PoolCallerLimitError. All threads may work for one caller, because calls that wait for a lock must not delay others
    behind the same address. `cpu_usage` records the CPU time of each call.

    Django opens a database connection for each thread, so the size limits them too. On SQLite, each thread has its own
    handle of the file. A call made inside the pool must not wait for another call in the same pool: if every thread
    waited, none would be left to run it.
    """

    def __init__(self, size: int = 8, waiting: int = 1000) -> None:
        self.size = size
        self.cpu_usage = CpuUsage()
        self._capacity = size + waiting
        self._pending = 0
        self._lock = threading.Lock()
        self._queue: FairQueue[tuple[Future[Any], Callable[[], Any]]] = FairQueue(max(1, self._capacity // 4))
        self._executor = ThreadPoolExecutor(size, thread_name_prefix="workspace-pool")

    async def run(self, func: Callable[P, R], *args: P.args, **kwargs: P.kwargs) -> R:
        """Call the function in a pool thread and await its result. The function sees the caller's context variables."""
        return await asyncio.wrap_future(self.submit(func, *args, **kwargs))

    def submit(self, func: Callable[P, R], *args: P.args, **kwargs: P.kwargs) -> Future[R]:
        """Call the function in a pool thread.

        Raise PoolBusyError if the queue is full, and RuntimeError after close().
        """
        queue_caller, context = caller.get(), contextvars.copy_context()
        future: Future[R] = Future()
        with self._lock:
            if self._pending >= self._capacity:
                raise PoolBusyError
            try:
                self._queue.put(
                    queue_caller, (future, lambda: context.run(_call_guarded, lambda: func(*args, **kwargs)))
                )
            except CallerQueueFullError:
                raise PoolCallerLimitError from None
            self._pending += 1
        self._executor.submit(self._run_next)
        return future

    def _run_next(self) -> None:
        with self._lock:
            taken = self._queue.pop()
        assert taken is not None  # each queued call schedules exactly one run
        queue_caller, (future, call) = taken
        began = thread_time()
        try:
            if future.set_running_or_notify_cancel():
                _complete_future(future, call)
        finally:
            self.cpu_usage.charge(queue_caller, thread_time() - began)
            with self._lock:
                self._pending -= 1

    def close(self) -> None:
        """Finish queued calls, close every thread's database connections and end the threads. This blocks."""
        # The barrier blocks each thread until all have arrived, so that each closes its own connections exactly once.
        barrier = threading.Barrier(self.size)
        for _ in range(self.size):
            self._executor.submit(_close_connections, barrier)
        self._executor.shutdown(wait=True)


def _complete_future(future: Future[Any], call: Callable[[], Any]) -> None:
    try:
        result = call()
    except BaseException as error:
        future.set_exception(error)
    else:
        future.set_result(result)


def _call_guarded(func: Callable[[], R]) -> R:
    try:
        return func()
    except (StopIteration, GeneratorExit, SystemExit, KeyboardInterrupt) as error:
        # As the result of a future, these exceptions would break or end the event loop.
        raise RuntimeError(f"{type(error).__name__} was raised in a pool thread") from error
    finally:
        _release_connections()


def _release_connections() -> None:
    """Close connections that are no longer usable.

    A connection lost at this moment affects no request: the response has been sent, and the next user gets a new
    connection or an error.
    """
    from django.db import Error, close_old_connections  # noqa: PLC0415 - Django is set up only now

    try:
        close_old_connections()
    except Error:
        log.exception("connection_not_released")


def _close_connections(barrier: threading.Barrier) -> None:
    from django.db import connections  # noqa: PLC0415 - Django is set up only now

    try:
        barrier.wait(timeout=30)
    finally:
        connections.close_all()
