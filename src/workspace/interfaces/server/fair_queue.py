"""Fair turns: whoever asks for much waits behind their own, and nobody else does."""

import asyncio
from collections import Counter, OrderedDict, deque
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from typing import Generic, TypeVar

from workspace.interfaces.server.cpu_usage import CallerMonitor

T = TypeVar("T")


class CallerQueueFullError(Exception):
    """One caller has too much waiting."""


class FairQueue(Generic[T]):
    """What waits, by whom: taken one of each in turn, first come, first served within one's own. At most
    `max_per_caller` of one, but for nobody's, the service's own. For one thread, or under the lock of its owner."""

    def __init__(self, most: int) -> None:
        self.max_per_caller = most
        self._waiting: OrderedDict[str, deque[T]] = OrderedDict()

    def put(self, whose: str, what: T) -> None:
        """Raises CallerQueueFullError."""
        line = self._waiting.setdefault(whose, deque())
        if whose and len(line) >= self.max_per_caller:
            raise CallerQueueFullError
        line.append(what)

    def pop(self, may: Callable[[str], bool] = lambda whose: True) -> tuple[str, T] | None:
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

    def shortest_wait(self, wait: Callable[[str], float]) -> float | None:
        """The least of what those have yet to wait who have something waiting; None when nobody has."""
        return min(map(wait, self._waiting), default=None)


class FairSemaphore:
    """Lets `size` in at a time, of one event loop; beyond it, whoever waits comes in by fair turns. Who is in
    `caller_monitor` has an eighth of the places."""

    def __init__(self, size: int, waiting: int = 500, caller_monitor: CallerMonitor | None = None) -> None:
        self.free_slots = size
        self.caller_monitor = caller_monitor or CallerMonitor()
        self.max_per_caller = max(1, size // 8)
        self._active: Counter[str] = Counter()
        self._queue: FairQueue[asyncio.Future[None]] = FairQueue(waiting)

    @asynccontextmanager
    async def acquire_slot(self, whose: str) -> AsyncIterator[None]:
        """Wait for one's turn. Raises CallerQueueFullError."""
        if self.free_slots and self._can_enter(whose):
            self._admit_caller(whose)
        else:
            mine: asyncio.Future[None] = asyncio.get_running_loop().create_future()
            self._queue.put(whose, mine)
            try:
                await mine
            except asyncio.CancelledError:
                if mine.done() and not mine.cancelled():
                    self._release_slot(whose)  # it was let in in the moment in which it left
                raise
        try:
            yield
        finally:
            self._release_slot(whose)

    def _can_enter(self, whose: str) -> bool:
        # not whether others are inside just now: they come out together, and would find their places taken
        return self.caller_monitor.has_single_caller or self._active[whose] < self.max_per_caller

    def _admit_caller(self, whose: str) -> None:
        self.free_slots -= 1
        self._active[whose] += 1

    def _release_slot(self, whose: str) -> None:
        self.free_slots += 1
        self._active[whose] -= 1
        if not self._active[whose]:
            del self._active[whose]
        while self.free_slots and (taken := self._queue.pop(self._can_enter)) is not None:
            if not taken[1].done():
                self._admit_caller(taken[0])
                taken[1].set_result(None)
