"""Recording visits. One thread of the process writes them, all that have queued up in one commit: a disk that can
confirm a few hundred commits a second confirms thousands of visits. `record` returns once its visit is on the disk."""

from __future__ import annotations

import asyncio
import logging
import threading
import time
from collections import defaultdict
from collections.abc import Sequence
from concurrent.futures import Future
from contextlib import suppress
from queue import Empty, SimpleQueue

from asgiref.sync import sync_to_async
from django.db import InterfaceError, OperationalError, close_old_connections, connection

from workspace.publishing.counting import Arrival, enter
from workspace.publishing.visitor import Visitor
from workspace.toolkit import clock

logger = logging.getLogger(__name__)

PATIENCE = 10.0  # seconds of trying again while the database is locked or away
LARGEST = 500  # visits in a commit: more would keep others from writing for too long


class VisitsFull(Exception):
    """More visits are waiting than the writer may hold."""


def record(publication_id: str, event: str, visitor: Visitor, *, part: str = "") -> None:
    """Count a visit; committed on return. Raises VisitsFull, or a DatabaseError when it cannot be written."""
    arrival = Arrival(publication_id, event, part, clock.now(), visitor)
    writer = _running
    done: Future[None] = Future()
    if writer is None or not writer.take(arrival, done):
        _enter_patiently([arrival])
        return
    done.result()


async def record_async(publication_id: str, event: str, visitor: Visitor, *, part: str = "") -> None:
    """The same, for the event loop."""
    arrival = Arrival(publication_id, event, part, clock.now(), visitor)
    writer = _running
    done: asyncio.Future[None] = asyncio.get_running_loop().create_future()
    if writer is None or not writer.take(arrival, done):
        await sync_to_async(_enter_elsewhere)(arrival)
        return
    await done


_Done = Future[None] | asyncio.Future[None]


class VisitWriter:
    """The process's writer, a service of the server: `start` once, `stop` writes what is queued and ends the thread.

    `capacity`: visits that may wait. `pause`: least seconds between two commits, in which other processes get in."""

    def __init__(self, *, capacity: int = 10_000, pause: float = 0.002) -> None:
        self.capacity, self.pause = capacity, pause
        self._queue: SimpleQueue[tuple[Arrival, _Done] | None] = SimpleQueue()
        self._guard = threading.Lock()
        self._open = False
        self._thread: threading.Thread | None = None

    def start(self) -> None:
        global _running
        self._thread = threading.Thread(target=self._run, name="visits", daemon=True)
        self._open = True
        self._thread.start()
        _running = self

    def stop(self) -> None:
        global _running
        if self._thread is None:
            return
        if _running is self:
            _running = None
        with self._guard:
            self._open = False
            self._queue.put(None)
        self._thread.join()
        self._thread = None

    @property
    def waiting(self) -> int:
        """Visits that nobody has begun to write."""
        return self._queue.qsize()

    def take(self, arrival: Arrival, done: _Done) -> bool:
        """Queue it; False when the writer has stopped. Raises VisitsFull."""
        with self._guard:
            if not self._open:
                return False
            if self.waiting >= self.capacity:
                raise VisitsFull(f"{self.capacity} visits are waiting to be written")
            self._queue.put((arrival, done))
        return True

    def _run(self) -> None:
        more = True
        while more:
            batch, more = self._next()
            began = time.monotonic()
            close_old_connections()
            self._write(batch)
            if more:
                # In proportion, since others wait for their turn by looking now and then: a pause that is short
                # beside the commits would always be over when they look.
                time.sleep(max(self.pause, (time.monotonic() - began) / 2))
        connection.close()

    def _next(self) -> tuple[list[tuple[Arrival, _Done]], bool]:
        """Wait for a visit and take all that have come meanwhile; False with the last ones."""
        batch: list[tuple[Arrival, _Done]] = []
        item = self._queue.get()
        with suppress(Empty):
            while item is not None:
                batch.append(item)
                if len(batch) == LARGEST:
                    break
                item = self._queue.get_nowait()
        return batch, item is not None

    def _write(self, batch: Sequence[tuple[Arrival, _Done]]) -> None:
        if not batch:
            return
        try:
            _enter_patiently([arrival for arrival, _ in batch])
        except (OperationalError, InterfaceError) as problem:
            logger.error("%d visits are lost: the database cannot be written", len(batch))
            _settle([done for _, done in batch], problem)
        except Exception as problem:
            if len(batch) == 1:
                _settle([batch[0][1]], problem)
                return
            # one visit that the database refuses must not take the others with it
            middle = len(batch) // 2
            self._write(batch[:middle])
            self._write(batch[middle:])
        else:
            _settle([done for _, done in batch], None)


_running: VisitWriter | None = None


def _enter_patiently(arrivals: Sequence[Arrival]) -> None:
    ends = time.monotonic() + PATIENCE
    delay = 0.05
    while True:
        try:
            enter(arrivals)
            return
        except (OperationalError, InterfaceError):
            if connection.in_atomic_block or time.monotonic() + delay > ends:
                raise
            connection.close()
            time.sleep(delay)
            delay = min(2 * delay, 1.0)


def _enter_elsewhere(arrival: Arrival) -> None:
    try:
        _enter_patiently([arrival])
    finally:
        close_old_connections()  # nobody else does in this thread


def _settle(waiting: Sequence[_Done], problem: Exception | None) -> None:
    """Let the callers go on, each event loop being woken once."""
    loops: dict[asyncio.AbstractEventLoop, list[asyncio.Future[None]]] = defaultdict(list)
    for done in waiting:
        if isinstance(done, Future):
            _tell(done, problem)
        else:
            loops[done.get_loop()].append(done)
    for loop, futures in loops.items():
        with suppress(RuntimeError):  # the loop has ended, and with it all who waited there
            loop.call_soon_threadsafe(_tell_all, futures, problem)


def _tell_all(waiting: Sequence[asyncio.Future[None]], problem: Exception | None) -> None:
    for done in waiting:
        _tell(done, problem)


def _tell(done: _Done, problem: Exception | None) -> None:
    if done.done():  # cancelled: the guest has left
        return
    if problem is None:
        done.set_result(None)
    else:
        done.set_exception(problem)
