"""Recording visits. One thread of the process writes them, all that have queued up in one commit: a disk that can
confirm a few hundred commits a second confirms thousands of visits. `record` returns once its visit is on the disk.

While the database cannot be written, nobody waits for it: the writer keeps what has come, in the order in which it
came, and goes on trying. What is kept is bounded. A visit that the database does not have yet is in a file of the data
folder before its guest is answered (`visit_spool`), so that it outlives the process.
"""

from __future__ import annotations

import asyncio
import logging
import threading
import time
from collections import deque
from collections.abc import Sequence
from concurrent.futures import Future
from contextlib import suppress
from dataclasses import dataclass
from queue import Empty, SimpleQueue

from asgiref.sync import sync_to_async
from django.db import Error, close_old_connections, connection

from workspace.analytics.ingest import Arrival, enter
from workspace.analytics.visit_spool import Spool, note_written, write_left
from workspace.analytics.visit_waiters import Done, release
from workspace.analytics.visitor import Visitor
from workspace.lib import clock
from workspace.lib.service_thread import ServiceThread
from workspace.storage.database.errors import is_unconfirmed, trouble_of
from workspace.storage.database.transactions import writing

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
    """Count a visit: committed on return, unless the database cannot be written just now; then it is kept in a file,
    and written as soon as it can be. Raises VisitsFull, or a DatabaseError when nobody keeps it."""
    arrival = Arrival(publication_id, event, part, clock.now(), visitor)
    writer = _running
    done: Future[None] | None = None if writer is not None and writer.is_behind else Future()
    number = writer.take(arrival, done) if writer is not None else None
    if writer is None or number is None:
        enter([arrival])
        return
    if done is not None:
        with suppress(TimeoutError):
            done.result(IN_A_THREAD)
            return
    writer.keep(number, arrival)


async def record_async(publication_id: str, event: str, visitor: Visitor, *, part: str = "") -> None:
    """The same, for the event loop."""
    arrival = Arrival(publication_id, event, part, clock.now(), visitor)
    writer = _running
    is_behind = writer is not None and writer.is_behind
    done = None if is_behind else asyncio.get_running_loop().create_future()
    number = writer.take(arrival, done) if writer is not None else None
    if writer is None or number is None:
        await sync_to_async(_enter_elsewhere)(arrival)
        return
    if done is not None:
        await asyncio.wait([done], timeout=IN_THE_LOOP)
        if done.done():
            done.result()
            return
    await asyncio.to_thread(writer.keep, number, arrival)


def waiting() -> int:
    """Visits that are not on the disk yet."""
    return 0 if _running is None else _running.waiting


def oldest() -> float:
    """Seconds for which the oldest of them has waited; 0 for none."""
    return 0.0 if _running is None else _running.oldest


@dataclass(frozen=True, slots=True)
class _Item:
    """A visit that waits. `number` counts them up; `came`: when, on the monotonic clock."""

    number: int
    came: float
    arrival: Arrival
    done: Done


