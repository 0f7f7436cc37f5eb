"""How this project writes to its database: one transaction a write, on SQLite one at a time.

On SQLite every transaction begins IMMEDIATE (a deferred one that turns into a write fails under contention), and the
process's own writers queue for their turn instead of polling the file. On PostgreSQL rows and constraints do the work.
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
    """Call `finisher` with all the keys that were given for it, each once, at the end of the write: when everything
    else is written, in the same transaction. `last` is for what takes a lock that others wait for: it comes after all
    other finishers. Outside of a write it is called at once."""
    pending = _pending.get()
    if pending is None:
        finisher([key])
    else:
        pending[last].setdefault(finisher, {})[key] = None


@contextmanager
def _run_finishers() -> Iterator[None]:
    if _pending.get() is not None:  # the write around it ends with all
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
    """One write transaction.

    Never render, send or wait inside it. Raises a DatabaseError of a failing database within `patience` seconds where
    that is given, else within what `storage.patience` allows.

    `execute_relaxed` answers before the disk has it, or a standby: a process killed loses nothing, a power cut may.
    Only for what may be forgiven, such as the count of a day's calls.
    """
    if connection.in_atomic_block:
        with transaction.atomic(), _run_finishers():
            yield
        return
    here: Any = connections[DEFAULT_DB_ALIAS]  # our own backends have more than Django's
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
    """The rows of one statement, as the database has them; outside of a write it must be one that reads."""
    here: Any = connections[DEFAULT_DB_ALIAS]  # each look through `connection` would find it anew
    found: list[Any] = here.fetch_rows(text, values)
    return found


def execute_relaxed(text: str, values: Sequence[Any], *, patience: float | None = None) -> list[Any]:
    """The rows of one statement that writes, as a `write_transaction(relaxed=True)` of its own: a third of its cost."""
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
    """Read everything as it stands at one moment, however long that takes; nobody who writes waits for it."""
    if connection.in_atomic_block:
        yield
    elif is_sqlite():
        with connection.cursor() as cursor:
            cursor.execute("BEGIN DEFERRED")
            try:
                cursor.execute("SELECT 1 FROM sqlite_master LIMIT 1")  # from here on
                yield
            finally:
                cursor.execute("ROLLBACK")
    else:
        with transaction.atomic():
            with connection.cursor() as cursor:
                cursor.execute("SET TRANSACTION ISOLATION LEVEL REPEATABLE READ, READ ONLY")
            yield


_dry_run: ContextVar[bool] = ContextVar("rehearsing", default=False)


@contextmanager
def dry_run_transaction() -> Iterator[None]:
    """A write transaction that is undone at its end, whatever became of it: for telling what a write would do.

    What is kept outside of the database (files, drawn pages) asks `is_dry_run` and leaves itself as it is."""
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
    """Leave nothing of what was deleted in SQLite's log of writes, as far as nobody is reading; in the file itself each
    deletion writes zeros (`secure_delete`). PostgreSQL sees to it by itself, in its own time."""
    if is_sqlite() and not connection.in_atomic_block:
        with connection.cursor() as cursor:
            cursor.execute("PRAGMA wal_checkpoint(TRUNCATE)")
