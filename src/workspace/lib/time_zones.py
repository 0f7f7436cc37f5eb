"""The time zones that people choose from."""

from __future__ import annotations

from datetime import datetime
from functools import cache
from zoneinfo import ZoneInfo, available_timezones

_NO_PLACES = {"Factory", "localtime", "posixrules"}


@cache
def names() -> tuple[str, ...]:
    """Every zone by name, old names included: a browser may still report them."""
    return tuple(sorted(available_timezones() - _NO_PLACES))


@cache
def choices() -> tuple[tuple[str, str], ...]:
    return tuple((name, name.replace("_", " ")) for name in names())


def differ(one: ZoneInfo, other: ZoneInfo, at: datetime) -> bool:
    """Whether their clocks show different times at a moment."""
    return at.astimezone(one).utcoffset() != at.astimezone(other).utcoffset()
