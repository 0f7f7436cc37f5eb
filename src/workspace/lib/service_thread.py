"""Threads of a service.

A thread that ends with an exception is restarted after a growing delay. Its status is visible to monitoring."""

from __future__ import annotations

import logging
import threading
import time
from collections.abc import Callable
from dataclasses import dataclass

logger = logging.getLogger(__name__)

MIN_DELAY_SECONDS, MAX_DELAY_SECONDS = 0.5, 30.0  # before a thread is restarted
RESET_AFTER_SECONDS = 60.0  # running time after which the delay is short again


@dataclass(frozen=True, slots=True)
class ThreadStatus:
    """The status of a thread. `is_alive` is false while it waits to be restarted."""

    is_alive: bool
    restarts: int


class ServiceThread:
    """A named thread that runs `work()` until it returns.

    If `work()` raises, it is called again, unless `stop` is set.
    """

    def __init__(self, name: str, work: Callable[[], None], stop: threading.Event) -> None:
        self.name, self._work, self._stop = name, work, stop
        self._is_working, self._restarts = False, 0
        self._thread = threading.Thread(target=self._run, name=name, daemon=True)

    @property
    def status(self) -> ThreadStatus:
        return ThreadStatus(self._is_working and self._thread.is_alive(), self._restarts)

    def start(self) -> None:
        self._is_working = True
        _running_threads[self.name] = self
        self._thread.start()

    def join(self, timeout: float | None = None) -> None:
        """Wait until the thread ends, then stop monitoring it."""
        self._thread.join(timeout)
        if _running_threads.get(self.name) is self:
            del _running_threads[self.name]

    def _run(self) -> None:
        pause = MIN_DELAY_SECONDS
        while True:
            began = time.monotonic()
            try:
                self._work()
                return
            except BaseException:
                self._is_working = False
                if time.monotonic() - began > RESET_AFTER_SECONDS:
                    pause = MIN_DELAY_SECONDS
                logger.exception("The thread %r ended and starts again in %s s", self.name, pause)
            if self._stop.wait(pause):
                return
            pause = min(2 * pause, MAX_DELAY_SECONDS)
            self._is_working, self._restarts = True, self._restarts + 1


_running_threads: dict[str, ServiceThread] = {}


def thread_statuses() -> dict[str, ThreadStatus]:
    """Return the statuses, keyed by name, of all threads that were started and not stopped."""
    return {name: thread.status for name, thread in sorted(_running_threads.items())}
