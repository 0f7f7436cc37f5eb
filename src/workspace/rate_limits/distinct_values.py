"""Limits on the number of distinct values, such as names, that a visitor can look up.

The number of searches is not limited.
"""

from __future__ import annotations

from collections.abc import Callable
from datetime import datetime
from hashlib import blake2b
from threading import Lock

from django.db import DatabaseError, InterfaceError, connection

from workspace.lib import clock
from workspace.rate_limits.models import RateCounter
from workspace.storage.database.errors import find_storage_failure
from workspace.storage.database.transactions import write_transaction

LOCK_TIMEOUT_SECONDS = 1.0  # maximum wait for the database before counting in memory
MAX_VISITORS = 10_000  # maximum number of visitors counted in memory

_INSERT = """
INSERT INTO rate_limits_ratecounter (key, count, expires_at) VALUES (%s, 1, %s)
ON CONFLICT (key) DO NOTHING RETURNING key
"""
_ADD = """
INSERT INTO rate_limits_ratecounter (key, count, expires_at) VALUES (%s, %s, %s)
ON CONFLICT (key) DO UPDATE SET count = rate_limits_ratecounter.count + %s
WHERE rate_limits_ratecounter.count + %s <= %s
RETURNING count
"""


class _LimitReachedError(Exception):
    """The count would exceed the limit, and is rolled back."""


def count_values(
    compute_key: Callable[[], str], visitor: str, values: list[str], limit: int, ends: datetime
) -> int | None:
    """Count the values that are new for a visitor. Return the visitor's total, or None if the limit is reached.

    `compute_key` returns the key of the window, and may write the day's salt. `visitor` is a hash that needs no salt.
    The count is exact even with parallel calls. While the database cannot be written to, this process counts in memory.
    """
    if not values:
        return 0
    if len(values) > limit:
        return None
    try:
        return _count_values(compute_key(), values, limit, ends)
    except (DatabaseError, InterfaceError) as error:
        if find_storage_failure(error) is None:
            raise
        return _MEMORY.count_values(visitor, values, limit, ends)


def _count_values(total: str, values: list[str], limit: int, ends: datetime) -> int | None:
    keys = sorted(blake2b(f"{total}\0{value}".encode(), digest_size=16).hexdigest() for value in values)
    known = dict(RateCounter.objects.filter(key__in=[total, *keys]).values_list("key", "count"))
    new = [key for key in keys if key not in known]
    if not new or known.get(total, 0) + len(new) > limit:
        return None if new else known.get(total, 0)
    expires = connection.ops.adapt_datetimefield_value(ends)
    try:
        with write_transaction(relaxed=True, patience=LOCK_TIMEOUT_SECONDS), connection.cursor() as cursor:
            added = 0
            for key in new:
                cursor.execute(_INSERT, [key, expires])
                added += cursor.fetchone() is not None
            if not added:
                return known.get(total, 0)
            cursor.execute(_ADD, [total, added, expires, added, added, limit])
            row = cursor.fetchone()
            if row is None:
                raise _LimitReachedError
            return int(row[0])
    except _LimitReachedError:
        return None


class _Memory:
    """The counters of one process. Only hashes of addresses are stored, and only until the window ends."""

    def __init__(self) -> None:
        self.lock = Lock()
        self.seen: dict[tuple[str, datetime], set[str]] = {}

    def count_values(self, visitor: str, values: list[str], limit: int, ends: datetime) -> int | None:
        key = visitor, ends
        with self.lock:
            if key not in self.seen:
                for old in [one for one in self.seen if one[1] <= clock.now()]:
                    del self.seen[old]
            seen = self.seen.get(key, set())
            both = seen | set(values)
            if len(both) > limit or (key not in self.seen and len(self.seen) >= MAX_VISITORS):
                return len(seen) if both == seen else None
            self.seen[key] = both
            return len(both)


_MEMORY = _Memory()
