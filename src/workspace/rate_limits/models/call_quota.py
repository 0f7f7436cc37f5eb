"""Daily quota of calls, counted exactly: one statement checks and consumes a call, or a lease of calls.

While the database is not writable, this process counts calls in addition to the stored number, and writes them with
the next call that succeeds. Reads are therefore still answered. The limit can be exceeded only by calls that several
processes count separately.
"""

from __future__ import annotations

import threading
import time
from datetime import date

from django.db import Error, connection, models

from workspace.lib import clock
from workspace.rate_limits import call_leases
from workspace.rate_limits.allowance import Allowance
from workspace.rate_limits.call_leases import LEASE_SIZE, CallLeases
from workspace.storage.database.errors import StorageFailure, find_storage_failure
from workspace.storage.database.transactions import execute_relaxed, write_transaction

WRITE_TIMEOUT_SECONDS = 0.5  # maximum wait for the write, after which the call is counted in memory
RETRY_DELAY_SECONDS = 1.0  # no write is attempted for this long after a failed one
MAX_BUCKETS = 10_000  # maximum number of buckets in memory; they take some megabytes
BATCH_SIZE = 200  # buckets in memory that are written with one call
_NO_LIMIT = 2**31 - 1

# An upsert whose WHERE prevents the update at the limit, and which then returns no row. Parallel calls wait for the
# row.
_CONSUME_SQL = """
INSERT INTO rate_limits_callquota (key, day, used, last_used_at) VALUES (%s, %s, %s, %s)
ON CONFLICT (key) DO UPDATE SET
  used = CASE WHEN rate_limits_callquota.day = excluded.day THEN rate_limits_callquota.used + excluded.used
    ELSE excluded.used END,
  day = excluded.day, last_used_at = excluded.last_used_at
WHERE rate_limits_callquota.day <> excluded.day OR rate_limits_callquota.used < %s
RETURNING used
"""


class CallQuota(models.Model):
    """The bucket of a quota: a key (`key:ID`), or an account with an OAuth client (`oauth:ACCOUNT:CLIENT`)."""

    key = models.CharField(primary_key=True, max_length=200)
    day = models.DateField()
    used = models.PositiveIntegerField()
    last_used_at = models.DateTimeField()

    def __str__(self) -> str:
        return f"{self.key}: {self.used} on {self.day}"

    @classmethod
    def consume(cls, bucket: str, limit: int) -> Allowance:
        """Consume one call in a separate transaction, so that rejected calls are also counted."""
        day = clock.now().date()
        leased = _leases.count_call(bucket, day, limit)
        if leased is not None:
            return _build_allowance(limit, leased)
        if _unwritten.is_paused:
            return cls._count_unwritten(bucket, limit, day)
        owed = _unwritten.take_batch(day)
        try:
            if owed:
                with write_transaction(relaxed=True, patience=WRITE_TIMEOUT_SECONDS):
                    for late, calls in owed.items():
                        _add_calls(late, calls, None)
                owed = {}
            used = _write_call(bucket, day, limit)
        except Error as problem:
            _unwritten.put_back(day, owed)
            if find_storage_failure(problem) is None:
                raise
            _unwritten.pause()
            return cls._count_unwritten(bucket, limit, day)
        return _build_allowance(limit, used)

    @classmethod
    def _count_unwritten(cls, bucket: str, limit: int, day: date) -> Allowance:
        """Consume a call in memory, based on the stored number."""
        written = cls.objects.filter(pk=bucket, day=day).values_list("used", flat=True).first() or 0
        used = _unwritten.add_call(bucket, day, limit - written)
        return _build_allowance(limit, None if used is None else written + used)


def _write_call(bucket: str, day: date, limit: int) -> int | None:
    """Consume a call, and lease more if many remain. Return the calls used today, or None at the limit."""
    rest = _leases.withdraw_rest(bucket, day, limit)
    if rest is not None:
        try:
            used = _add_calls(bucket, LEASE_SIZE - rest, limit - call_leases.MIN_REMAINING + 1)
        except Error:
            _leases.add_calls(bucket, day, limit, 0, rest)
            raise
        if used is not None:
            return _leases.add_calls(bucket, day, limit, used, LEASE_SIZE - 1)
        # other processes have used the calls in the meantime
        _leases.add_calls(bucket, day, limit, limit - call_leases.MIN_REMAINING + 1, rest)
        if rest:
            return _leases.count_call(bucket, day, limit)
    used = _add_calls(bucket, 1, limit)
    return None if used is None else _leases.add_calls(bucket, day, limit, used, 0)


def _add_calls(bucket: str, calls: int, limit: int | None) -> int | None:
    """Add calls. Return the day's number of calls, or None if the limit is reached."""
    moment = clock.now()
    day, stamp = (
        (moment.date().isoformat(), moment.replace(tzinfo=None).isoformat(" "))
        if connection.vendor == "sqlite"
        else (moment.date(), moment)
    )
    rows = execute_relaxed(
        _CONSUME_SQL, [bucket, day, calls, stamp, _NO_LIMIT if limit is None else limit], patience=WRITE_TIMEOUT_SECONDS
    )
    return rows[0][0] if rows else None


def _build_allowance(limit: int, used: int | None) -> Allowance:
    left = 0 if used is None else max(0, limit - used)
    return Allowance(limit, left, clock.seconds_until_midnight(), is_granted=used is not None)


class _CallsInMemory:
    """The calls of one day, by bucket, that are not written yet."""

    def __init__(self) -> None:
        self._guard = threading.Lock()
        self._day: date | None = None
        self._calls: dict[str, int] = {}
        self._paused_until = 0.0

    @property
    def is_paused(self) -> bool:
        """True if a write has just failed. The next calls then do not wait for a write."""
        return time.monotonic() < self._paused_until

    def pause(self) -> None:
        self._paused_until = time.monotonic() + RETRY_DELAY_SECONDS

    def add_call(self, bucket: str, day: date, remaining: int) -> int | None:
        """Count a call against the bucket. Return the number of its unwritten calls, or None if `remaining` is used up.

        Raise UnavailableError if there are too many buckets in memory.
        """
        with self._guard:
            self._reset_on_new_day(day)
            owed = self._calls.get(bucket, 0)
            if owed >= remaining:
                return None
            if not owed and len(self._calls) >= MAX_BUCKETS:
                raise StorageFailure.LOCKED.to_error()
            self._calls[bucket] = owed + 1
            return owed + 1

    def take_batch(self, day: date) -> dict[str, int]:
        """Remove and return a batch of unwritten calls."""
        if not self._calls:
            return {}
        with self._guard:
            self._reset_on_new_day(day)
            return {bucket: self._calls.pop(bucket) for bucket in list(self._calls)[:BATCH_SIZE]}

    def put_back(self, day: date, calls: dict[str, int]) -> None:
        with self._guard:
            self._reset_on_new_day(day)
            for bucket, owed in calls.items():
                self._calls[bucket] = self._calls.get(bucket, 0) + owed

    def _reset_on_new_day(self, day: date) -> None:
        if day != self._day:  # yesterday's calls no longer count
            self._day, self._calls = day, {}


_unwritten = _CallsInMemory()
_leases = CallLeases()
