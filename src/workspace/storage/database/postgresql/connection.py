"""A connection to PostgreSQL that does not wait for ever. A server that hangs still holds its sockets open, so neither
the network's timeouts nor the server's own help: the client has to look at the clock."""

from __future__ import annotations

import threading
import time
from collections.abc import Generator
from typing import Any

import psycopg
from django.conf import settings
from psycopg.errors import Diagnostic

from workspace.storage.database import timeouts
from workspace.storage.database.errors import Unconfirmed
from workspace.storage.database.health_probe import pulse

SOON = 0.3  # seconds after which one begins to wonder whether the server is there
LONG = 0.5  # seconds from which a statement counts as waiting
UNHEARD = 2.0  # seconds beyond its time after which a statement is given up, with its connection
_NOT_READY = 0  # what the generator is sent when a tenth of a second has passed

# statements that may wait at a time: fewer than there are threads, so that some are left for the others
_waiting = threading.BoundedSemaphore(settings.THREADS * 2 // 3)


class NoAnswer(psycopg.OperationalError):
    """The server does not answer."""


class NotConfirmed(NoAnswer, Unconfirmed):
    """See Unconfirmed."""


class Watched(psycopg.Connection[Any]):
    """`patience`: seconds for each statement, while it is set, but for a commit: what is done then only waits to be
    confirmed. A statement of a server's process has 30."""

    patience: float | None = None
    _is_committing = _is_unconfirmed = False

    def __init__(self, pgconn: Any) -> None:
        super().__init__(pgconn)
        self.add_notice_handler(self._heed)

    def commit(self) -> None:
        self._is_committing = True
        try:
            super().commit()
        finally:
            self._is_committing = False

    @property
    def allowed(self) -> float:
        """Seconds for what runs now."""
        return timeouts.STATEMENT if self._is_committing else self.patience or timeouts.STATEMENT

    def wait(self, gen: Any, interval: float = 0.1, timeout: float | None = None) -> Any:
        if timeouts.serving():
            gen = self._watch(gen)
        result = super().wait(gen, interval, timeout)
        if self._is_unconfirmed:
            self._is_unconfirmed = False
            raise NotConfirmed("the standby has not confirmed the commit")
        return result

    def _heed(self, notice: Diagnostic) -> None:
        # PostgreSQL calls a commit whose wait was cancelled a success, with a warning
        self._is_unconfirmed = self._is_unconfirmed or notice.source_function == "SyncRepWaitForLSN"

    def _watch(self, gen: Generator[Any, Any, Any]) -> Generator[Any, Any, Any]:
        watch: _Watch | None = None
        try:
            state = next(gen)
            while True:
                ready = yield state
                if ready == _NOT_READY:
                    watch = watch or _Watch(self)
                    watch.look()
                state = gen.send(ready)
        except StopIteration as end:
            return end.value
        finally:
            if watch is not None:
                watch.end()


class _Watch:
    """Over one statement that takes longer than a tenth of a second."""

    def __init__(self, connection: Watched) -> None:
        self.connection = connection
        self.began = time.monotonic() - 0.1
        self.counts = self.cancelled = False

    def look(self) -> None:
        if pulse.away:
            self.connection.pgconn.finish()
            raise NoAnswer("the database does not answer")
        waited = time.monotonic() - self.began
        if waited > SOON:
            pulse.ask()
        allowed = self.connection.allowed
        if not self.cancelled and (waited > allowed or (waited > LONG and not self._may_wait())):
            # the server then says so itself, and the connection stays good
            self.cancelled = True
            try:
                self.connection.cancel_safe(timeout=LONG)
            except psycopg.Error:
                # in the middle of a statement it is of no use to anybody
                self.connection.pgconn.finish()
                raise NoAnswer("the database does not even cancel") from None
        if waited > allowed + UNHEARD:
            self.connection.pgconn.finish()
            raise NoAnswer("the database does not even cancel")

    def end(self) -> None:
        if self.counts:
            _waiting.release()

    def _may_wait(self) -> bool:
        self.counts = self.counts or _waiting.acquire(blocking=False)
        return self.counts
