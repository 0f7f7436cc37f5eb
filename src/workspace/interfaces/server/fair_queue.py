"""Fair queuing: a caller with many requests waits only behind its own requests and does not delay others."""

import asyncio
from collections import Counter, OrderedDict, deque
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from typing import Generic, TypeVar

from workspace.interfaces.server.cpu_usage import CallerMonitor

T = TypeVar("T")


class CallerQueueFullError(Exception):
    """Too much work of this caller is already waiting."""


class FairQueue(Generic[T]):
    """A queue that serves callers in turn, and each caller's items in order.

    At most `max_per_caller` items of one caller can wait. The service's own items (empty caller) have no limit. Not
    thread-safe: use it from one thread or under a lock.
    """

    def __init__(self, max_per_caller: int) -> None:
        self.max_per_caller = max_per_caller
        self._waiting: OrderedDict[str, deque[T]] = OrderedDict()

    def put(self, caller: str, item: T) -> None:
        """Add an item. Raise CallerQueueFullError if too many items of the caller are waiting."""
        line = self._waiting.setdefault(caller, deque())
        if caller and len(line) >= self.max_per_caller:
            raise CallerQueueFullError
        line.append(item)

    def pop(self, can_start: Callable[[str], bool] = lambda caller: True) -> tuple[str, T] | None:
        """Remove and return the next item of a caller that `can_start` accepts. Return None if there is none."""
        caller = next(filter(can_start, self._waiting), None)
        if caller is None:
            return None
        line = self._waiting[caller]
        item = line.popleft()
        if line:
            self._waiting.move_to_end(caller)
        else:
            del self._waiting[caller]
        return caller, item

    def __len__(self) -> int:
        """Return the number of callers with waiting items."""
        return len(self._waiting)

    def __contains__(self, caller: str) -> bool:
        return caller in self._waiting

    def shortest_wait(self, wait: Callable[[str], float]) -> float | None:
        """Return the shortest wait, in seconds, among callers with waiting items, or None if there are none."""
        return min(map(wait, self._waiting), default=None)


class FairSemaphore:
    """A semaphore with `size` slots for one event loop, granted in fair turns.

    If `caller_monitor` has seen several callers, each can have at most an eighth of the slots.
    """

    def __init__(self, size: int, waiting: int = 500, caller_monitor: CallerMonitor | None = None) -> None:
        self.free_slots = size
        self.caller_monitor = caller_monitor or CallerMonitor()
        self.max_per_caller = max(1, size // 8)
        self._active: Counter[str] = Counter()
        self._queue: FairQueue[asyncio.Future[None]] = FairQueue(waiting)

    @asynccontextmanager
    async def acquire_slot(self, caller: str) -> AsyncIterator[None]:
        """Wait for a slot. Raise CallerQueueFullError if too much work of the caller is waiting."""
        if self.free_slots and self._can_enter(caller):
            self._admit_caller(caller)
        else:
            mine: asyncio.Future[None] = asyncio.get_running_loop().create_future()
            self._queue.put(caller, mine)
            try:
                await mine
            except asyncio.CancelledError:
                if mine.done() and not mine.cancelled():
                    self._release_slot(caller)  # the slot was granted at the moment of the cancellation
                raise
        try:
            yield
        finally:
            self._release_slot(caller)

    def _can_enter(self, caller: str) -> bool:
        # Do not check here who is active: callers leave together, and would find their slots taken.
        return self.caller_monitor.has_single_caller or self._active[caller] < self.max_per_caller

    def _admit_caller(self, caller: str) -> None:
        self.free_slots -= 1
        self._active[caller] += 1

    def _release_slot(self, caller: str) -> None:
        self.free_slots += 1
        self._active[caller] -= 1
        if not self._active[caller]:
            del self._active[caller]
        while self.free_slots and (taken := self._queue.pop(self._can_enter)) is not None:
            if not taken[1].done():
                self._admit_caller(taken[0])
                taken[1].set_result(None)
