"""Referrers and places are what guests say they are. A flood of made-up ones must not grow the counters without end."""

from __future__ import annotations

import threading
from datetime import datetime

OTHERS = "Other"
MOST = 200  # different values of a dimension within an hour; the next ones are counted together

_guard = threading.Lock()
_met: dict[tuple[str, ...], set[str]] = {}
_hour: datetime | None = None


def capped(group: tuple[str, str, str], hour: datetime, dimension: str, value: str) -> str:
    """The value, or `Other` once this process has met too many different ones in this hour."""
    global _hour
    with _guard:
        if hour != _hour:
            _met.clear()
            _hour = hour
        met = _met.setdefault((*group, dimension), set())
        if value in met or len(met) < MOST:
            met.add(value)
            return value
    return OTHERS
