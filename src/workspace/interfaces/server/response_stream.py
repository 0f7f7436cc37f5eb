"""Chunks of a response, passed from a pool thread to the event loop."""

import asyncio
import threading
from collections.abc import Awaitable

from workspace.interfaces.server.request_reader import Limits

MAX_BUFFERED_BYTES = 1024 * 1024  # bytes that an application may produce before its client has read them
STALL_TIMEOUT_SECONDS = 120.0


class ClientDisconnectedError(Exception):
    """The client has disconnected. The application should stop producing the response."""


class ResponseAbortedError(Exception):
    """The application failed in the middle of its response. The error has already been logged."""


class ResponseStream:
    """A response streamed between a thread and the event loop.

    `write`, `finish` and `fail` are called by the thread, the other methods by the event loop.
    """

    def __init__(self, loop: asyncio.AbstractEventLoop, status: int, headers: list[tuple[bytes, bytes]]) -> None:
        self.status = status
        self.headers = headers
        self._loop = loop
        self._queue: asyncio.Queue[bytes | None] = asyncio.Queue()
        self._condition = threading.Condition()
        self._waiting = 0
        self._is_disconnected = False
        self._is_failed = False

    def write(self, chunk: bytes) -> None:
        """Pass on a chunk. Wait while more than MAX_BUFFERED_BYTES are pending.

        Raise ClientDisconnectedError if the client disconnected or stalled.
        """
        with self._condition:
            free = self._condition.wait_for(
                lambda: self._is_disconnected or self._waiting < MAX_BUFFERED_BYTES, STALL_TIMEOUT_SECONDS
            )
            if self._is_disconnected or not free:
                raise ClientDisconnectedError
            self._waiting += len(chunk)
        self._loop.call_soon_threadsafe(self._queue.put_nowait, chunk)

    def finish(self) -> None:
        """End the stream after the last chunk."""
        self._loop.call_soon_threadsafe(self._queue.put_nowait, None)

    def fail(self) -> None:
        """End the stream because the application failed."""
        self._is_failed = True
        self.finish()

    async def read_chunk(self) -> bytes | None:
        """Return the next chunk, or None after the last one. Raise ResponseAbortedError if the application failed."""
        chunk = await self._queue.get()
        if chunk is None:
            if self._is_failed:
                raise ResponseAbortedError
            return None
        with self._condition:
            self._waiting -= len(chunk)
            self._condition.notify()
        return chunk

    def abandon(self) -> None:
        """Mark the client as disconnected, so that the next `write` raises an error."""
        with self._condition:
            self._is_disconnected = True
            self._condition.notify()


class WriteDeadline:
    """A time limit for a client to receive a response: the grace period, then the minimum rate.

    Only the time spent waiting for the client counts. The application may pause between two chunks.
    """

    def __init__(self, limits: Limits) -> None:
        self._limits = limits
        self._seconds_waited = 0.0
        self._bytes_sent = 0

    async def wait_for_send(self, sending: Awaitable[None], size: int) -> None:
        """Await a send of `size` bytes. Raise ClientDisconnectedError if it takes too long."""
        began = asyncio.get_running_loop().time()
        allowed = self._limits.seconds_for(self._bytes_sent) - self._seconds_waited
        try:
            async with asyncio.timeout(max(allowed, 0.001)):
                await sending
        except TimeoutError:
            raise ClientDisconnectedError from None
        self._seconds_waited += asyncio.get_running_loop().time() - began
        self._bytes_sent += size
