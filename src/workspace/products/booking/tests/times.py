"""Times in a readable notation, for tests of available times."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from datetime import UTC, date, datetime, timedelta
from typing import Any
from zoneinfo import ZoneInfo

from workspace.products.booking.rules.availability import Availability, ServiceTerms
from workspace.products.booking.rules.busy_times import BusyKind, BusyTime, BusyTimes
from workspace.products.booking.rules.opening_hours import OpeningHours

LONG_AGO = datetime(2011, 1, 1, tzinfo=UTC)


def window(text: str, *days: str) -> Any:
    begin, until = text.split("–")
    return {"days": list(days), "from": begin, "until": until}


def unix_time(text: str, zone: str) -> int:
    """Return a time such as `2026-10-25 01:30` as Unix time.

    The text is a local time of the zone; if it occurs twice, the first one counts. A time with `Z` is in UTC.
    """
    moment = datetime.fromisoformat(text)
    return int((moment if moment.tzinfo else moment.replace(tzinfo=ZoneInfo(zone))).timestamp())


def visit(
    zone: str, start: str, minutes: int, before: int = 0, after: int = 0, kind: BusyKind = BusyKind.BOOKING
) -> BusyTime:
    begin = unix_time(start, zone)
    end = begin + minutes * 60
    return BusyTime(begin - before * 60, end + after * 60, begin, end, kind, "another")


def availability(
    zone: str,
    hours: Iterable[Any],
    overrides: Mapping[str, Any] | None = None,
    taken: Iterable[BusyTime] = (),
    now: datetime = LONG_AGO,
    counts: Mapping[date, int] | None = None,
    **terms: Any,
) -> Availability:
    """Return an availability. By default appointments and intervals last half an hour, and `now` is long ago."""
    differing = {date.fromisoformat(day): windows for day, windows in (overrides or {}).items()}
    busy_times = list(taken)
    visits = (BusyKind.BOOKING, BusyKind.PAYING, BusyKind.REQUEST)
    return Availability(
        OpeningHours(list(hours), differing, ZoneInfo(zone)),
        ServiceTerms(**{"duration": 30, "interval": 30, "horizon": 100_000} | terms),
        BusyTimes(busy_time for busy_time in busy_times if busy_time.kind in visits),
        BusyTimes(busy_time for busy_time in busy_times if busy_time.kind not in visits),
        counts or {},
        int(now.timestamp()),
    )


def format_times(results: Iterable[int], zone: str, day: str) -> str:
    """Format times as `09:00 09:30`. Add the offset or the date where it differs from that of the start of the day."""
    first = datetime.fromisoformat(day).replace(tzinfo=ZoneInfo(zone))
    return " ".join(_format_time(datetime.fromtimestamp(moment, ZoneInfo(zone)), first) for moment in results)


def _format_time(moment: datetime, first: datetime) -> str:
    text = f"{moment:%H:%M}"
    if moment.utcoffset() != first.utcoffset():
        hours, minutes = divmod(int((moment.utcoffset() or timedelta()).total_seconds() // 60), 60)
        text += f"{hours:+03d}:{minutes:02d}" if minutes else f"{hours:+03d}"
    return text if moment.date() == first.date() else f"{moment:%m-%d}T{text}"


def free(availability: Availability, zone: str, day: str) -> str:
    requested = date.fromisoformat(day)
    return format_times(availability.list_free(requested, requested), zone, day)
