"""A lock on a name that is acquired immediately or not at all, to detect that the same request is already running.

The lock belongs to a running transaction and is not stored. A killed process therefore leaves no lock, and a connection
pooler that reuses connections after each transaction does not pass it on.
"""

from __future__ import annotations

import hashlib
import threading
from collections.abc import Iterator
from contextlib import contextmanager

from django.db import connection

from workspace.storage.database.transactions import write_transaction

_guard = threading.Lock()
_held_names: set[str] = set()


@contextmanager
def exclusive_write_transaction(name: str) -> Iterator[bool]:
    """Run a write transaction with an exclusive lock on a name.

    Yield whether the lock was available. If it was not, nothing may be written. On PostgreSQL, the lock works across
    processes. On SQLite, there is only one server process.
    """
    if connection.vendor == "postgresql":
        with write_transaction(), connection.cursor() as cursor:
            cursor.execute("SELECT pg_try_advisory_xact_lock(%s)", [_lock_number(name)])
            yield bool(cursor.fetchone()[0])
        return
    with _guard:
        had = name not in _held_names
        if had:
            _held_names.add(name)
    try:
        if had:
            with write_transaction():
                yield True
        else:  # immediately, without waiting for the write lock
            yield False
    finally:
        if had:
            with _guard:
                _held_names.discard(name)


@contextmanager
def hold_lock(name: str) -> Iterator[None]:
    """Wait for an exclusive lock and hold it.

    Use it in commands. With SQLite, a single process does one thing at a time, so no lock is needed. With
    PostgreSQL, a separate connection holds the lock, because the work may take many transactions.
    """
    if connection.vendor != "postgresql":
        yield
        return
    holder = connection.copy()
    holder.settings_dict["OPTIONS"] = {
        key: value for key, value in holder.settings_dict["OPTIONS"].items() if key != "pool"
    }
    try:
        holder.set_autocommit(False)
        with holder.cursor() as cursor:
            cursor.execute("SELECT pg_advisory_xact_lock(%s)", [_lock_number(name)])
        yield
    finally:
        holder.close()


def _lock_number(name: str) -> int:
    return int.from_bytes(hashlib.sha256(name.encode()).digest()[:8], "big", signed=True)
