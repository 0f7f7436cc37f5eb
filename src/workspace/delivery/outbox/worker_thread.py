"""A lane is a thread that takes one kind of work after another, turn by turn. The server runs the outbox and the jobs
each in a lane of its own, so that neither waits for the other."""

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

MAX_RETRY_DELAY_SECONDS = 1.0  # seconds between two tries to note what became of a delivery
SHUTDOWN_TIMEOUT_SECONDS = 5.0  # seconds of trying once the lane is to end


class WorkerThread:
    """`name` of its thread; `wake` is set when there may be work; `poll`: seconds between looks when nothing sets
    it."""

    def __init__(self, name: str, wake: threading.Event, poll: float) -> None:
        self.name, self.wake, self.poll = name, wake, poll
        self._stopping = threading.Event()
        self._thread: ServiceThread | None = None

    def run_once(self) -> bool:
        """Do what is due; whether there may be more to do at once."""
        raise NotImplementedError

    def save_with_retry(self, settle: Callable[[], bool]) -> bool:
        """Write what became of a delivery, however long that takes: one that has left and is not noted would leave
        again. Nothing else is taken meanwhile."""
        pause, ends = 0.1, None
        while True:
            try:
                return settle()
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
        """Work in a thread until `stop`. A second start is ignored."""
        if self._thread is None:
            self._stopping.clear()
            self._thread = ServiceThread(self.name, self._run, self._stopping)
            self._thread.start()

    def stop(self, timeout: float = 30.0) -> None:
        """Finish what is in hand, give the rest back, and end the thread."""
        self._stopping.set()
        self.wake.set()
        if self._thread is not None:
            self._thread.join(timeout)
            self._thread = None

    def _run(self) -> None:
        try:
            while not self._stopping.is_set():
                # cleared first: what commits from here on wakes the wait below
                self.wake.clear()
                if not self._run_safely() and not self._stopping.is_set():
                    self.wake.wait(self.poll)
        finally:
            connections.close_all()

    def _run_safely(self) -> bool:
        """No exception leaves: a database away for a minute is no reason to end."""
        try:
            close_old_connections()
            return self.run_once()
        except Exception as problem:
            # a failing database is told of once, by those who note it
            if find_storage_failure(problem) is None:
                logger.exception("The worker's lane %s stumbled and goes on", self.name)
            return False
        finally:
            close_old_connections()


def claim_due(rows: QuerySet[Row], most: int, lease: timedelta) -> list[Row]:
    """Claim up to `most` rows whose `next_at` has come, the longest due first. Each claimed row is put off by `lease`,
    so that no other worker takes it."""
    now, taken = clock.now(), []
    for one in rows.filter(next_at__lte=now).order_by("next_at")[:most]:
        with write_transaction(relaxed=True):
            if rows.model._default_manager.filter(pk=one.pk, next_at=one.next_at).update(next_at=now + lease):
                taken.append(one)
    return taken


def run_forever(*lanes: WorkerThread) -> None:
    """Work until SIGTERM or SIGINT; for a process's main thread."""
    ends = {signal.SIGTERM, signal.SIGINT}
    # blocked before the threads start, which inherit it; a handler that sets an event could deadlock
    before = signal.pthread_sigmask(signal.SIG_BLOCK, ends)
    try:
        for lane in lanes:
            lane.start()
        signal.sigwait(ends)
        for lane in lanes:
            lane.stop()
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)
