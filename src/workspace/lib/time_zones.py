"""The time zones that people choose from."""

from __future__ import annotations

from datetime import datetime
from functools import cache
from zoneinfo import ZoneInfo, available_timezones

_EXCLUDED_NAMES = {"Factory", "localtime", "posixrules"}


@cache
def zone_names() -> tuple[str, ...]:
    """Every zone by name, old names included: a browser may still report them."""
    return tuple(sorted(available_timezones() - _EXCLUDED_NAMES))


@cache
def zone_choices() -> tuple[tuple[str, str], ...]:
    return tuple((name, name.replace("_", " ")) for name in zone_names())


def offsets_differ(one: ZoneInfo, other: ZoneInfo, at: datetime) -> bool:
    """Whether their clocks show different times at a moment."""
    return at.astimezone(one).utcoffset() != at.astimezone(other).utcoffset()
