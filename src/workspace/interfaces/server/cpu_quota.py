"""Before work is begun for a request: whoever has used more than their share of the processor waits, while others are
there who might want it."""

import asyncio
from collections.abc import Coroutine
from typing import Any

from workspace.interfaces.server.cpu_usage import LATELY, Company, Pace, metered
from workspace.interfaces.server.fair_queue import Rounds

EXPECTED = 0.005  # seconds that a request is taken to cost until it has ended
UNSEEN = 0.0004  # of what it costs: the server's own part, which is not measured


class Shares:
    """For one event loop. At most `waiting` requests of one caller wait."""

    def __init__(self, pace: Pace, company: Company, waiting: int = 250) -> None:
        self.pace, self.company = pace, company
        self._rounds: Rounds[asyncio.Future[None]] = Rounds(waiting)
        self._pump: asyncio.TimerHandle | None = None

    async def run(self, whose: str, work: Coroutine[Any, Any, None]) -> None:
        """Do it, once it is the caller's turn, and charge what it costs the event loop. Raises Crowded."""
        try:
            await self._turn(whose)
        except BaseException:
            work.close()
            raise
        self.pace.charge(whose, EXPECTED)
        try:
            await metered(work, lambda seconds: self.pace.charge(whose, seconds))
        finally:
            self.pace.charge(whose, UNSEEN - EXPECTED)

    async def _turn(self, whose: str) -> None:
        if self._may(whose) and whose not in self._rounds:
            return
        mine: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        self._rounds.put(whose, mine)
        if self._pump is None:
            self._let_in()
        await mine

    def _may(self, whose: str) -> bool:
        return not whose or self.company.alone or not self.pace.wait(whose)

    def _let_in(self) -> None:
        # one at a time, since what it will have cost is not known yet: the next is looked at a moment later
        taken = self._rounds.take(self._may)
        if taken is not None and not taken[1].done():
            taken[1].set_result(None)
        later = 0.0 if taken is not None and self._rounds else self._rounds.soonest(self.pace.wait)
        self._pump = None
        if later is not None:
            self._pump = asyncio.get_running_loop().call_later(min(later, LATELY), self._let_in)
