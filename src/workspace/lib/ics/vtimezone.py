"""A time zone as a VTIMEZONE that is as short as possible.

It contains the two yearly rules if the zone has them, or else the changes in the required years. Outlook misreads long
lists of dates, and displays plain UTC times as UTC.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from datetime import UTC, datetime, timedelta
from functools import lru_cache
from importlib import resources
from zoneinfo import ZoneInfo

_DAYS = ("SU", "MO", "TU", "WE", "TH", "FR", "SA")
_RULE = r"M(\d+)\.([1-5])\.([0-6])(?:/(\d+)(?::(\d+))?(?::0+)?)?"
# the last line of a zone's file (RFC 9636, section 3.3): the rule for all years after the listed ones
_FOOTER = re.compile(rf"(?:<[^>]+>|[A-Za-z]+)[-+\d:]+(?:<[^>]+>|[A-Za-z]+)[-+\d:]*,{_RULE},{_RULE}")
_ANY_YEAR = 1970


@lru_cache(maxsize=64)
def build_vtimezone(key: str, first_year: int, last_year: int) -> tuple[str, ...]:
    """Return unfolded content lines with the zone's offsets from the first to the last year, inclusive."""
    zone = ZoneInfo(key)
    changes = _find_changes(zone, first_year - 1, last_year)
    observances = _build_rules(zone, key, changes, first_year - 1, last_year)
    if observances is None:
        began = datetime(first_year - 1, 1, 1, tzinfo=UTC).astimezone(zone)
        start = began.replace(year=_ANY_YEAR) if not changes else began
        observances = [
            _build_observance(zone, began, began.utcoffset(), start.replace(month=1, day=1, hour=0, minute=0))
        ]
        observances += [_build_observance(zone, at.astimezone(zone), _offset_before(zone, at)) for at in changes]
    return ("BEGIN:VTIMEZONE", f"TZID:{key}", *(line for lines in observances for line in lines), "END:VTIMEZONE")


def _find_changes(zone: ZoneInfo, first_year: int, last_year: int) -> list[datetime]:
    """Return the times, in UTC, at which the offset changes."""
    found = []
    day, end = datetime(first_year, 1, 1, tzinfo=UTC), datetime(last_year + 1, 1, 1, tzinfo=UTC)
    while day < end:
        after = day + timedelta(days=1)
        if _utc_offset(zone, day) != _utc_offset(zone, after):
            found.append(_find_change(zone, day, after))
        day = after
    return found


def _find_change(zone: ZoneInfo, low: datetime, high: datetime) -> datetime:
    before = _utc_offset(zone, low)
    while high - low > timedelta(seconds=1):
        middle = low + timedelta(seconds=(high - low) // timedelta(seconds=2))
        low, high = (middle, high) if _utc_offset(zone, middle) == before else (low, middle)
    return high


def _build_rules(
    zone: ZoneInfo, key: str, changes: Sequence[datetime], first_year: int, last_year: int
) -> list[list[str]] | None:
    """Return the yearly rules, or None if the zone's rule does not give exactly these changes."""
    footer = _FOOTER.fullmatch(_read_footer(key))
    if footer is None:
        return None
    rules, made = [], set()
    for month, week, weekday, hour, minute in (footer.groups()[:5], footer.groups()[5:]):
        clock = timedelta(hours=int(hour or 2), minutes=int(minute or 0))
        if clock >= timedelta(days=1):
            return None
        days = [
            _nth_weekday(year, int(month), int(week), int(weekday)) + clock for year in range(first_year, last_year + 1)
        ]
        here = [at for at in changes if any(abs(at.replace(tzinfo=None) - day) < timedelta(days=1) for day in days)]
        if [at.replace(tzinfo=None) + _offset_before(zone, at) for at in here] != days:
            return None
        made |= set(here)
        rule = f"RRULE:FREQ=YEARLY;BYMONTH={month};BYDAY={-1 if week == '5' else week}{_DAYS[int(weekday)]}"
        rules.append(_build_observance(zone, here[0].astimezone(zone), _offset_before(zone, here[0]), more=rule))
    return rules if made == set(changes) else None


def _nth_weekday(year: int, month: int, week: int, weekday: int) -> datetime:
    """Return the nth weekday of a month at midnight. Week 5 is the last one. `weekday` is 0 for Sunday."""
    first = datetime(year, month, 1)  # noqa: DTZ001 - a local time, in any zone
    found = first + timedelta(days=(weekday - first.isoweekday()) % 7 + 7 * (week - 1))
    return found if found.month == month else found - timedelta(days=7)


@lru_cache(maxsize=64)
def _read_footer(key: str) -> str:
    content = resources.files("tzdata").joinpath("zoneinfo", *key.split("/")).read_bytes()
    return content.rstrip(b"\n").rpartition(b"\n")[2].decode("ascii", "replace")


def _build_observance(
    zone: ZoneInfo, after: datetime, before: timedelta | None, start: datetime | None = None, more: str = ""
) -> list[str]:
    """Return the lines of the period that starts at a change.

    Its local start time uses the offset before the change.
    """
    offset = after.utcoffset() or timedelta(0)
    before = before or timedelta(0)
    shown = start or after.astimezone(UTC) + before
    kind = "DAYLIGHT" if after.dst() and (after.dst() or timedelta(0)) > timedelta(0) else "STANDARD"
    lines = [f"BEGIN:{kind}", f"DTSTART:{shown:%Y%m%dT%H%M%S}"]
    lines += [
        f"TZOFFSETFROM:{_format_offset(before)}",
        f"TZOFFSETTO:{_format_offset(offset)}",
        f"TZNAME:{after.tzname()}",
    ]
    return [*lines, *([more] if more else []), f"END:{kind}"]


def _offset_before(zone: ZoneInfo, change: datetime) -> timedelta:
    return _utc_offset(zone, change - timedelta(seconds=1))


def _utc_offset(zone: ZoneInfo, moment: datetime) -> timedelta:
    return moment.astimezone(zone).utcoffset() or timedelta(0)


def _format_offset(offset: timedelta) -> str:
    sign, rest = ("-", -offset) if offset < timedelta(0) else ("+", offset)
    minutes, seconds = divmod(int(rest.total_seconds()), 60)
    return f"{sign}{minutes // 60:02}{minutes % 60:02}" + (f"{seconds:02}" if seconds else "")
