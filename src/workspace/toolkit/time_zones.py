"""The time zones that people choose from."""

from __future__ import annotations

from functools import cache
from zoneinfo import available_timezones

_NO_PLACES = {"Factory", "localtime", "posixrules"}


@cache
def names() -> tuple[str, ...]:
    """Every zone by name, old names included: a browser may still report them."""
    return tuple(sorted(available_timezones() - _NO_PLACES))


@cache
def choices() -> tuple[tuple[str, str], ...]:
    return tuple((name, name.replace("_", " ")) for name in names())
