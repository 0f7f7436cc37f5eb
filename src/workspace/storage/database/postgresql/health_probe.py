"""A check of PostgreSQL over a separate connection that nothing else waits for."""

from __future__ import annotations

import time
from typing import Any

import psycopg
from django.db import connection

from workspace.storage.database.availability import DatabaseCondition, has_answered_since
from workspace.storage.database.errors import StorageFailure, find_storage_failure

MAX_WAIT_SECONDS = 0.5  # for the response of a healthy server
_OWN_PARAMETERS = ("client_encoding", "connect_timeout", "context", "cursor_factory", "prepare_threshold", "autocommit")
_READ_ONLY_QUERY = "SELECT pg_is_in_recovery() OR current_setting('default_transaction_read_only')::boolean"


class _ProbeConnection(psycopg.Connection[Any]):
    def wait(self, gen: Any, interval: float = 0.1, timeout: float | None = None) -> Any:
        return super().wait(gen, interval, MAX_WAIT_SECONDS)


class PostgresqlProbe:
    def __init__(self) -> None:
        self._connection: _ProbeConnection | None = None
        self._last_writes: StorageFailure | None = None

    def check(self) -> DatabaseCondition:
        """Return the condition of the database after at most two attempts.

        Behind a pooler, or on a busy machine, the probe may wait too long for its own turn. It therefore reports the
        database as unreachable only if the server has responded to no other statement of this process during the check.
        """
        started_at = time.monotonic()
        had_connection = self._connection is not None
        try:
            return self._query()
        except psycopg.Error as error:
            is_lost = had_connection and self._connection is not None and self._connection.broken
            self.close()
            if not is_lost:
                return self._judge(error, started_at)
        # losing a connection proves nothing yet; failing to open a new one does
        try:
            return self._query()
        except psycopg.Error as error:
            self.close()
            return self._judge(error, started_at)

    def close(self) -> None:
        if self._connection is not None:
            self._connection.close()
            self._connection = None

    def _query(self) -> DatabaseCondition:
        if self._connection is None:
            kept = {
                name: value for name, value in connection.get_connection_params().items() if name not in _OWN_PARAMETERS
            }
            self._connection = _ProbeConnection.connect(autocommit=True, connect_timeout=2, **kept)
        row = self._connection.execute(_READ_ONLY_QUERY).fetchone()
        self._last_writes = StorageFailure.READ_ONLY if row and row[0] else None
        return DatabaseCondition(writes=self._last_writes)

    def _judge(self, error: psycopg.Error, started_at: float) -> DatabaseCondition:
        failure = find_storage_failure(error) or StorageFailure.UNREACHABLE
        if failure is StorageFailure.UNREACHABLE and has_answered_since(started_at):
            return DatabaseCondition(writes=self._last_writes)
        return DatabaseCondition(failure, failure)
