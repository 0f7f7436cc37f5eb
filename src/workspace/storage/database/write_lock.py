"""The turn to write: SQLite lets one writer in at a time, so those of one process queue here, first come, first served,
instead of polling the file (measured: threads polling let the write-ahead log grow to 54 MB).

Who has the turn asks the database to begin. When another process keeps the database locked, nobody here may wait for
long, and only a few at a time, since everybody who waits holds a thread that could answer somebody else. How long the
database has been shut is remembered from one to the next: after the first has waited in vain, the next only look.
"""

from __future__ import annotations

import threading
import time
from collections import deque

from workspace.storage.database.errors import DatabaseTimeoutError

SHUT_AFTER_SECONDS = 0.5  # seconds without a beginning after which the database is taken for shut
PROBE_SECONDS = 0.05  # seconds that a look at a shut database takes


class WriteLock:
    """`acquire`, then `mark_started` once the database has let one in, then `release`, by the same thread.

    `few`: how many may wait while the database is shut."""

    def __init__(self, few: int) -> None:
        self._max_waiting = few
        self._guard = threading.Lock()
        self._waiting: deque[threading.Lock] = deque()
        self._is_taken = False
        self._trying_since: float | None = None  # who has the turn and was not let in yet
        self._shut_since: float | None = None  # since the first who was not let in at all

    def acquire(self, patience: float) -> float:
        """Wait for the turn; returns the seconds that the database may take to begin.

        Raises DatabaseTimeoutError when that would be longer than `patience` seconds."""
        came = time.monotonic()
        with self._guard:
            if not self._is_taken:
                self._is_taken, self._trying_since = True, came
                return self._remaining_seconds(came, patience)
            if self._is_hopeless(len(self._waiting), patience):
                raise DatabaseTimeoutError("The database is locked, and others wait for it already")
            place = threading.Lock()
            place.acquire()
            self._waiting.append(place)
        while not place.acquire(timeout=max(0.0, min(SHUT_AFTER_SECONDS, came + patience - time.monotonic()))):
            if self._leave_queue(place, came, patience):
                raise DatabaseTimeoutError("The database is locked")
        return self._remaining_seconds(came, patience)

    def mark_started(self) -> None:
        """The database has let its caller in."""
        with self._guard:
            self._trying_since = self._shut_since = None

    def release(self) -> None:
        with self._guard:
            if self._trying_since is not None:
                self._shut_since = self._shut_since or self._trying_since
            if self._waiting:
                # not free in between: a newcomer cannot overtake the one who is being woken
                self._trying_since = time.monotonic()
                self._waiting.popleft().release()
            else:
                self._is_taken, self._trying_since = False, None

    @property
    def is_writing(self) -> bool:
        """Whether somebody here is in the middle of a write."""
        with self._guard:
            return self._is_taken and self._trying_since is None

    def _remaining_seconds(self, came: float, patience: float) -> float:
        since = came if self._shut_since is None else min(came, self._shut_since)
        return max(PROBE_SECONDS, since + patience - time.monotonic())

    def _is_hopeless(self, ahead: int, patience: float) -> bool:
        """Whether it makes no sense to stay with so many ahead. A long write of our own is no reason to go."""
        since = self._shut_since or self._trying_since
        shut = 0.0 if self._trying_since is None or since is None else time.monotonic() - since
        return shut > patience or (shut > SHUT_AFTER_SECONDS and ahead >= self._max_waiting)

    def _leave_queue(self, place: threading.Lock, came: float, patience: float) -> bool:
        """Go when there is no more patience or no hope; False for who stays, or was just given the turn."""
        with self._guard:
            if place not in self._waiting:
                return False
            late = time.monotonic() - came >= patience
            if not late and not self._is_hopeless(self._waiting.index(place), patience):
                return False
            self._waiting.remove(place)
            return True
