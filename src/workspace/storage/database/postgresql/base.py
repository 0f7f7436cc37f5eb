"""Django's PostgreSQL, over connections that do not wait for ever."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from django.db.backends.postgresql import base
from psycopg_pool import PoolTimeout

from workspace.storage.database import timeouts
from workspace.storage.database.health_probe import pulse
from workspace.storage.database.postgresql.connection import NoAnswer, Watched

TURN = 0.3  # seconds of waiting for a connection between two looks at the pulse


class DatabaseWrapper(base.DatabaseWrapper):
    """`patience`: seconds that each statement may take, for as long as it is set."""

    _patience: float | None = None

    @property
    def pool(self) -> Any:
        options = self.settings_dict["OPTIONS"].get("pool")
        if isinstance(options, dict):
            options.setdefault("connection_class", Watched)
            if timeouts.serving():
                options["timeout"] = TURN
        return super().pool

    @property
    def patience(self) -> float | None:
        return self._patience

    @patience.setter
    def patience(self, seconds: float | None) -> None:
        self._patience = seconds
        if isinstance(self.connection, Watched):
            self.connection.patience = seconds

    def rows(self, text: str, values: Sequence[Any]) -> list[Any]:
        """See `storage.database.rows`."""
        with self.cursor() as cursor:
            cursor.execute(text, values)
            found: list[Any] = cursor.fetchall()
            return found

    def relaxed(self, text: str, values: Sequence[Any]) -> list[Any]:
        """See `storage.database.relaxed`. Statements that are sent together are one transaction, and one way there and
        back."""
        with self.cursor() as cursor:
            cursor.execute(f"SET LOCAL synchronous_commit TO off; {text}", values)
            cursor.nextset()
            rows: list[Any] = cursor.fetchall()
            return rows

    def get_new_connection(self, conn_params: dict[str, Any]) -> Any:
        if not timeouts.serving() or self.pool is None:
            return super().get_new_connection(conn_params)
        for _ in range(round(timeouts.WRITES / TURN)):
            if pulse.away:
                raise NoAnswer("the database does not answer")
            try:
                return super().get_new_connection(conn_params)
            except PoolTimeout:
                pulse.ask()
        raise NoAnswer("no connection could be had in time")

    def _configure_connection(self, connection: Any) -> bool:
        configured: bool = super()._configure_connection(connection)  # type: ignore[misc]
        if not timeouts.serving():
            return configured
        connection.execute(f"SET lock_timeout = {round(timeouts.WRITES * 1000)}")
        return True
