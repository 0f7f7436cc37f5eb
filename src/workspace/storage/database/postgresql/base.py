"""Django's PostgreSQL backend, with connections that do not wait forever."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from django.db.backends.postgresql import base
from psycopg_pool import PoolTimeout

from workspace.storage.database import timeouts
from workspace.storage.database.health_probe import database_probe
from workspace.storage.database.postgresql.connection import DatabaseUnresponsiveError, WatchedConnection

POOL_WAIT_SECONDS = 0.3  # for a connection, between two checks of the health probe's result


class DatabaseWrapper(base.DatabaseWrapper):
    """Django's PostgreSQL connection. `patience` is the number of seconds for each statement, or None."""

    _patience: float | None = None

    @property
    def pool(self) -> Any:
        options = self.settings_dict["OPTIONS"].get("pool")
        if isinstance(options, dict):
            options.setdefault("connection_class", WatchedConnection)
            if timeouts.is_server():
                options["timeout"] = POOL_WAIT_SECONDS
        return super().pool

    @property
    def patience(self) -> float | None:
        return self._patience

    @patience.setter
    def patience(self, seconds: float | None) -> None:
        self._patience = seconds
        if isinstance(self.connection, WatchedConnection):
            self.connection.patience = seconds

    def fetch_rows(self, text: str, values: Sequence[Any]) -> list[Any]:
        """See `storage.database.transactions.fetch_rows`."""
        with self.cursor() as cursor:
            cursor.execute(text, values)
            found: list[Any] = cursor.fetchall() if cursor.description else []
            return found

    def execute_relaxed(self, text: str, values: Sequence[Any]) -> list[Any]:
        """See `storage.database.transactions.execute_relaxed`.

        Statements that are sent together are one transaction and need only one round trip.
        """
        with self.cursor() as cursor:
            cursor.execute(f"SET LOCAL synchronous_commit TO off; {text}", values)
            cursor.nextset()
            rows: list[Any] = cursor.fetchall()
            return rows

    def get_new_connection(self, conn_params: dict[str, Any]) -> Any:
        if not timeouts.is_server() or self.pool is None:
            return super().get_new_connection(conn_params)
        for _ in range(round(timeouts.WRITE_TIMEOUT_SECONDS / POOL_WAIT_SECONDS)):
            if database_probe.is_away:
                raise DatabaseUnresponsiveError("the database is not responding")
            try:
                return super().get_new_connection(conn_params)
            except PoolTimeout:
                database_probe.request_check()
        raise DatabaseUnresponsiveError("no connection was available in time")

    def _configure_connection(self, connection: Any) -> bool:
        configured: bool = super()._configure_connection(connection)  # type: ignore[misc]
        if not timeouts.is_server():
            return configured
        connection.execute(f"SET lock_timeout = {round(timeouts.WRITE_TIMEOUT_SECONDS * 1000)}")
        return True
