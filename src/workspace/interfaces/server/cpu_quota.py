"""CPU quotas, which are checked before a request is processed.

A caller that has used more than its share of the CPU waits while other callers are active.
"""

import asyncio
from collections.abc import Coroutine
from typing import Any

from workspace.interfaces.server.cpu_usage import RECENT_SECONDS, CallerMonitor, CpuUsage, measure_cpu_time
from workspace.interfaces.server.fair_queue import FairQueue

EXPECTED_COST_SECONDS = 0.005  # assumed CPU time of a request until it has ended
UNMEASURED_COST_SECONDS = 0.0004  # CPU time of the server itself, which is not measured


class CpuQuota:
    """A CPU quota for one event loop. At most `waiting` requests per caller can wait."""

    def __init__(self, usage: CpuUsage, company: CallerMonitor, waiting: int = 250) -> None:
        self.cpu_usage, self.caller_monitor = usage, company
        self._queue: FairQueue[asyncio.Future[None]] = FairQueue(waiting)
        self._timer: asyncio.TimerHandle | None = None

    async def run_in_turn(self, caller: str, work: Coroutine[Any, Any, None]) -> None:
        """Run the work when it is the caller's turn, and charge its CPU time on the event loop.

        Raise CallerQueueFullError if too many requests of the caller are waiting.
        """
        try:
            await self._wait_for_turn(caller)
        except BaseException:
            work.close()
            raise
        self.cpu_usage.charge(caller, EXPECTED_COST_SECONDS)
        try:
            await measure_cpu_time(work, lambda seconds: self.cpu_usage.charge(caller, seconds))
        finally:
            self.cpu_usage.charge(caller, UNMEASURED_COST_SECONDS - EXPECTED_COST_SECONDS)

    async def _wait_for_turn(self, caller: str) -> None:
        if self._can_start(caller) and caller not in self._queue:
            return
        mine: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        self._queue.put(caller, mine)
        if self._timer is None:
            self._admit_next()
        await mine

    def _can_start(self, caller: str) -> bool:
        return not caller or self.caller_monitor.has_single_caller or not self.cpu_usage.seconds_to_wait(caller)

    def _admit_next(self) -> None:
        # Admit one request at a time, because its cost is not known yet. The next one is checked shortly after.
        taken = self._queue.pop(self._can_start)
        if taken is not None and not taken[1].done():
            taken[1].set_result(None)
        later = 0.0 if taken is not None and self._queue else self._queue.shortest_wait(self.cpu_usage.seconds_to_wait)
        self._timer = None
        if later is not None:
            self._timer = asyncio.get_running_loop().call_later(min(later, RECENT_SECONDS), self._admit_next)
