"""The writer of visits.

One thread of the process writes all queued visits in one commit. A disk that can sync a few hundred commits per second
can then store thousands of visits. `record_visit` returns when its visit is on disk.

While the database cannot be written to, no request waits for it. The writer keeps the visits in order, up to a limit,
and continues to try. If a visit is not in the database yet, it is stored in a file (`visit_spool`) before its guest
gets a response. It then survives the process.
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

from workspace.analytics.ingest import IncomingVisit, write_visits
from workspace.analytics.visit_spool import VisitSpool, record_spool_progress, write_leftover_visits
from workspace.analytics.visit_waiters import Waiter, release_waiters
from workspace.analytics.visitor import Visitor
from workspace.lib import clock
from workspace.lib.service_thread import ServiceThread
from workspace.storage.database.errors import find_storage_failure, is_unconfirmed
from workspace.storage.database.transactions import write_transaction

logger = logging.getLogger(__name__)

MAX_BATCH_SIZE = 500  # visits per commit: more would block other writers for too long
LOCK_TIMEOUT_SECONDS = (
    0.4  # limit for one attempt to start the transaction; after a first timeout no request waits for the writer
)
THREAD_WAIT_SECONDS = 0.5  # how long a thread of the pool waits for its visit, because other requests need the thread
ASYNC_WAIT_SECONDS = 2.5  # how long a request waits if it blocks no thread
MAX_BREAK_SECONDS = 0.25  # between two commits
MIN_BREAK_SECONDS = 0.004  # a shorter break is added to the next one
MAX_RETRY_DELAY = 1.0  # seconds between two attempts
SHUTDOWN_SECONDS = 5.0  # how long the writer tries further after the process was asked to stop


class VisitQueueFullError(Exception):
    """Too many visits are waiting for the writer."""


def record_visit(publication_id: str, event: str, visitor: Visitor, *, part: str = "") -> None:
    """Record a visit.

    It is committed when this returns. If the database cannot be written to, the visit is stored in a file and written
    as soon as possible. Raise VisitQueueFullError, or a DatabaseError if the visit is neither written nor stored.
    """
    arrival = IncomingVisit(publication_id, event, part, clock.now(), visitor)
    writer = _running
    done: Future[None] | None = None if writer is not None and writer.is_behind else Future()
    number = writer.enqueue(arrival, done) if writer is not None else None
    if writer is None or number is None:
        write_visits([arrival])
        return
    if done is not None:
        with suppress(TimeoutError):
            done.result(THREAD_WAIT_SECONDS)
            return
    writer.spool_visit(number, arrival)


async def record_visit_async(publication_id: str, event: str, visitor: Visitor, *, part: str = "") -> None:
    """Record a visit like `record_visit`, on the event loop."""
    arrival = IncomingVisit(publication_id, event, part, clock.now(), visitor)
    writer = _running
    is_behind = writer is not None and writer.is_behind
    done = None if is_behind else asyncio.get_running_loop().create_future()
    number = writer.enqueue(arrival, done) if writer is not None else None
    if writer is None or number is None:
        await sync_to_async(_write_in_thread)(arrival)
        return
    if done is not None:
        await asyncio.wait([done], timeout=ASYNC_WAIT_SECONDS)
        if done.done():
            done.result()
            return
    await asyncio.to_thread(writer.spool_visit, number, arrival)


def count_waiting() -> int:
    """Return the number of visits that are not written yet."""
    return 0 if _running is None else _running.waiting_count


def oldest_wait_seconds() -> float:
    """Return how many seconds the oldest waiting visit has waited, or 0."""
    return 0.0 if _running is None else _running.oldest_wait_seconds


@dataclass(frozen=True, slots=True)
class _QueuedVisit:
    """A waiting visit. `number` is consecutive, and `queued_at` is a monotonic time."""

    number: int
    queued_at: float
    arrival: IncomingVisit
    done: Waiter


class VisitWriter:
    """The visit writer of a process, which is a service of the server.

    Call `start` once. `stop` writes the queued visits and ends the thread. `capacity` is the maximum number of waiting
    visits.
    """

    def __init__(self, *, capacity: int = 50_000) -> None:
        self.capacity = capacity
        self.is_behind = False  # whether the last attempt to write to the database failed
        self._number = self._lost = 0
        self._ending = threading.Event()
        self._queue: SimpleQueue[_QueuedVisit | None] = SimpleQueue()
        self._in_progress: deque[_QueuedVisit] = deque()  # taken from the queue, and not written yet
        self._times: deque[float] = deque()  # arrival times of the waiting visits
        self._spool = VisitSpool()
        self._guard = threading.Lock()
        self._open = self._has_last = False
        self._thread: ServiceThread | None = None

    def start(self) -> None:
        global _running
        self._ending.clear()
        self._open, self._has_last = True, False
        self._thread = ServiceThread("visit writer", self._run, self._ending)
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
    def waiting_count(self) -> int:
        """The number of visits that are not written yet."""
        return len(self._times)

    @property
    def oldest_wait_seconds(self) -> float:
        with suppress(IndexError):
            return time.monotonic() - self._times[0]
        return 0.0

    def enqueue(self, arrival: IncomingVisit, done: Waiter) -> int | None:
        """Queue a visit and return its number, or None if the writer has stopped.

        Raise VisitQueueFullError if too many visits are waiting.
        """
        with self._guard:
            if not self._open:
                return None
            if self._queue.qsize() >= self.capacity:
                self._lost += 1
                if self._lost == 1:  # logged once, not for each visit
                    logger.error("New visits are discarded: %d are still waiting to be written", self.capacity)
                raise VisitQueueFullError(f"{self.capacity} visits are waiting to be written")
            self._number += 1
            came = time.monotonic()
            self._times.append(came)
            self._queue.put(_QueuedVisit(self._number, came, arrival, done))
            return self._number

    def spool_visit(self, number: int, arrival: IncomingVisit) -> None:
        """Store a visit in the spool before the guest gets a response."""
        try:
            self._spool.add(number, arrival)
        except OSError as problem:
            # the guest gets a response anyway, because the visit cannot be stored anywhere
            logger.error("A visit is kept in memory alone, since it cannot be written to a file: %s", problem)

    def _run(self) -> None:
        try:
            write_leftover_visits(MAX_BATCH_SIZE)
            self._write_all()
        except BaseException:
            self.is_behind = True  # no request waits until the thread has restarted
            raise
        finally:
            connection.close()

    def _write_all(self) -> None:
        ended, owed = time.monotonic(), 0.0
        while self._in_progress or not self._has_last:
            if not self._in_progress:  # if not empty, the thread has ended and restarted
                self._fetch_batch()
            began = time.monotonic()
            owed = max(0.0, owed - (began - ended))  # idle time also counts as a break
            close_old_connections()
            self._write_batch(list(self._in_progress))
            ended = time.monotonic()
            # The break is in proportion to the commit, because other processes poll for the lock at intervals. If it
            # were much shorter than the commits, they would always miss it. A single visit is not delayed by it.
            owed = min(MAX_BREAK_SECONDS, owed + (ended - began) / 2)
            if not self._has_last and owed > MIN_BREAK_SECONDS:
                time.sleep(owed)

    def _fetch_batch(self) -> None:
        """Wait for a visit and take all that have arrived by then."""
        item = self._queue.get()
        with suppress(Empty):
            while item is not None:
                self._in_progress.append(item)
                if len(self._in_progress) == MAX_BATCH_SIZE:
                    return
                item = self._queue.get_nowait()
            self._has_last = True

    def _write_batch(self, batch: Sequence[_QueuedVisit]) -> None:
        if not batch:
            return
        try:
            is_written = self._write_with_retries(batch)
        except Exception as problem:
            if len(batch) == 1:
                self._release_batch(batch, problem)
                return
            # a visit that the database rejects must not affect the others
            middle = len(batch) // 2
            self._write_batch(batch[:middle])
            self._write_batch(batch[middle:])
        else:
            self._release_batch(batch, None, is_written=is_written)

    def _release_batch(
        self, batch: Sequence[_QueuedVisit], problem: Exception | None, *, is_written: bool = True
    ) -> None:
        for _ in batch:
            self._in_progress.popleft()
            self._times.popleft()
        if is_written:
            self._spool.mark_written(batch[-1].number)
        release_waiters([item.done for item in batch], problem)

    def _commit_batch(self, batch: Sequence[_QueuedVisit]) -> None:
        arrivals = [item.arrival for item in batch]
        if self._spool.is_empty:
            write_visits(arrivals, patience=LOCK_TIMEOUT_SECONDS)
            return
        with write_transaction(patience=LOCK_TIMEOUT_SECONDS):
            write_visits(arrivals, patience=LOCK_TIMEOUT_SECONDS)
            record_spool_progress(self._spool.name, batch[-1].number)

    def _write_with_retries(self, batch: Sequence[_QueuedVisit]) -> bool:
        """Write visits, retrying while the database is locked, full or unreachable, until shortly after `stop`.

        Return False if they stay in the file for the next process.
        """
        pause, ends = 0.05, None
        while True:
            try:
                self._commit_batch(batch)
            except Error as problem:
                trouble = find_storage_failure(problem)
                if trouble is None:
                    raise
                connection.close()
                if is_unconfirmed(problem):
                    return True  # another try would count them twice
                if not self.is_behind:
                    self.is_behind = True
                    logger.warning("Visits wait to be written; guests are not delayed: %s", trouble.detail)
                if self._ending.is_set():
                    ends = ends or time.monotonic() + SHUTDOWN_SECONDS
                    if time.monotonic() > ends:
                        return self._spool_all(batch, trouble.detail)
                    time.sleep(pause)
                else:
                    self._ending.wait(pause)
                pause = min(2 * pause, MAX_RETRY_DELAY)
            else:
                if self.is_behind:
                    self.is_behind = False
                    logger.warning("Visits are written again; %d were lost", self._lost)
                    self._lost = 0
                return True

    def _spool_all(self, batch: Sequence[_QueuedVisit], reason: str) -> bool:
        try:
            for item in batch:
                self._spool.add(item.number, item.arrival)
        except OSError as problem:
            logger.error("%d visits are lost: %s, and %s", len(batch), reason, problem)
        else:
            logger.error("%d visits wait in a file for the next start: %s", len(batch), reason)
        return False


_running: VisitWriter | None = None


def _write_in_thread(arrival: IncomingVisit) -> None:
    try:
        write_visits([arrival])
    finally:
        close_old_connections()  # no one else does in this thread
