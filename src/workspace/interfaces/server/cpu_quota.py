"""Before work is begun for a request: whoever has used more than their share of the processor waits, while others are
there who might want it."""

import asyncio
from collections.abc import Coroutine
from typing import Any

from workspace.interfaces.server.cpu_usage import RECENT_SECONDS, CallerMonitor, CpuUsage, measure_cpu_time
from workspace.interfaces.server.fair_queue import FairQueue

EXPECTED_COST_SECONDS = 0.005  # seconds that a request is taken to cost until it has ended
UNMEASURED_COST_SECONDS = 0.0004  # of what it costs: the server's own part, which is not measured


class CpuQuota:
    """For one event loop. At most `waiting` requests of one caller wait."""

    def __init__(self, pace: CpuUsage, company: CallerMonitor, waiting: int = 250) -> None:
        self.cpu_usage, self.caller_monitor = pace, company
        self._queue: FairQueue[asyncio.Future[None]] = FairQueue(waiting)
        self._timer: asyncio.TimerHandle | None = None

    async def run_in_turn(self, whose: str, work: Coroutine[Any, Any, None]) -> None:
        """Do it, once it is the caller's turn, and charge what it costs the event loop. Raises CallerQueueFullError."""
        try:
            await self._wait_for_turn(whose)
        except BaseException:
            work.close()
            raise
        self.cpu_usage.charge(whose, EXPECTED_COST_SECONDS)
        try:
            await measure_cpu_time(work, lambda seconds: self.cpu_usage.charge(whose, seconds))
        finally:
            self.cpu_usage.charge(whose, UNMEASURED_COST_SECONDS - EXPECTED_COST_SECONDS)

    async def _wait_for_turn(self, whose: str) -> None:
        if self._can_start(whose) and whose not in self._queue:
            return
        mine: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        self._queue.put(whose, mine)
        if self._timer is None:
            self._admit_next()
        await mine

    def _can_start(self, whose: str) -> bool:
        return not whose or self.caller_monitor.has_single_caller or not self.cpu_usage.seconds_to_wait(whose)

    def _admit_next(self) -> None:
        # one at a time, since what it will have cost is not known yet: the next is looked at a moment later
        taken = self._queue.pop(self._can_start)
        if taken is not None and not taken[1].done():
            taken[1].set_result(None)
        later = 0.0 if taken is not None and self._queue else self._queue.shortest_wait(self.cpu_usage.seconds_to_wait)
        self._timer = None
        if later is not None:
            self._timer = asyncio.get_running_loop().call_later(min(later, RECENT_SECONDS), self._admit_next)
