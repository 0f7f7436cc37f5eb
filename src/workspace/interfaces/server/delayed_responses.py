"""Requests that wait briefly before they are answered.

They wait on the event loop and use no thread. A total limit and a limit per caller keep clients from filling the
memory.
"""

import asyncio
from collections import Counter

MAX_DELAY_SECONDS = 5.0  # seconds
CLOCK_MARGIN_SECONDS = 0.05  # clocks are not exact


class DelayedResponses:
    """A limit for delayed requests: `most` in total, `most_of_one` per caller."""

    def __init__(self, most: int = 200, most_of_one: int = 20) -> None:
        self._max_total, self._max_per_caller = most, most_of_one
        self._waiting: Counter[str] = Counter()

    def has_capacity(self, whose: str) -> bool:
        return self._waiting.total() < self._max_total and self._waiting[whose] < self._max_per_caller

    async def wait_for(self, whose: str, seconds: float) -> bool:
        """Wait the given seconds and return True. Return False immediately if too many requests wait already."""
        if not self.has_capacity(whose):
            return False
        self._waiting[whose] += 1
        try:
            await asyncio.sleep(min(seconds, MAX_DELAY_SECONDS) + CLOCK_MARGIN_SECONDS)
        finally:
            self._waiting[whose] -= 1
            if not self._waiting[whose]:
                del self._waiting[whose]
        return True
