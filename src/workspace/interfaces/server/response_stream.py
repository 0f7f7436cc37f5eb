"""An answer's chunks on their way from a pool thread to the event loop."""

import asyncio
import threading
from collections.abc import Awaitable

from workspace.interfaces.server.request_reader import Limits

AHEAD = 1024 * 1024  # bytes that an application may produce before its client has taken them
STUCK_SECONDS = 120.0


class ClientGone(Exception):
    """Nobody reads the answer any more: the application stops producing it."""


class AnswerBroken(Exception):
    """The application failed in the middle of its answer; its log line is written."""


class Stream:
    """`put`, `end` and `fail` belong to the thread, the rest to the event loop."""

    def __init__(self, loop: asyncio.AbstractEventLoop, status: int, headers: list[tuple[bytes, bytes]]) -> None:
        self.status = status
        self.headers = headers
        self._loop = loop
        self._queue: asyncio.Queue[bytes | None] = asyncio.Queue()
        self._room = threading.Condition()
        self._waiting = 0
        self._gone = False
        self._broken = False

    def put(self, chunk: bytes) -> None:
        """Hand a chunk over; waits while more than AHEAD bytes wait. Raises ClientGone."""
        with self._room:
            free = self._room.wait_for(lambda: self._gone or self._waiting < AHEAD, STUCK_SECONDS)
            if self._gone or not free:
                raise ClientGone
            self._waiting += len(chunk)
        self._loop.call_soon_threadsafe(self._queue.put_nowait, chunk)

    def end(self) -> None:
        self._loop.call_soon_threadsafe(self._queue.put_nowait, None)

    def fail(self) -> None:
        self._broken = True
        self.end()

    async def get(self) -> bytes | None:
        """The next chunk, None after the last one. Raises AnswerBroken."""
        chunk = await self._queue.get()
        if chunk is None:
            if self._broken:
                raise AnswerBroken
            return None
        with self._room:
            self._waiting -= len(chunk)
            self._room.notify()
        return chunk

    def abandon(self) -> None:
        with self._room:
            self._gone = True
            self._room.notify()


class Patience:
    """Gives a client time to take an answer: the grace, then the minimum rate. Only time spent waiting for
    the client counts, so an application may take its time between two chunks."""

    def __init__(self, limits: Limits) -> None:
        self._limits = limits
        self._waited = 0.0
        self._taken = 0

    async def wait(self, sending: Awaitable[None], size: int) -> None:
        """Await one send; ClientGone when it takes too long."""
        began = asyncio.get_running_loop().time()
        allowed = self._limits.seconds_for(self._taken) - self._waited
        try:
            async with asyncio.timeout(max(allowed, 0.001)):
                await sending
        except TimeoutError:
            raise ClientGone from None
        self._waited += asyncio.get_running_loop().time() - began
        self._taken += size
