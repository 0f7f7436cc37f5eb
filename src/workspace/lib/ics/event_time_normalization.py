"""Normalizing event times for the libraries: time zones get their IANA names, and rules a complete UNTIL."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from datetime import UTC, datetime
from functools import cached_property, lru_cache
from zoneinfo import ZoneInfo, available_timezones

from icalendar.timezone.windows_to_olson import WINDOWS_TO_OLSON

from workspace.lib.ics.event_splitter import ContentLine, EventBlock

_UTC_NAMES = {"utc", "z", "gmt", "etc/utc", "(utc) coordinated universal time", "tzone://microsoft/utc", "greenwich"}
_TIME_PROPERTIES = ("DTSTART", "DTEND", "RECURRENCE-ID", "EXDATE", "RDATE")
_UNTIL = re.compile(r"(?i)(?<![^;])UNTIL=(\d{8})(T\d{6})?(Z?)(?=;|$)")


class ZoneResolver:
    """The meaning of time zone names in a file.

    `unknown` are names without a known meaning. Their times are floating, in the query's time zone.
    """

    def __init__(self, zones: Mapping[str, list[str]]) -> None:
        self.definitions = zones
        self.unknown: set[str] = set()

    def resolve_zones(self, event: EventBlock) -> None:
        for line in event.lines:
            if line.name in _TIME_PROPERTIES and (name := line.get_parameter("TZID")):
                self._resolve_zone(line, name)

    def _resolve_zone(self, line: ContentLine, name: str) -> None:
        if line.value.strip().upper().endswith("Z"):  # both a zone and UTC are given: UTC wins
            line.set_parameter("TZID", "")
            return
        key = find_zone_name(name) or self._zone_from_location(name)
        if key == "UTC":
            line.set_parameter("TZID", "")
            line.value = ",".join(f"{one.strip()}Z" if "T" in one else one for one in line.value.split(","))
        elif key or name in self.definitions:
            line.set_parameter("TZID", key or name)
        else:
            self.unknown.add(name)
            line.set_parameter("TZID", "")

    def _zone_from_location(self, name: str) -> str:
        """Return the location in the file's definition of a time zone as an IANA name, or ""."""
        for line in self.definitions.get(name, ()):
            if line.upper().startswith("X-LIC-LOCATION"):
                return find_zone_name(line.partition(":")[2])
        return ""

    def definitions_for(self, events: Iterable[EventBlock]) -> list[list[str]]:
        """Return the definitions of time zones that only this file defines."""
        names = {line.get_parameter("TZID") for event in events for line in event.lines}
        return [
            self.definitions[name] for name in sorted(names) if name in self.definitions and not find_zone_name(name)
        ]

    def find_zone(self, line: ContentLine) -> ZoneInfo | None:
        key = find_zone_name(line.get_parameter("TZID"))
        return ZoneInfo(key) if key else None


class _ZoneNames:
    @cached_property
    def keys(self) -> dict[str, str]:
        return {key.lower(): key for key in available_timezones()}

    @cached_property
    def windows(self) -> dict[str, str]:
        return {name.lower(): key for name, key in WINDOWS_TO_OLSON.items()}


_zone_names = _ZoneNames()


@lru_cache(maxsize=1000)
def find_zone_name(name: str) -> str:
    """Return the IANA name for any common spelling of a time zone, `UTC` for all names of UTC, or "".

    Exchange appends a number to the names of duplicate zones.
    """
    name = name.strip().strip('"').lower()
    for one in (name, re.sub(r" \d+$", "", name)):
        if one in _UTC_NAMES:
            return "UTC"
        if found := _zone_names.keys.get(one) or _zone_names.windows.get(one):
            return found
    # /freeassociation.sourceforge.net/Europe/Berlin, /softwarestudio.org/Olson_20011030_5/America/Indiana/Knox
    parts = name.split("/")
    for count in (3, 2):
        if name.startswith("/") and (found := _zone_names.keys.get("/".join(parts[-count:]))):
            return found
    return ""


def normalize_until(event: EventBlock, clocks: ZoneResolver) -> None:
    """Convert the UNTIL of a rule to the form of its DTSTART.

    It becomes a date if the start is a date. Otherwise, it becomes UTC, or a local time if the time zone is unknown. A
    date includes all of that day.
    """
    start = next((line for line in event.lines if line.name == "DTSTART"), None)
    if start is None:
        return
    for line in event.lines:
        if line.name == "RRULE":
            line.value = _UNTIL.sub(lambda found: _normalize_until_value(found, start, clocks), line.value)


def _normalize_until_value(match: re.Match[str], start: ContentLine, clocks: ZoneResolver) -> str:
    day, clock, is_utc = match[1], match[2], match[3]
    if "T" not in start.value.upper():
        return f"UNTIL={day}"
    zone, in_utc = clocks.find_zone(start), start.value.strip().upper().endswith("Z")
    if is_utc and clock:
        if in_utc or start.get_parameter("TZID"):
            return match[0]
        return f"UNTIL={day}T235959"  # in an unknown time zone, one time too many is better than one too few
    digits = datetime.strptime(day + (clock or "T235959"), "%Y%m%dT%H%M%S")  # noqa: DTZ007 - a local time
    if zone is not None:
        return f"UNTIL={digits.replace(tzinfo=zone).astimezone(UTC):%Y%m%dT%H%M%SZ}"
    return f"UNTIL={digits:%Y%m%dT%H%M%S}" + ("Z" if in_utc or start.get_parameter("TZID") else "")
