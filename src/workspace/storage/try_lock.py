"""A lock on a name that is either had at once or not at all: for telling a caller that the same request is in flight.

It is held by a running transaction and by nothing stored, so a killed process leaves none behind.
"""

from __future__ import annotations

import hashlib
import threading
from collections.abc import Iterator
from contextlib import contextmanager

from django.db import connection

_guard = threading.Lock()
_held: set[str] = set()


@contextmanager
def try_lock(name: str) -> Iterator[bool]:
    """Yields whether the lock was had; it is given back at the end. On PostgreSQL it spans processes
    (an advisory lock of the session), on SQLite one server process holds them all."""
    if connection.vendor == "postgresql":
        number = _number(name)
        with connection.cursor() as cursor:
            cursor.execute("SELECT pg_try_advisory_lock(%s)", [number])
            had = bool(cursor.fetchone()[0])
        try:
            yield had
        finally:
            if had:
                with connection.cursor() as cursor:
                    cursor.execute("SELECT pg_advisory_unlock(%s)", [number])
        return
    with _guard:
        had = name not in _held
        if had:
            _held.add(name)
    try:
        yield had
    finally:
        if had:
            with _guard:
                _held.discard(name)


@contextmanager
def lock(name: str) -> Iterator[None]:
    """Waits until nobody else holds it. For commands: SQLite has one process, which does one thing at a time."""
    if connection.vendor != "postgresql":
        yield
        return
    with connection.cursor() as cursor:
        cursor.execute("SELECT pg_advisory_lock(%s)", [_number(name)])
    try:
        yield
    finally:
        with connection.cursor() as cursor:
            cursor.execute("SELECT pg_advisory_unlock(%s)", [_number(name)])


def _number(name: str) -> int:
    return int.from_bytes(hashlib.sha256(name.encode()).digest()[:8], "big", signed=True)
