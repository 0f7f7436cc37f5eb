"""Recording visits. One thread of the process writes them, all that have queued up in one commit: a disk that can
confirm a few hundred commits a second confirms thousands of visits. `record` returns once its visit is on the disk.

While the database cannot be written, nobody waits for it: the writer keeps what has come, in the order in which it
came, and goes on trying. What is kept is bounded, and lost only with the process.
"""

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
from django.db import Error, close_old_connections, connection

from workspace.publishing.counting import Arrival, enter
from workspace.publishing.visitor import Visitor
from workspace.storage.trouble import is_unconfirmed, trouble_of
from workspace.toolkit import clock

logger = logging.getLogger(__name__)

LARGEST = 500  # visits in a commit: more would keep others from writing for too long
PATIENCE = 0.4  # seconds that one try may wait to begin; after the first in vain, nobody waits for the writer
IN_A_THREAD = 0.5  # seconds that a thread of the pool waits for its visit: others need it
IN_THE_LOOP = 2.5  # seconds that a guest waits where that holds no thread
LONGEST_BREAK = 0.25  # seconds between two commits
SHORTEST_BREAK = 0.004  # seconds: what is owed is paid when it comes to that
LONGEST_PAUSE = 1.0  # seconds between two tries
AT_THE_END = 5.0  # seconds of trying once the process is to end


class VisitsFull(Exception):
    """More visits are waiting than the writer may hold."""


def record(publication_id: str, event: str, visitor: Visitor, *, part: str = "") -> None:
    """Count a visit: committed on return, unless the database cannot be written just now; then it is kept, and written
    as soon as it can be. Raises VisitsFull, or a DatabaseError when nobody keeps it."""
    arrival = Arrival(publication_id, event, part, clock.now(), visitor)
    writer = _running
    done: Future[None] | None = None if writer is not None and writer.is_behind else Future()
    if writer is None or not writer.take(arrival, done):
        enter([arrival])
        return
    if done is not None:
        with suppress(TimeoutError):
            done.result(IN_A_THREAD)


async def record_async(publication_id: str, event: str, visitor: Visitor, *, part: str = "") -> None:
    """The same, for the event loop."""
    arrival = Arrival(publication_id, event, part, clock.now(), visitor)
    writer = _running
    is_behind = writer is not None and writer.is_behind
    done = None if is_behind else asyncio.get_running_loop().create_future()
    if writer is None or not writer.take(arrival, done):
        await sync_to_async(_enter_elsewhere)(arrival)
        return
    if done is not None:
        await asyncio.wait([done], timeout=IN_THE_LOOP)
        if done.done():
            done.result()


def waiting() -> int:
    """Visits that are not on the disk yet."""
    return 0 if _running is None else _running.waiting


_Done = Future[None] | asyncio.Future[None] | None  # None: nobody waits for it


class VisitWriter:
    """The process's writer, a service of the server: `start` once, `stop` writes what is queued and ends the thread.

    `capacity`: visits that may wait."""

    def __init__(self, *, capacity: int = 50_000) -> None:
        self.capacity = capacity
        self.is_behind = False  # whether the database has refused what was tried last
        self._in_hand = self._lost = 0
        self._ending = threading.Event()
        self._queue: SimpleQueue[tuple[Arrival, _Done] | None] = SimpleQueue()
        self._guard = threading.Lock()
        self._open = False
        self._thread: threading.Thread | None = None

    def start(self) -> None:
        global _running
        self._thread = threading.Thread(target=self._run, name="visits", daemon=True)
        self._open = True
        self._ending.clear()
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
        self._ending.set()
        self._thread.join()
        self._thread = None

    @property
    def waiting(self) -> int:
        """Visits that are not written yet."""
        return self._queue.qsize() + self._in_hand

    def take(self, arrival: Arrival, done: _Done) -> bool:
        """Queue it; False when the writer has stopped. Raises VisitsFull."""
        with self._guard:
            if not self._open:
                return False
            if self._queue.qsize() >= self.capacity:
                self._lost += 1
                if self._lost == 1:  # one line, not one for each
                    logger.error("Visits are lost from now on: %d wait to be written already", self.capacity)
                raise VisitsFull(f"{self.capacity} visits are waiting to be written")
            self._queue.put((arrival, done))
        return True

    def _run(self) -> None:
        more, ended, owed = True, time.monotonic(), 0.0
        while more:
            batch, more = self._next()
            began = time.monotonic()
            owed = max(0.0, owed - (began - ended))  # what nobody wrote in was a break as well
            close_old_connections()
            self._in_hand = len(batch)
            self._write(batch)
            self._in_hand = 0
            ended = time.monotonic()
            # In proportion, since other processes wait for their turn by looking now and then: a break that is short
            # beside the commits would always be over when they look. A guest who comes alone does not feel it.
            owed = min(LONGEST_BREAK, owed + (ended - began) / 2)
            if more and owed > SHORTEST_BREAK:
                time.sleep(owed)
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
            self._enter([arrival for arrival, _ in batch])
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

    def _enter(self, arrivals: Sequence[Arrival]) -> None:
        """Write them, however long the database is locked, full or away; until shortly after `stop`."""
        pause, ends = 0.05, None
        while True:
            try:
                enter(arrivals, patience=PATIENCE)
            except Error as problem:
                trouble = trouble_of(problem)
                if trouble is None:
                    raise
                connection.close()
                if is_unconfirmed(problem):
                    return  # they would count twice
                if not self.is_behind:
                    self.is_behind = True
                    logger.warning("Visits wait to be written, and guests do not wait for them: %s", trouble.detail)
                if self._ending.is_set():
                    ends = ends or time.monotonic() + AT_THE_END
                    if time.monotonic() > ends:
                        logger.error("%d visits are lost: %s", len(arrivals), trouble.detail)
                        raise
                    time.sleep(pause)
                else:
                    self._ending.wait(pause)
                pause = min(2 * pause, LONGEST_PAUSE)
            else:
                if self.is_behind:
                    self.is_behind = False
                    logger.warning("Visits are written again; %d were lost", self._lost)
                    self._lost = 0
                return


_running: VisitWriter | None = None


def _enter_elsewhere(arrival: Arrival) -> None:
    try:
        enter([arrival])
    finally:
        close_old_connections()  # nobody else does in this thread


def _settle(waiting: Sequence[_Done], problem: Exception | None) -> None:
    """Let the callers go on, each event loop being woken once."""
    loops: dict[asyncio.AbstractEventLoop, list[asyncio.Future[None]]] = defaultdict(list)
    for done in waiting:
        if isinstance(done, Future):
            _tell(done, problem)
        elif done is not None:
            loops[done.get_loop()].append(done)
    for loop, futures in loops.items():
        with suppress(RuntimeError):  # the loop has ended, and with it all who waited there
            loop.call_soon_threadsafe(_tell_all, futures, problem)


def _tell_all(waiting: Sequence[asyncio.Future[None]], problem: Exception | None) -> None:
    for done in waiting:
        _tell(done, problem)


def _tell(done: Future[None] | asyncio.Future[None], problem: Exception | None) -> None:
    if done.done():  # cancelled: the guest has left
        return
    if problem is None:
        done.set_result(None)
    else:
        done.set_exception(problem)
