"""A thread that repeatedly runs one kind of work.

The server runs the outbox and the jobs in separate threads, so that neither waits for the other."""

from __future__ import annotations

import logging
import signal
import threading
import time
from collections.abc import Callable
from datetime import timedelta
from typing import TypeVar

from django.db import Error, close_old_connections, connection, connections
from django.db.models import QuerySet

from workspace.delivery.models import AddressBook, Calendar
from workspace.lib import clock
from workspace.lib.service_thread import ServiceThread
from workspace.storage.database.errors import find_storage_failure
from workspace.storage.database.transactions import write_transaction

logger = logging.getLogger(__name__)

Row = TypeVar("Row", Calendar, AddressBook)

MAX_RETRY_DELAY_SECONDS = 1.0  # between two attempts to save a result
SHUTDOWN_TIMEOUT_SECONDS = 5.0  # for further attempts after the thread was asked to stop


class WorkerThread:
    """A worker thread.

    `name` is the name of its thread. `wake` is set when there may be work. `poll` is the number of seconds between
    checks while it is not set.
    """

    def __init__(self, name: str, wake: threading.Event, poll: float) -> None:
        self.name, self.wake, self.poll = name, wake, poll
        self._stopping = threading.Event()
        self._thread: ServiceThread | None = None

    def run_once(self) -> bool:
        """Do the work that is due. Return whether more work may already be due."""
        raise NotImplementedError

    def save_with_retry(self, save: Callable[[], bool]) -> bool:
        """Save a result and retry until it succeeds.

        A delivery that was sent but not saved would be sent again. No other work is started until the result is saved.
        """
        pause, ends = 0.1, None
        while True:
            try:
                return save()
            except Error as problem:
                if find_storage_failure(problem) is None:
                    raise
                connection.close()
                if not self._stopping.wait(pause):
                    pause = min(2 * pause, MAX_RETRY_DELAY_SECONDS)
                    continue
                ends = ends or time.monotonic() + SHUTDOWN_TIMEOUT_SECONDS
                if time.monotonic() > ends:
                    raise
                time.sleep(pause)

    def start(self) -> None:
        """Run the worker in a thread until `stop`. A second start is ignored."""
        if self._thread is None:
            self._stopping.clear()
            self._thread = ServiceThread(self.name, self._run, self._stopping)
            self._thread.start()

    def stop(self, timeout: float = 30.0) -> None:
        """Finish the current work, release the rest and end the thread."""
        self._stopping.set()
        self.wake.set()
        if self._thread is not None:
            self._thread.join(timeout)
            self._thread = None

    def _run(self) -> None:
        try:
            while not self._stopping.is_set():
                # cleared first, so that a commit from here on wakes the wait below
                self.wake.clear()
                if not self._run_safely() and not self._stopping.is_set():
                    self.wake.wait(self.poll)
        finally:
            connections.close_all()

    def _run_safely(self) -> bool:
        """Run once without raising, because a temporary database failure must not end the thread."""
        try:
            close_old_connections()
            return self.run_once()
        except Exception as problem:
            # a failing database is logged once, where it is detected
            if find_storage_failure(problem) is None:
                logger.exception("The worker %s failed and continues", self.name)
            return False
        finally:
            close_old_connections()


def claim_due(rows: QuerySet[Row], limit: int, lease: timedelta) -> list[Row]:
    """Claim up to `limit` due rows, starting with those that have been due longest.

    The `next_at` of each claimed row is moved ahead by `lease`, so that no other worker takes it.
    """
    now, taken = clock.now(), []
    for one in rows.filter(next_at__lte=now).order_by("next_at")[:limit]:
        with write_transaction(relaxed=True):
            if rows.model._default_manager.filter(pk=one.pk, next_at=one.next_at).update(next_at=now + lease):
                taken.append(one)
    return taken


def run_forever(*lanes: WorkerThread) -> None:
    """Run the workers until SIGTERM or SIGINT. Call it in the main thread of a process."""
    ends = {signal.SIGTERM, signal.SIGINT}
    # blocked before the threads start, because they inherit it; a handler that sets an event could deadlock
    before = signal.pthread_sigmask(signal.SIG_BLOCK, ends)
    try:
        for lane in lanes:
            lane.start()
        signal.sigwait(ends)
        for lane in lanes:
            lane.stop()
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)
