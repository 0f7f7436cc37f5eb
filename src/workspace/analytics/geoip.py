"""City and country of an IP address, from the administrator's database file, without external requests."""

from __future__ import annotations

import logging
from functools import cache
from typing import Any, NamedTuple, Protocol

import maxminddb
from django.conf import settings

from workspace.lib.lazy import build_at_startup

logger = logging.getLogger(__name__)

UNKNOWN = "Unknown"


class GeoLocation(NamedTuple):
    city: str
    country: str


class Reader(Protocol):
    def get(self, address: str) -> Any: ...


UNKNOWN_PLACE = GeoLocation(UNKNOWN, UNKNOWN)


def find_location(address: str) -> GeoLocation:
    """Return city and country in English, or `Unknown` if there is no database or no match."""
    reader = _open_reader(settings.GEO_DATABASE)
    if reader is None or not address:
        return UNKNOWN_PLACE
    try:
        found = reader.get(address)
    except (
        ValueError,
        maxminddb.InvalidDatabaseError,
    ):  # an invalid address, one of the other family, or a broken file
        return UNKNOWN_PLACE
    if not isinstance(found, dict):
        return UNKNOWN_PLACE
    country = _extract_name(found.get("country")) or _extract_name(found.get("registered_country"))
    return GeoLocation(_extract_name(found.get("city")) or UNKNOWN, country or UNKNOWN)


@build_at_startup
def _open_database() -> None:
    _open_reader(settings.GEO_DATABASE)


@cache
def _open_reader(path: str) -> Reader | None:
    if not path:
        return None
    try:
        return maxminddb.open_database(path)
    except (OSError, ValueError, maxminddb.InvalidDatabaseError) as problem:
        logger.error("The city database %s cannot be read, so places are Unknown: %s", path, problem)
        return None


def _extract_name(part: Any) -> str:
    """Return a name in MaxMind's format ({"names": {"en": …}}), or the plain text of smaller databases."""
    if isinstance(part, dict):
        names = part.get("names")
        part = names.get("en") if isinstance(names, dict) else part.get("iso_code")
    return part[:100] if isinstance(part, str) else ""
