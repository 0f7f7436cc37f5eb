"""Write transactions: one per write, and on SQLite only one at a time.

On SQLite, every transaction is IMMEDIATE, because a deferred one that starts to write fails under contention. The
writers of the process queue for a lock and do not poll the file. PostgreSQL relies on row locks and constraints.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from contextvars import ContextVar
from typing import Any

from django.db import DEFAULT_DB_ALIAS, connection, connections, transaction

from workspace.storage.database import availability


def is_sqlite() -> bool:
    return connection.vendor == "sqlite"


Finisher = Callable[[Sequence[Any]], None]
_Pending = tuple[dict[Finisher, dict[Any, None]], dict[Finisher, dict[Any, None]]]
_pending: ContextVar[_Pending | None] = ContextVar("pending", default=None)


def run_at_end(finisher: Finisher, key: Any, *, last: bool = False) -> None:
    """Call `finisher` once with all of its keys, without duplicates, at the end of the write transaction.

    It runs after everything else is written. `last` is for functions that take a lock for which others may wait. They
    run after all other finishers. Outside of a write, the function is called immediately.
    """
    pending = _pending.get()
    if pending is None:
        finisher([key])
    else:
        pending[last].setdefault(finisher, {})[key] = None


@contextmanager
def _run_finishers() -> Iterator[None]:
    if _pending.get() is not None:  # the outer transaction runs them at its end
        yield
        return
    pending: _Pending = ({}, {})
    token = _pending.set(pending)
    try:
        yield
    finally:
        _pending.reset(token)
    if not transaction.get_rollback():
        for finishers in pending:
            for finisher, keys in finishers.items():
                finisher(list(keys))


@contextmanager
def write_transaction(*, relaxed: bool = False, patience: float | None = None) -> Iterator[None]:
    """Run a write transaction.

    Never render, send or wait inside it. If the database fails, a DatabaseError is raised within `patience` seconds, or
    within the limits in `storage.database.timeouts`.

    With `relaxed`, the commit returns before the data is on disk or on a standby. If the process is killed, nothing is
    lost, but a power failure may lose data. Use it only for data that may be lost, such as the count of a day's calls.
    """
    if connection.in_atomic_block:
        with transaction.atomic(), _run_finishers():
            yield
        return
    here: Any = connections[DEFAULT_DB_ALIAS]  # our backends have more methods than Django's
    here.ensure_connection()
    here.patience, here.relaxes = patience, relaxed
    try:
        with availability.track_writes(), transaction.atomic(), _run_finishers():
            if relaxed and not is_sqlite():
                here.connection.execute("SET LOCAL synchronous_commit TO off")
            yield
    finally:
        here.patience, here.relaxes = None, False


def fetch_rows(text: str, values: Sequence[Any]) -> list[Any]:
    """Return the unconverted rows of one statement. Outside of a write transaction, it must be a read."""
    here: Any = connections[DEFAULT_DB_ALIAS]  # each use of `connection` would look it up again
    found: list[Any] = here.fetch_rows(text, values)
    return found


def execute_write(text: str, values: Sequence[Any]) -> list[Any]:
    """Run a writing statement, even outside of a write transaction, and return its unconverted rows."""
    here: Any = connections[DEFAULT_DB_ALIAS]
    if here.in_atomic_block:
        found: list[Any] = here.fetch_rows(text, values)
        return found
    with here.cursor() as cursor:
        cursor.execute(text, values)
        return cursor.fetchall() if cursor.description else []


def execute_relaxed(text: str, values: Sequence[Any], *, patience: float | None = None) -> list[Any]:
    """Run a writing statement as `write_transaction(relaxed=True)` does, at a third of the cost. Return its rows."""
    here: Any = connections[DEFAULT_DB_ALIAS]
    if here.in_atomic_block:
        return fetch_rows(text, values)
    here.patience = patience
    try:
        with availability.track_writes():
            found: list[Any] = here.execute_relaxed(text, values)
            return found
    finally:
        here.patience = None


@contextmanager
def read_snapshot() -> Iterator[None]:
    """Read everything as of a single moment, for any length of time, without blocking writers."""
    if connection.in_atomic_block:
        yield
    elif is_sqlite():
        with connection.cursor() as cursor:
            cursor.execute("BEGIN DEFERRED")
            try:
                cursor.execute("SELECT 1 FROM sqlite_master LIMIT 1")  # starts the snapshot
                yield
            finally:
                cursor.execute("ROLLBACK")
    else:
        with transaction.atomic():
            with connection.cursor() as cursor:
                cursor.execute("SET TRANSACTION ISOLATION LEVEL REPEATABLE READ, READ ONLY")
            yield


_dry_run: ContextVar[bool] = ContextVar("dry_run", default=False)


@contextmanager
def dry_run_transaction() -> Iterator[None]:
    """Run a write transaction that is always rolled back, to show what a write would do.

    Code that stores data outside of the database (files, cached pages) checks `is_dry_run` and changes nothing.
    """
    with write_transaction():
        token = _dry_run.set(True)
        try:
            yield
        finally:
            _dry_run.reset(token)
            transaction.set_rollback(True)


def is_dry_run() -> bool:
    return _dry_run.get()


def truncate_write_log() -> None:
    """Remove deleted data from SQLite's write-ahead log, unless a reader still needs it.

    In the database file, deletions write zeros (`secure_delete`). PostgreSQL later removes deleted data on its own.
    """
    if is_sqlite() and not connection.in_atomic_block:
        with connection.cursor() as cursor:
            cursor.execute("PRAGMA wal_checkpoint(TRUNCATE)")
