"""Fair turns: whoever asks for much waits behind their own, and nobody else does."""

import asyncio
from collections import Counter, OrderedDict, deque
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from typing import Generic, TypeVar

from workspace.interfaces.server.cpu_usage import Company

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

    def take(self, may: Callable[[str], bool] = lambda whose: True) -> tuple[str, T] | None:
        """The next of those who may; None when there is none."""
        whose = next(filter(may, self._waiting), None)
        if whose is None:
            return None
        line = self._waiting[whose]
        what = line.popleft()
        if line:
            self._waiting.move_to_end(whose)
        else:
            del self._waiting[whose]
        return whose, what

    def __len__(self) -> int:
        """How many callers have something waiting."""
        return len(self._waiting)

    def __contains__(self, whose: str) -> bool:
        return whose in self._waiting

    def soonest(self, wait: Callable[[str], float]) -> float | None:
        """The least of what those have yet to wait who have something waiting; None when nobody has."""
        return min(map(wait, self._waiting), default=None)


class Turnstile:
    """Lets `size` in at a time, of one event loop; beyond it, whoever waits comes in by fair turns. Who is in `company`
    has an eighth of the places."""

    def __init__(self, size: int, waiting: int = 500, company: Company | None = None) -> None:
        self.free = size
        self.company = company or Company()
        self.share = max(1, size // 8)
        self._inside: Counter[str] = Counter()
        self._rounds: Rounds[asyncio.Future[None]] = Rounds(waiting)

    @asynccontextmanager
    async def turn(self, whose: str) -> AsyncIterator[None]:
        """Wait for one's turn. Raises Crowded."""
        if self.free and self._may(whose):
            self._let_in(whose)
        else:
            mine: asyncio.Future[None] = asyncio.get_running_loop().create_future()
            self._rounds.put(whose, mine)
            try:
                await mine
            except asyncio.CancelledError:
                if mine.done() and not mine.cancelled():
                    self._leave(whose)  # it was let in in the moment in which it left
                raise
        try:
            yield
        finally:
            self._leave(whose)

    def _may(self, whose: str) -> bool:
        # not whether others are inside just now: they come out together, and would find their places taken
        return self.company.alone or self._inside[whose] < self.share

    def _let_in(self, whose: str) -> None:
        self.free -= 1
        self._inside[whose] += 1

    def _leave(self, whose: str) -> None:
        self.free += 1
        self._inside[whose] -= 1
        if not self._inside[whose]:
            del self._inside[whose]
        while self.free and (taken := self._rounds.take(self._may)) is not None:
            if not taken[1].done():
                self._let_in(taken[0])
                taken[1].set_result(None)
