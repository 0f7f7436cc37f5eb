"""Fair turns: whoever asks for much waits behind their own, and nobody else does."""

import asyncio
from collections import OrderedDict, deque
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Generic, TypeVar

T = TypeVar("T")


class Crowded(Exception):
    """One caller has too much waiting."""


class Rounds(Generic[T]):
    """What waits, by whom: taken one of each in turn, first come, first served within one's own. At most `most` of one,
    but for nobody's, the service's own.
    For one thread, or under the lock of its owner."""

    def __init__(self, most: int) -> None:
        self.most = most
        self._waiting: OrderedDict[str, deque[T]] = OrderedDict()

    def put(self, whose: str, what: T) -> None:
        """Raises Crowded."""
        line = self._waiting.setdefault(whose, deque())
        if whose and len(line) >= self.most:
            raise Crowded
        line.append(what)

    def take(self) -> T | None:
        """The next one; None when nothing waits."""
        if not self._waiting:
            return None
        whose, line = next(iter(self._waiting.items()))
        what = line.popleft()
        if line:
            self._waiting.move_to_end(whose)
        else:
            del self._waiting[whose]
        return what


class Turnstile:
    """Lets `size` in at a time, of one event loop; beyond it, whoever waits comes in by fair turns."""

    def __init__(self, size: int, waiting: int = 500) -> None:
        self.free = size
        self._rounds: Rounds[asyncio.Future[None]] = Rounds(waiting)

    @asynccontextmanager
    async def turn(self, whose: str) -> AsyncIterator[None]:
        """Wait for one's turn. Raises Crowded."""
        if self.free:
            self.free -= 1
        else:
            mine: asyncio.Future[None] = asyncio.get_running_loop().create_future()
            self._rounds.put(whose, mine)
            try:
                await mine
            except asyncio.CancelledError:
                if mine.done() and not mine.cancelled():
                    self._next()  # it was let in in the moment in which it left
                raise
        try:
            yield
        finally:
            self._next()

    def _next(self) -> None:
        while (waiting := self._rounds.take()) is not None:
            if not waiting.done():
                waiting.set_result(None)
                return
        self.free += 1
