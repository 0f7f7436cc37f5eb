"""City and country of an address, from a database file that the operator supplies; nothing is asked of anybody else."""

from __future__ import annotations

import logging
from functools import cache
from typing import Any, NamedTuple, Protocol

import maxminddb
from django.conf import settings

from workspace.lib.lazy import ahead

logger = logging.getLogger(__name__)

UNKNOWN = "Unknown"


class Place(NamedTuple):
    city: str
    country: str


class Reader(Protocol):
    def get(self, address: str) -> Any: ...


NOWHERE = Place(UNKNOWN, UNKNOWN)


def place_of(address: str) -> Place:
    """English names; `Unknown` for what the database does not tell, and for all without one."""
    reader = _reader(settings.GEO_DATABASE)
    if reader is None or not address:
        return NOWHERE
    try:
        found = reader.get(address)
    except (
        ValueError,
        maxminddb.InvalidDatabaseError,
    ):  # no address, one of the other family, or a broken file
        return NOWHERE
    if not isinstance(found, dict):
        return NOWHERE
    country = _name(found.get("country")) or _name(found.get("registered_country"))
    return Place(_name(found.get("city")) or UNKNOWN, country or UNKNOWN)


@ahead
def _open() -> None:
    _reader(settings.GEO_DATABASE)


@cache
def _reader(path: str) -> Reader | None:
    if not path:
        return None
    try:
        return maxminddb.open_database(path)
    except (OSError, ValueError, maxminddb.InvalidDatabaseError) as problem:
        logger.error("The city database %s cannot be read, so places are Unknown: %s", path, problem)
        return None


def _name(part: Any) -> str:
    """The name in MaxMind's own shape ({"names": {"en": …}}), or the plain text that smaller databases hold."""
    if isinstance(part, dict):
        names = part.get("names")
        part = names.get("en") if isinstance(names, dict) else part.get("iso_code")
    return part[:100] if isinstance(part, str) else ""
