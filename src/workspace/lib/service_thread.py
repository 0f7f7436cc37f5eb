"""The threads of a service.

One that ends by an exception is started again, with a growing pause, and whoever watches the process can see that."""

from __future__ import annotations

import logging
import threading
import time
from collections.abc import Callable
from dataclasses import dataclass

logger = logging.getLogger(__name__)

MIN_DELAY_SECONDS, MAX_DELAY_SECONDS = 0.5, 30.0  # seconds before a thread starts again
RESET_AFTER_SECONDS = 60.0  # seconds after which the pause is short again


@dataclass(frozen=True, slots=True)
class ThreadStatus:
    """`is_alive`: whether it works at this moment, and does not wait to be started again."""

    is_alive: bool
    restarts: int


class ServiceThread:
    """Runs `work()` in a thread of that name until it returns, or until `stop` is set after an exception."""

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
        """Wait for its end, after which it is no longer watched."""
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
    """The threads of this process that were started and not stopped, by their names."""
    return {name: thread.status for name, thread in sorted(_running_threads.items())}
