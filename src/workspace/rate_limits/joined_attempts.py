"""Attempts that are counted in the transaction of the write that they cause, so that a post needs one commit.

    with join_attempts():                                  # around the request
        if not consume("booking", request, item=page.pk, joins_write=True):
            …                                              # answer 429; nothing is written
        with write_transaction():
            count_joined_attempts()                        # exact: raises if parallel attempts have used the limit
            …
        forget_counted_attempts()

An attempt that is rolled back or causes no write is counted at the end of `join_attempts`.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass
from datetime import datetime

from django.db import connection

from workspace.storage.database.transactions import execute_relaxed, fetch_rows

_COUNT_SQL = "SELECT count FROM rate_limits_ratecounter WHERE key = %s"
_INCREMENT_SQL = """
INSERT INTO rate_limits_ratecounter (key, count, expires_at) VALUES (%s, 1, %s)
ON CONFLICT (key) DO UPDATE SET count = rate_limits_ratecounter.count + 1 WHERE rate_limits_ratecounter.count < %s
RETURNING count
"""


class TooManyAttemptsError(Exception):
    """Parallel attempts have reached the limit since this one was granted. The transaction must be rolled back."""


@dataclass(frozen=True, slots=True)
class Attempt:
    """An attempt in a window: the key of its counter, the end of the window, and the number of the limit."""

    key: str
    ends: datetime
    most: int

    def read_count(self) -> int:
        """Return the number of attempts counted so far."""
        found = fetch_rows(_COUNT_SQL, [self.key])
        return int(found[0][0]) if found else 0

    def increment(self) -> int | None:
        """Count the attempt, in the caller's transaction if there is one.

        Return the count, or None if the limit is reached.
        """
        values = [self.key, connection.ops.adapt_datetimefield_value(self.ends), self.most]
        rows = execute_relaxed(_INCREMENT_SQL, values)
        return int(rows[0][0]) if rows else None


_joined: ContextVar[list[Attempt] | None] = ContextVar("joined_attempts", default=None)


@contextmanager
def join_attempts() -> Iterator[None]:
    """Let attempts join the next write inside the context. Then count those that no committed write has counted."""
    attempts: list[Attempt] = []
    token = _joined.set(attempts)
    try:
        yield
    finally:
        _joined.reset(token)
        for attempt in attempts:
            attempt.increment()


def add_attempt(attempt: Attempt) -> bool:
    """Let the attempt join the next write. Return False outside `join_attempts`."""
    attempts = _joined.get()
    if attempts is None or connection.in_atomic_block:
        return False
    attempts.append(attempt)
    return True


def count_joined_attempts() -> None:
    """Count the attempts in the caller's transaction. Raise TooManyAttemptsError if any of their limits is reached."""
    for attempt in _joined.get() or ():
        if attempt.increment() is None:
            raise TooManyAttemptsError


def forget_counted_attempts() -> None:
    """Forget the attempts after the commit of the transaction that counted them."""
    if attempts := _joined.get():
        attempts.clear()