class VisitWriter:
    """The process's writer, a service of the server: `start` once, `stop` writes what is queued and ends the thread.

    `capacity`: visits that may wait."""

    def __init__(self, *, capacity: int = 50_000) -> None:
        self.capacity = capacity
        self.is_behind = False  # whether the database has refused what was tried last
        self._number = self._lost = 0
        self._ending = threading.Event()
        self._queue: SimpleQueue[_Item | None] = SimpleQueue()
        self._hand: deque[_Item] = deque()  # taken from the queue, and not written yet
        self._times: deque[float] = deque()  # when each of those that wait has come
        self._spool = Spool()
        self._guard = threading.Lock()
        self._open = self._has_last = False
        self._thread: ServiceThread | None = None

    def start(self) -> None:
        global _running
        self._ending.clear()
        self._open, self._has_last = True, False
        self._thread = ServiceThread("visits", self._work, self._ending)
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
        self._spool.close()

    @property
    def waiting(self) -> int:
        """Visits that are not written yet."""
        return len(self._times)

    @property
    def oldest(self) -> float:
        with suppress(IndexError):
            return time.monotonic() - self._times[0]
        return 0.0

    def take(self, arrival: Arrival, done: Done) -> int | None:
        """Queue it; its number, or None when the writer has stopped. Raises VisitsFull."""
        with self._guard:
            if not self._open:
                return None
            if self._queue.qsize() >= self.capacity:
                self._lost += 1
                if self._lost == 1:  # one line, not one for each
                    logger.error("Visits are lost from now on: %d wait to be written already", self.capacity)
                raise VisitsFull(f"{self.capacity} visits are waiting to be written")
            self._number += 1
            came = time.monotonic()
            self._times.append(came)
            self._queue.put(_Item(self._number, came, arrival, done))
            return self._number

    def keep(self, number: int, arrival: Arrival) -> None:
        """Have it outlive the process, before its guest is answered."""
        try:
            self._spool.add(number, arrival)
        except OSError as problem:
            # the guest is answered all the same: there is no room for it anywhere
            logger.error("A visit is kept in memory alone, since it cannot be written to a file: %s", problem)

    def _work(self) -> None:
        try:
            write_left(LARGEST)
            self._write_all()
        except BaseException:
            self.is_behind = True  # nobody waits until the thread has started again
            raise
        finally:
            connection.close()

    def _write_all(self) -> None:
        ended, owed = time.monotonic(), 0.0
        while self._hand or not self._has_last:
            if not self._hand:  # else the thread has ended with these in hand, and starts again with them
                self._take_next()
            began = time.monotonic()
            owed = max(0.0, owed - (began - ended))  # what nobody wrote in was a break as well
            close_old_connections()
            self._write(list(self._hand))
            ended = time.monotonic()
            # In proportion, since other processes wait for their turn by looking now and then: a break that is short
            # beside the commits would always be over when they look. A guest who comes alone does not feel it.
            owed = min(LONGEST_BREAK, owed + (ended - began) / 2)
            if not self._has_last and owed > SHORTEST_BREAK:
                time.sleep(owed)

    def _take_next(self) -> None:
        """Wait for a visit and take all that have come meanwhile."""
        item = self._queue.get()
        with suppress(Empty):
            while item is not None:
                self._hand.append(item)
                if len(self._hand) == LARGEST:
                    return
                item = self._queue.get_nowait()
            self._has_last = True

    def _write(self, batch: Sequence[_Item]) -> None:
        if not batch:
            return
        try:
            is_written = self._enter(batch)
        except Exception as problem:
            if len(batch) == 1:
                self._let_go(batch, problem)
                return
            # one visit that the database refuses must not take the others with it
            middle = len(batch) // 2
            self._write(batch[:middle])
            self._write(batch[middle:])
        else:
            self._let_go(batch, None, is_written=is_written)

    def _let_go(self, batch: Sequence[_Item], problem: Exception | None, *, is_written: bool = True) -> None:
        for _ in batch:
            self._hand.popleft()
            self._times.popleft()
        if is_written:
            self._spool.settle(batch[-1].number)
        release([item.done for item in batch], problem)

    def _commit(self, batch: Sequence[_Item]) -> None:
        arrivals = [item.arrival for item in batch]
        if self._spool.is_empty:
            enter(arrivals, patience=PATIENCE)
            return
        with writing(patience=PATIENCE):
            enter(arrivals, patience=PATIENCE)
            note_written(self._spool.name, batch[-1].number)

    def _enter(self, batch: Sequence[_Item]) -> bool:
        """Write them, however long the database is locked, full or away; until shortly after `stop`. Then they stay in
        the file for the next process; False for those."""
        pause, ends = 0.05, None
        while True:
            try:
                self._commit(batch)
            except Error as problem:
                trouble = trouble_of(problem)
                if trouble is None:
                    raise
                connection.close()
                if is_unconfirmed(problem):
                    return True  # they would count twice
                if not self.is_behind:
                    self.is_behind = True
                    logger.warning("Visits wait to be written, and guests do not wait for them: %s", trouble.detail)
                if self._ending.is_set():
                    ends = ends or time.monotonic() + AT_THE_END
                    if time.monotonic() > ends:
                        return self._keep_all(batch, trouble.detail)
                    time.sleep(pause)
                else:
                    self._ending.wait(pause)
                pause = min(2 * pause, LONGEST_PAUSE)
            else:
                if self.is_behind:
                    self.is_behind = False
                    logger.warning("Visits are written again; %d were lost", self._lost)
                    self._lost = 0
                return True

    def _keep_all(self, batch: Sequence[_Item], why: str) -> bool:
        try:
            for item in batch:
                self._spool.add(item.number, item.arrival)
        except OSError as problem:
            logger.error("%d visits are lost: %s, and %s", len(batch), why, problem)
        else:
            logger.error("%d visits wait in a file for the next start: %s", len(batch), why)
        return False


_running: VisitWriter | None = None


def _enter_elsewhere(arrival: Arrival) -> None:
    try:
        enter([arrival])
    finally:
        close_old_connections()  # nobody else does in this thread
