"""Django's SQLite backend, in which every write, including sessions and sign-in, waits for the process's write lock."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from functools import lru_cache
from typing import Any

from django.conf import settings
from django.db.backends.sqlite3 import base

from workspace.storage.database import timeouts
from workspace.storage.database.write_lock import WriteLock

write_lock = WriteLock(few=settings.THREADS // 3)
_WRITES = re.compile(r"\s*(?:INSERT|UPDATE|DELETE|REPLACE)\b", re.IGNORECASE)


class Cursor(base.SQLiteCursorWrapper):
    """A cursor that converts the placeholders of each statement only once."""

    def convert_query(self, query: str, *, param_names: Any = None) -> str:
        if param_names is not None:
            return super().convert_query(query, param_names=param_names)
        return _convert_placeholders(query)


@lru_cache(1024)
def _convert_placeholders(query: str) -> str:
    return base.FORMAT_QMARK_REGEX.sub("?", query).replace("%%", "%")


class DatabaseWrapper(base.DatabaseWrapper):
    """Django's SQLite connection with a write lock.

    `patience` is the number of seconds that the next write may wait, or None for the process's timeout. `relaxes` means
    that the next write returns before it is synced to disk. PRAGMA settings are changed only if needed, because each
    change costs as much as a short read.
    """

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.patience: float | None = None
        self.relaxes = False
        self._has_turn = False
        self._is_relaxed = False
        self._wait_seconds = 0.0
        self.execute_wrappers.append(self._execute_in_turn)

    def get_new_connection(self, conn_params: dict[str, Any]) -> Any:
        self._is_relaxed, self._wait_seconds = False, timeouts.read_timeout()
        return super().get_new_connection({**conn_params, "timeout": self._wait_seconds})

    def create_cursor(self, name: str | None = None) -> Any:
        return self.connection.cursor(factory=Cursor)

    def fetch_rows(self, text: str, values: Sequence[Any]) -> list[Any]:
        """See `storage.database.transactions.fetch_rows`.

        With an index, Django's cursors take longer than SQLite itself, so they are used only if queries are logged or
        wrapped.
        """
        if self.queries_logged or len(self.execute_wrappers) > 1:  # one wrapper is our own
            with self.cursor() as cursor:
                cursor.execute(text, values)
                found: list[Any] = cursor.fetchall()
                return found
        if self.connection is None:
            self.ensure_connection()
        self.validate_no_broken_transaction()
        with self.wrap_database_errors:
            answer: list[Any] = self.connection.execute(_convert_placeholders(text), values).fetchall()
            return answer

    def execute_relaxed(self, text: str, values: Sequence[Any]) -> list[Any]:
        """See `storage.database.transactions.execute_relaxed`."""
        self.ensure_connection()
        self._take_turn()
        try:
            self._set_relaxed(True)
            rows = self.fetch_rows(text, values)
            write_lock.mark_started()
            return rows
        finally:
            self._release_turn()
            self._set_reader_timeout()

    def _start_transaction_under_autocommit(self) -> None:
        self._take_turn()
        try:
            self._set_relaxed(self.relaxes)
            super()._start_transaction_under_autocommit()  # type: ignore[misc]
            write_lock.mark_started()
        except BaseException:
            self._release_turn()
            raise
        finally:
            self._set_reader_timeout()

    def _execute_in_turn(
        self, execute: Callable[..., Any], sql: str, params: Any, many: bool, context: dict[str, Any]
    ) -> Any:
        """Execute a statement. If it writes outside of any transaction, take the write lock first."""
        if self._has_turn or self.in_atomic_block or not _WRITES.match(sql):
            return execute(sql, params, many, context)
        self._take_turn()
        try:
            self._set_relaxed(False)
            result = execute(sql, params, many, context)
            write_lock.mark_started()
            return result
        finally:
            self._release_turn()
            self._set_reader_timeout()

    def _take_turn(self) -> None:
        self._release_turn()
        seconds = write_lock.acquire(timeouts.write_timeout() if self.patience is None else self.patience)
        self._has_turn = True
        # up to 0.1 s more does no harm
        if self.connection is not None and not seconds <= self._wait_seconds <= seconds + 0.1:
            self._set_busy_timeout(seconds)

    def _release_turn(self) -> None:
        if self._has_turn:
            self._has_turn = False
            write_lock.release()

    def _set_relaxed(self, relaxed: bool) -> None:
        if self.connection is not None and relaxed is not self._is_relaxed:
            self.connection.execute(f"PRAGMA synchronous={'NORMAL' if relaxed else 'FULL'}")
            self._is_relaxed = relaxed

    def _set_reader_timeout(self) -> None:
        most = timeouts.read_timeout()
        if self.connection is not None and not most / 2 <= self._wait_seconds <= most:
            self._set_busy_timeout(most)

    def _set_busy_timeout(self, seconds: float) -> None:
        self.connection.execute(f"PRAGMA busy_timeout={round(seconds * 1000)}")
        self._wait_seconds = seconds

    # A transaction ends in one of these. The last two release the lock after a transaction that ended with an error.

    def _commit(self) -> None:
        super()._commit()  # type: ignore[misc]
        self._release_turn()

    def _rollback(self) -> None:
        try:
            super()._rollback()  # type: ignore[misc]
        finally:
            self._release_turn()

    def _close(self) -> None:
        try:
            super()._close()  # type: ignore[misc]
        finally:
            self._release_turn()

    def _set_autocommit(self, autocommit: bool) -> None:
        try:
            super()._set_autocommit(autocommit)  # type: ignore[misc]
        finally:
            if autocommit:
                self._release_turn()
