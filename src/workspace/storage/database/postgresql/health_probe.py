"""A look at PostgreSQL over a connection of its own, which nothing else waits for."""

from __future__ import annotations

from typing import Any

import psycopg
from django.db import connection

from workspace.storage.database.availability import DatabaseCondition
from workspace.storage.database.errors import StorageFailure, find_storage_failure

MAX_WAIT_SECONDS = 0.5  # seconds that a well server takes at most
_OWN_PARAMETERS = ("client_encoding", "connect_timeout", "context", "cursor_factory", "prepare_threshold", "autocommit")
_READ_ONLY_QUERY = "SELECT pg_is_in_recovery() OR current_setting('default_transaction_read_only')::boolean"


class _ProbeConnection(psycopg.Connection[Any]):
    def wait(self, gen: Any, interval: float = 0.1, timeout: float | None = None) -> Any:
        return super().wait(gen, interval, MAX_WAIT_SECONDS)


class PostgresqlProbe:
    def __init__(self) -> None:
        self._connection: _ProbeConnection | None = None

    def check(self) -> DatabaseCondition:
        was_there = self._connection is not None
        try:
            return self._query()
        except psycopg.Error as problem:
            is_lost = was_there and self._connection is not None and self._connection.broken
            self.close()
            if not is_lost:
                return _condition_from_error(problem)
        # a connection that was lost is no sign yet; one that cannot be had anew is
        try:
            return self._query()
        except psycopg.Error as problem:
            self.close()
            return _condition_from_error(problem)

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
        return DatabaseCondition(writes=StorageFailure.READ_ONLY if row and row[0] else None)


def _condition_from_error(problem: psycopg.Error) -> DatabaseCondition:
    trouble = find_storage_failure(problem) or StorageFailure.UNREACHABLE
    return DatabaseCondition(trouble, trouble)
