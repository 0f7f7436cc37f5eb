"""The time zones that people can choose."""

from __future__ import annotations

from datetime import datetime
from functools import cache
from zoneinfo import ZoneInfo, available_timezones

_EXCLUDED_NAMES = {"Factory", "localtime", "posixrules"}


@cache
def zone_names() -> tuple[str, ...]:
    """Return the names of all zones, including old names that a browser may still report."""
    return tuple(sorted(available_timezones() - _EXCLUDED_NAMES))


@cache
def zone_choices() -> tuple[tuple[str, str], ...]:
    return tuple((name, name.replace("_", " ")) for name in zone_names())


def offsets_differ(first: ZoneInfo, other: ZoneInfo, at: datetime) -> bool:
    """Return whether clocks in two time zones show different times at a given moment."""
    return at.astimezone(first).utcoffset() != at.astimezone(other).utcoffset()
