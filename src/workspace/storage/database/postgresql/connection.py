"""A connection to PostgreSQL that does not wait for ever.

A server that hangs still holds its sockets open, so neither the network's timeouts nor the server's own help: the
client has to look at the clock."""

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

PROBE_AFTER_SECONDS = 0.3  # seconds after which one begins to wonder whether the server is there
LONG_STATEMENT_SECONDS = 0.5  # seconds from which a statement counts as waiting
CANCEL_GRACE_SECONDS = 2.0  # seconds beyond its time after which a statement is given up, with its connection
_NOT_READY = 0  # what the generator is sent when a tenth of a second has passed

# statements that may wait at a time: fewer than there are threads, so that some are left for the others
_waiting_slots = threading.BoundedSemaphore(settings.THREADS * 2 // 3)


class DatabaseUnresponsiveError(psycopg.OperationalError):
    """The server does not answer."""


class StandbyUnconfirmedError(DatabaseUnresponsiveError, CommitUnconfirmedError):
    """See Unconfirmed."""


class WatchedConnection(psycopg.Connection[Any]):
    """`patience`: seconds for each statement, while it is set, but for a commit: what is done then only waits to be
    confirmed. A statement of a server's process has 30."""

    patience: float | None = None
    _is_committing = _is_unconfirmed = False

    def __init__(self, pgconn: Any) -> None:
        super().__init__(pgconn)
        self.add_notice_handler(self._note_unconfirmed)

    def commit(self) -> None:
        self._is_committing = True
        try:
            super().commit()
        finally:
            self._is_committing = False

    @property
    def allowed_seconds(self) -> float:
        """Seconds for what runs now."""
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
        # PostgreSQL calls a commit whose wait was cancelled a success, with a warning
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
    """Over one statement that takes longer than a tenth of a second."""

    def __init__(self, connection: WatchedConnection) -> None:
        self.connection = connection
        self.started_at = time.monotonic() - 0.1
        self.holds_slot = self.is_cancelled = False

    def check(self) -> None:
        if database_probe.is_away:
            self.connection.pgconn.finish()
            raise DatabaseUnresponsiveError("the database does not answer")
        waited = time.monotonic() - self.started_at
        if waited > PROBE_AFTER_SECONDS:
            database_probe.request_check()
        allowed = self.connection.allowed_seconds
        if not self.is_cancelled and (waited > allowed or (waited > LONG_STATEMENT_SECONDS and not self._can_wait())):
            # the server then says so itself, and the connection stays good
            self.is_cancelled = True
            try:
                self.connection.cancel_safe(timeout=LONG_STATEMENT_SECONDS)
            except psycopg.Error:
                # in the middle of a statement it is of no use to anybody
                self.connection.pgconn.finish()
                raise DatabaseUnresponsiveError("the database does not even cancel") from None
        if waited > allowed + CANCEL_GRACE_SECONDS:
            self.connection.pgconn.finish()
            raise DatabaseUnresponsiveError("the database does not even cancel")

    def release(self) -> None:
        if self.holds_slot:
            _waiting_slots.release()

    def _can_wait(self) -> bool:
        self.holds_slot = self.holds_slot or _waiting_slots.acquire(blocking=False)
        return self.holds_slot
