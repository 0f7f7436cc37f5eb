"""Requests that wait a short time before they are answered. They wait on the event loop: no thread is used, and a
limit for all and for each caller keeps strangers from filling the memory."""

import asyncio
from collections import Counter

LONGEST = 5.0  # seconds
MARGIN = 0.05  # clocks are not exact


class Holding:
    def __init__(self, most: int = 200, most_of_one: int = 20) -> None:
        self._most, self._most_of_one = most, most_of_one
        self._waiting: Counter[str] = Counter()

    def has_place(self, whose: str) -> bool:
        return self._waiting.total() < self._most and self._waiting[whose] < self._most_of_one

    async def wait(self, whose: str, seconds: float) -> bool:
        """Return True after the time, or False at once where too many wait already."""
        if not self.has_place(whose):
            return False
        self._waiting[whose] += 1
        try:
            await asyncio.sleep(min(seconds, LONGEST) + MARGIN)
        finally:
            self._waiting[whose] -= 1
            if not self._waiting[whose]:
                del self._waiting[whose]
        return True
