"""A lock on a name that is either had at once or not at all: for telling a caller that the same request is in flight.

It is held by a running transaction and by nothing stored, so a killed process leaves none behind, and a pooler that
hands connections on after each transaction hands no lock on with them.
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
    """A write transaction that nobody else is in under this name.

    Yields whether that is so; where it is not, nothing may be written. On PostgreSQL it spans processes, on SQLite one
    server process holds them all."""
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
        else:  # at once, without waiting for the turn to write
            yield False
    finally:
        if had:
            with _guard:
                _held_names.discard(name)


@contextmanager
def hold_lock(name: str) -> Iterator[None]:
    """Waits until nobody else holds it.

    For commands: SQLite has one process, which does one thing at a time. A connection of its own holds it, since what
    is done under it may be many transactions."""
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
