"""Requests that wait briefly before they are answered.

They wait on the event loop and use no thread. A total limit and a limit per caller keep clients from filling the
memory.
"""

import asyncio
from collections import Counter

MAX_DELAY_SECONDS = 5.0  # seconds
CLOCK_MARGIN_SECONDS = 0.05  # clocks are not exact


class RequestDelays:
    """A limit on delayed requests: at most `max_total` in all, and `max_per_caller` for each caller."""

    def __init__(self, max_total: int = 200, max_per_caller: int = 20) -> None:
        self._max_total, self._max_per_caller = max_total, max_per_caller
        self._waiting: Counter[str] = Counter()

    def has_capacity(self, caller: str) -> bool:
        return self._waiting.total() < self._max_total and self._waiting[caller] < self._max_per_caller

    async def wait_for(self, caller: str, seconds: float) -> bool:
        """Wait the given seconds and return True.

        If too many requests are already waiting, return False immediately.
        """
        if not self.has_capacity(caller):
            return False
        self._waiting[caller] += 1
        try:
            await asyncio.sleep(min(seconds, MAX_DELAY_SECONDS) + CLOCK_MARGIN_SECONDS)
        finally:
            self._waiting[caller] -= 1
            if not self._waiting[caller]:
                del self._waiting[caller]
        return True
