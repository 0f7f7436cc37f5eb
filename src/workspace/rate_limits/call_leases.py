"""Leases of calls: a process reserves several calls of a quota with one write, and counts them in memory.

The database counts leased calls as used, so that all processes together never exceed a limit. The unused calls of a
killed process are lost. Near the limit there are therefore no leases, and each call is written. A lease that is used
rarely is renewed after a minute, with the time of the last call. Its unused calls are part of the new one."""

from __future__ import annotations

import threading
from dataclasses import dataclass
from datetime import date, datetime, timedelta

from workspace.lib import clock

LEASE_SIZE = 20  # calls
MIN_REMAINING = 400  # a lease needs at least this many remaining calls of the day
LEASE_DURATION = timedelta(minutes=1)
MAX_LEASES = 10_000  # they take some megabytes of memory


@dataclass(slots=True)
class _Lease:
    """A lease: `used` calls of the day are stored, and this process may still make `left` of them."""

    day: date
    limit: int
    renew_at: datetime
    used: int = 0
    left: int = 0

    @property
    def is_renewable(self) -> bool:
        return LEASE_SIZE <= self.used <= self.limit - MIN_REMAINING


class CallLeases:
    """The leases of this process, by the quota's bucket."""

    def __init__(self) -> None:
        """Start without leases."""
        self._guard = threading.Lock()
        self._leases: dict[str, _Lease] = {}

    def count_call(self, bucket: str, day: date, limit: int) -> int | None:
        """Count a leased call. Return the number of calls used today, or None if the next call must be written."""
        lease = self._leases.get(bucket)
        if lease is None:
            return None
        with self._guard:
            is_due = lease.is_renewable and clock.now() >= lease.renew_at
            if not lease.left or is_due or (lease.day, lease.limit) != (day, limit):
                return None
            lease.left -= 1
            return lease.used - lease.left

    def withdraw_rest(self, bucket: str, day: date, limit: int) -> int | None:
        """Remove the unused calls of a lease. Return their number, or None if no lease can be renewed."""
        with self._guard:
            lease = self._leases.get(bucket)
            if lease is None or not lease.is_renewable or (lease.day, lease.limit) != (day, limit):
                return None
            left, lease.left = lease.left, 0
            return left

    def add_calls(self, bucket: str, day: date, limit: int, used: int, left: int) -> int:
        """Add unused calls. Return the number of calls used today. `used` is the stored number, or 0 if unknown."""
        if limit < MIN_REMAINING + LEASE_SIZE:
            return used
        with self._guard:
            lease = self._leases.get(bucket)
            if lease is None or (lease.day, lease.limit) != (day, limit):
                if len(self._leases) >= MAX_LEASES:
                    self._leases.clear()
                lease = self._leases[bucket] = _Lease(day, limit, clock.now())
            lease.used, lease.left = used or lease.used, lease.left + left
            lease.renew_at = clock.now() + LEASE_DURATION
            return lease.used - lease.left
