"""A connection to PostgreSQL that does not wait forever.

A server that hangs keeps its sockets open, so neither network timeouts nor the server's own timeouts help. The client
has to measure the time.
"""

from __future__ import annotations

import threading
import time
from collections.abc import Generator
from typing import Any

import psycopg
from django.conf import settings
from psycopg.errors import Diagnostic

from workspace.storage.database import timeouts
from workspace.storage.database.availability import record_answer
from workspace.storage.database.errors import CommitUnconfirmedError
from workspace.storage.database.health_probe import database_probe

PROBE_AFTER_SECONDS = 0.3  # after this, the health probe checks the server
LONG_STATEMENT_SECONDS = 0.5  # from this duration on, a statement counts as waiting
PROGRESS_SECONDS = 0.5  # after a commit, during which the queue for a lock counts as moving
CANCEL_GRACE_SECONDS = 2.0  # beyond its time limit, after which a statement is abandoned and its connection closed
_NOT_READY = 0  # sent to the generator every tenth of a second

# statements that may wait at the same time: fewer than there are threads, so that some threads stay available
_waiting_slots = threading.BoundedSemaphore(settings.THREADS * 2 // 3)
_last_commit_at = 0.0


class DatabaseUnresponsiveError(psycopg.OperationalError):
    """The server does not respond."""


class StandbyUnconfirmedError(DatabaseUnresponsiveError, CommitUnconfirmedError):
    """The server does not respond while it confirms a commit. See CommitUnconfirmedError."""


class WatchedConnection(psycopg.Connection[Any]):
    """A connection with a time limit for its statements.

    While `patience` is set, it is the limit in seconds, except for a commit, which only waits for its confirmation. The
    default limit in a server process is 30 seconds.
    """

    patience: float | None = None
    _is_committing = _is_unconfirmed = False

    def __init__(self, pgconn: Any) -> None:
        super().__init__(pgconn)
        self.add_notice_handler(self._note_unconfirmed)

    def commit(self) -> None:
        global _last_commit_at
        self._is_committing = True
        try:
            super().commit()
            _last_commit_at = time.monotonic()
        finally:
            self._is_committing = False

    @property
    def allowed_seconds(self) -> float:
        """The time limit of the current statement, in seconds."""
        return (
            timeouts.STATEMENT_TIMEOUT_SECONDS
            if self._is_committing
            else self.patience or timeouts.STATEMENT_TIMEOUT_SECONDS
        )

    def wait(self, gen: Any, interval: float = 0.1, timeout: float | None = None) -> Any:
        if timeouts.is_server():
            gen = self._watch(gen)
        result = super().wait(gen, interval, timeout)
        record_answer()
        if self._is_unconfirmed:
            self._is_unconfirmed = False
            raise StandbyUnconfirmedError("the standby has not confirmed the commit")
        return result

    def _note_unconfirmed(self, notice: Diagnostic) -> None:
        # PostgreSQL reports a commit whose wait was cancelled as a success, with a warning
        self._is_unconfirmed = self._is_unconfirmed or notice.source_function == "SyncRepWaitForLSN"

    def _watch(self, gen: Generator[Any, Any, Any]) -> Generator[Any, Any, Any]:
        watch: _StatementWatch | None = None
        try:
            state = next(gen)
            while True:
                ready = yield state
                if ready == _NOT_READY:
                    watch = watch or _StatementWatch(self)
                    watch.check()
                state = gen.send(ready)
        except StopIteration as end:
            return end.value
        finally:
            if watch is not None:
                watch.release()


class _StatementWatch:
    """Watches one statement that takes longer than a tenth of a second."""

    def __init__(self, connection: WatchedConnection) -> None:
        self.connection = connection
        self.started_at = time.monotonic() - 0.1
        self.holds_slot = self.is_cancelled = False

    def check(self) -> None:
        if database_probe.is_away:
            self.connection.pgconn.finish()
            raise DatabaseUnresponsiveError("the database is not responding")
        waited = time.monotonic() - self.started_at
        if waited > PROBE_AFTER_SECONDS:
            database_probe.request_check()
        allowed = self.connection.allowed_seconds
        if not self.is_cancelled and (waited > allowed or (waited > LONG_STATEMENT_SECONDS and not self._can_wait())):
            # the server then reports the error itself, and the connection can still be used
            self.is_cancelled = True
            try:
                self.connection.cancel_safe(timeout=LONG_STATEMENT_SECONDS)
            except psycopg.Error:
                # in the middle of a statement, the connection cannot be used anymore
                self.connection.pgconn.finish()
                raise DatabaseUnresponsiveError("the database did not cancel the query") from None
        if waited > allowed + CANCEL_GRACE_SECONDS:
            self.connection.pgconn.finish()
            raise DatabaseUnresponsiveError("the database did not cancel the query")

    def release(self) -> None:
        if self.holds_slot:
            _waiting_slots.release()

    def _can_wait(self) -> bool:
        """Return whether the statement may wait longer.

        While transactions of this process commit, its writes are probably waiting for one another, and need no slot. If
        all threads waited for a lock held by someone else, no transaction would commit.
        """
        if time.monotonic() - _last_commit_at < PROGRESS_SECONDS:
            return True
        self.holds_slot = self.holds_slot or _waiting_slots.acquire(blocking=False)
        return self.holds_slot
