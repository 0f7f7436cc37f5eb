"""Limit on the number of distinct values, such as names, that one guest can look up.

The number of searches is not limited.
"""

from __future__ import annotations

from collections.abc import Iterable
from hashlib import blake2b
from threading import Lock

from django.db import DatabaseError, InterfaceError, connection
from django.http import HttpRequest

from workspace.analytics.visitor import client_address, compute_digest, truncate_address
from workspace.lib import clock
from workspace.public_site.spam_protection import attempt_key, window_end
from workspace.publishing.models import RateCounter
from workspace.storage.database.errors import find_storage_failure
from workspace.storage.database.transactions import write_transaction

LOCK_TIMEOUT_SECONDS = 1.0  # maximum wait for the database before counting in memory
MAX_VISITORS = 10_000  # maximum number of visitors counted in memory

_INSERT = """
INSERT INTO publishing_ratecounter (key, count, expires_at) VALUES (%s, 1, %s)
ON CONFLICT (key) DO NOTHING RETURNING key
"""
_ADD = """
INSERT INTO publishing_ratecounter (key, count, expires_at) VALUES (%s, %s, %s)
ON CONFLICT (key) DO UPDATE SET count = publishing_ratecounter.count + %s WHERE publishing_ratecounter.count + %s <= %s
RETURNING count
"""


class _LimitReachedError(Exception):
    """The count would exceed the limit, and is rolled back."""


def allow_distinct_lookups(request: HttpRequest, name: str, values: Iterable[str], *, limit: int, window: int) -> bool:
    """Return whether the guest may see all of these values, and count the ones that are new to them.

    A guest can see at most `limit` distinct values of `name` in each window (seconds, at most a day). The count is
    exact under parallel calls. While the database cannot be written, this process counts in memory instead.
    """
    wanted = sorted(set(values))
    if not wanted:
        return True
    if len(wanted) > limit:
        return False
    address = client_address(request)
    try:
        return _count_values(address, name, wanted, limit, window)
    except (DatabaseError, InterfaceError) as error:
        if find_storage_failure(error) is None:
            raise
        return _MEMORY.allow_values(address, name, wanted, limit, window)


def _count_values(address: str, name: str, values: list[str], limit: int, window: int) -> bool:
    total = attempt_key(address, name, window)
    keys = sorted(blake2b(f"{total}\0{value}".encode(), digest_size=16).hexdigest() for value in values)
    known = dict(RateCounter.objects.filter(key__in=[total, *keys]).values_list("key", "count"))
    new = [key for key in keys if key not in known]
    if not new:
        return True
    if known.get(total, 0) + len(new) > limit:
        return False
    ends = connection.ops.adapt_datetimefield_value(window_end(window))
    try:
        with write_transaction(relaxed=True, patience=LOCK_TIMEOUT_SECONDS), connection.cursor() as cursor:
            added = 0
            for key in new:
                cursor.execute(_INSERT, [key, ends])
                added += cursor.fetchone() is not None
            if added:
                cursor.execute(_ADD, [total, added, ends, added, added, limit])
                if cursor.fetchone() is None:
                    raise _LimitReachedError
    except _LimitReachedError:
        return False
    return True


class _Memory:
    """Counters of one process. Only hashes of addresses are stored, and only until the window ends."""

    def __init__(self) -> None:
        self.lock = Lock()
        self.seen: dict[tuple[str, str, int], set[str]] = {}

    def allow_values(self, address: str, name: str, values: list[str], limit: int, window: int) -> bool:
        number = int(clock.now().timestamp()) // window
        key = (compute_digest(truncate_address(address), name), str(window), number)
        with self.lock:
            if key not in self.seen:
                for old in [one for one in self.seen if one[1] == key[1] and one[2] != number]:
                    del self.seen[old]
            seen = self.seen.get(key, set())
            both = seen | set(values)
            if len(both) > limit or (key not in self.seen and len(self.seen) >= MAX_VISITORS):
                return both == seen
            self.seen[key] = both
            return True


_MEMORY = _Memory()
