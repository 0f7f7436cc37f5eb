"""The write lock of a process. SQLite allows one writer at a time, so the writers of a process queue here.

They are served in order and do not poll the file. (In a measurement with polling threads, the write-ahead log grew to
54 MB.)

The owner of the lock starts the transaction. If another process keeps the database locked, only a few threads may wait
for a short time, because each waiting thread could serve another request. The lock remembers how long the database has
been locked: after the first writer has timed out, the next ones only probe it.
"""

from __future__ import annotations

import threading
import time
from collections import deque

from workspace.storage.database.errors import DatabaseTimeoutError

SHUT_AFTER_SECONDS = 0.5  # without a started transaction, after which the database counts as locked
PROBE_SECONDS = 0.05  # for a probe of a locked database


class WriteLock:
    """A fair write lock.

    Call `acquire`, then `mark_started` when the transaction has started, then `release`, in the same thread. `few`
    is the maximum number of waiting threads while the database is locked."""

    def __init__(self, few: int) -> None:
        self._max_waiting = few
        self._guard = threading.Lock()
        self._waiting: deque[threading.Lock] = deque()
        self._is_taken = False
        self._trying_since: float | None = None  # when the owner of the lock began trying to start its transaction
        self._shut_since: float | None = None  # when the first owner that could not start one began

    def acquire(self, patience: float) -> float:
        """Wait for the lock. Return how many seconds starting the transaction may take.

        Raise DatabaseTimeoutError if the total would be longer than `patience` seconds.
        """
        came = time.monotonic()
        with self._guard:
            if not self._is_taken:
                self._is_taken, self._trying_since = True, came
                return self._remaining_seconds(came, patience)
            if self._is_hopeless(len(self._waiting), patience):
                raise DatabaseTimeoutError("The database is locked, and other requests are already waiting")
            place = threading.Lock()
            place.acquire()
            self._waiting.append(place)
        while not place.acquire(timeout=max(0.0, min(SHUT_AFTER_SECONDS, came + patience - time.monotonic()))):
            if self._leave_queue(place, came, patience):
                raise DatabaseTimeoutError("The database is locked")
        with self._guard:
            self._trying_since = time.monotonic()
        return self._remaining_seconds(came, patience)

    def mark_started(self) -> None:
        """Record that the caller's transaction has started."""
        with self._guard:
            self._trying_since = self._shut_since = None

    def release(self) -> None:
        with self._guard:
            if self._trying_since is not None:
                self._shut_since = self._shut_since or self._trying_since
            if self._waiting:
                # It stays locked, so that a newcomer cannot overtake the thread that is woken. A busy machine may let
                # that thread run late, which says nothing about the database.
                self._trying_since = None
                self._waiting.popleft().release()
            else:
                self._is_taken, self._trying_since = False, None

    @property
    def is_writing(self) -> bool:
        """True if a write is running in this process."""
        with self._guard:
            return self._is_taken and self._trying_since is None

    def _remaining_seconds(self, arrived_at: float, patience: float) -> float:
        since = arrived_at if self._shut_since is None else min(arrived_at, self._shut_since)
        return max(PROBE_SECONDS, since + patience - time.monotonic())

    def _is_hopeless(self, position: int, patience: float) -> bool:
        """Return whether waiting is useless with this many threads ahead. A long write of our own does not count."""
        since = self._shut_since or self._trying_since
        shut = 0.0 if self._trying_since is None or since is None else time.monotonic() - since
        return shut > patience or (shut > SHUT_AFTER_SECONDS and position >= self._max_waiting)

    def _leave_queue(self, place: threading.Lock, arrived_at: float, patience: float) -> bool:
        """Leave the queue after a timeout or if waiting is useless.

        Return False if the thread stays in the queue, or has just got the lock.
        """
        with self._guard:
            if place not in self._waiting:
                return False
            late = time.monotonic() - arrived_at >= patience
            if not late and not self._is_hopeless(self._waiting.index(place), patience):
                return False
            self._waiting.remove(place)
            return True
