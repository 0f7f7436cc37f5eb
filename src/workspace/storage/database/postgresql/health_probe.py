"""A look at PostgreSQL over a connection of its own, which nothing else waits for."""

from __future__ import annotations

from typing import Any

import psycopg
from django.db import connection

from workspace.storage.database.availability import Condition
from workspace.storage.database.errors import Trouble, trouble_of

LONGEST = 0.5  # seconds that a well server takes at most
_OURS = ("client_encoding", "connect_timeout", "context", "cursor_factory", "prepare_threshold", "autocommit")
_ASKED = "SELECT pg_is_in_recovery() OR current_setting('default_transaction_read_only')::boolean"


class _Brief(psycopg.Connection[Any]):
    def wait(self, gen: Any, interval: float = 0.1, timeout: float | None = None) -> Any:
        return super().wait(gen, interval, LONGEST)


class PostgresqlLooker:
    def __init__(self) -> None:
        self._connection: _Brief | None = None

    def look(self) -> Condition:
        was_there = self._connection is not None
        try:
            return self._ask()
        except psycopg.Error as problem:
            is_lost = was_there and self._connection is not None and self._connection.broken
            self.close()
            if not is_lost:
                return _failing(problem)
        # a connection that was lost is no sign yet; one that cannot be had anew is
        try:
            return self._ask()
        except psycopg.Error as problem:
            self.close()
            return _failing(problem)

    def close(self) -> None:
        if self._connection is not None:
            self._connection.close()
            self._connection = None

    def _ask(self) -> Condition:
        if self._connection is None:
            kept = {name: value for name, value in connection.get_connection_params().items() if name not in _OURS}
            self._connection = _Brief.connect(autocommit=True, connect_timeout=2, **kept)
        row = self._connection.execute(_ASKED).fetchone()
        return Condition(writes=Trouble.READ_ONLY if row and row[0] else None)


def _failing(problem: psycopg.Error) -> Condition:
    trouble = trouble_of(problem) or Trouble.AWAY
    return Condition(trouble, trouble)
