"""The threads of a service. One that ends by an exception is started again, with a growing pause, and whoever watches
the process can see that."""

from __future__ import annotations

import logging
import threading
import time
from collections.abc import Callable
from dataclasses import dataclass

logger = logging.getLogger(__name__)

SHORTEST_PAUSE, LONGEST_PAUSE = 0.5, 30.0  # seconds before a thread starts again
STEADY = 60.0  # seconds after which the pause is short again


@dataclass(frozen=True, slots=True)
class Status:
    """`is_alive`: whether it works at this moment, and does not wait to be started again."""

    is_alive: bool
    restarts: int


class ServiceThread:
    """Runs `work()` in a thread of that name until it returns, or until `stop` is set after an exception."""

    def __init__(self, name: str, work: Callable[[], None], stop: threading.Event) -> None:
        self.name, self._work, self._stop = name, work, stop
        self._works, self._restarts = False, 0
        self._thread = threading.Thread(target=self._run, name=name, daemon=True)

    @property
    def status(self) -> Status:
        return Status(self._works and self._thread.is_alive(), self._restarts)

    def start(self) -> None:
        self._works = True
        _running[self.name] = self
        self._thread.start()

    def join(self, timeout: float | None = None) -> None:
        """Wait for its end, after which it is no longer watched."""
        self._thread.join(timeout)
        if _running.get(self.name) is self:
            del _running[self.name]

    def _run(self) -> None:
        pause = SHORTEST_PAUSE
        while True:
            began = time.monotonic()
            try:
                self._work()
                return
            except BaseException:
                self._works = False
                if time.monotonic() - began > STEADY:
                    pause = SHORTEST_PAUSE
                logger.exception("The thread %r ended and starts again in %s s", self.name, pause)
            if self._stop.wait(pause):
                return
            pause = min(2 * pause, LONGEST_PAUSE)
            self._works, self._restarts = True, self._restarts + 1


_running: dict[str, ServiceThread] = {}


def statuses() -> dict[str, Status]:
    """The threads of this process that were started and not stopped, by their names."""
    return {name: thread.status for name, thread in sorted(_running.items())}
