"""CPU time used by each caller.

Only CPU time counts. A caller that waits for a lock or a mail server uses none, so it does not delay others behind the
same address.
"""

from __future__ import annotations

import threading
from collections.abc import Callable, Coroutine, Generator
from time import monotonic, thread_time
from types import coroutine
from typing import Any, TypeVar

T = TypeVar("T")

RECENT_SECONDS = 1.0  # seconds
MAX_DEBT_SECONDS = 2.0  # seconds: the maximum debt, so that a caller does not wait long after one expensive call
MAX_TRACKED_CALLERS = 10_000  # callers that are remembered before those without a debt are removed


class CallerMonitor:
    """Detects whether there has recently been only one caller. If so, no limit applies."""

    def __init__(self, now: Callable[[], float] = monotonic) -> None:
        self._now = now
        self._latest = ""
        self._changed = float("-inf")

    def record_caller(self, caller: str) -> None:
        """Record a request from this caller."""
        if caller != self._latest:
            if self._latest:
                self._changed = self._now()
            self._latest = caller

    @property
    def has_single_caller(self) -> bool:
        """True if no other caller has sent a request within RECENT_SECONDS."""
        return self._now() - self._changed > RECENT_SECONDS


class CpuUsage:
    """The unpaid CPU time of each caller. Thread-safe.

    A caller may use the fraction `share` of a CPU continuously, and `ahead` seconds at once.
    """

    def __init__(self, share: float = 0.25, allowance: float = 0.5, now: Callable[[], float] = monotonic) -> None:
        self.share, self.ahead = share, allowance
        self._now = now
        self._guard = threading.Lock()
        self._debts: dict[str, tuple[float, float]] = {}

    def charge(self, caller: str, seconds: float) -> None:
        """Add CPU seconds to the caller's debt. A negative number reduces it."""
        if not caller:  # the service's own work
            return
        with self._guard:
            if len(self._debts) > MAX_TRACKED_CALLERS:
                self._debts = {one: debt for one, debt in self._debts.items() if self._current_debt(one) > 0}
            self._debts[caller] = (min(MAX_DEBT_SECONDS, max(0.0, self._current_debt(caller) + seconds)), self._now())

    def seconds_to_wait(self, caller: str) -> float:
        """Return the seconds until the caller's next work may start, or 0 if it may start now."""
        return max(0.0, self._current_debt(caller) - self.ahead) / self.share

    def _current_debt(self, caller: str) -> float:
        debt, since = self._debts.get(caller, (0.0, 0.0))
        return max(0.0, debt - self.share * (self._now() - since))


@coroutine
def measure_cpu_time(work: Coroutine[Any, Any, T], report_seconds: Callable[[float], None]) -> Generator[Any, Any, T]:
    """Await `work`, and report the CPU seconds that each of its steps used in this thread."""
    step: Callable[[Any], Any] = work.send
    value: Any = None
    while True:
        began = thread_time()
        try:
            awaited = step(value)
        except StopIteration as end:
            result: T = end.value
            return result
        finally:
            report_seconds(thread_time() - began)
        try:
            value, step = (yield awaited), work.send
        except BaseException as error:
            value, step = error, work.throw
