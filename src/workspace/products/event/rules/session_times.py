"""Times of sessions, computed from local clock times in the program's time zone.

When clocks are set forward, they skip times. A skipped time is moved later by the length of the gap. When clocks are
set back, they repeat times. A start is the first occurrence, and an end is the first occurrence after the start.
"""

from __future__ import annotations

from datetime import UTC, date, datetime, time, timedelta
from zoneinfo import ZoneInfo

_DAY = timedelta(days=1)
EARLY_UNTIL = "05:00"  # an earlier start, on a day with evening sessions, may be meant for the night after that day


def compute_session_times(day: date, start: str, end: str, zone: ZoneInfo) -> tuple[datetime | None, datetime | None]:
    """Compute start and end in UTC from `HH:MM` or an empty string. An end before the start is on the next date."""
    if not start:
        return None, None
    starts_at = _to_utc(day, start, zone, fold=0)
    if not end:
        return starts_at, None
    ends_on = day + _DAY if end < start else day
    for fold in (0, 1):
        ends_at = _to_utc(ends_on, end, zone, fold=fold)
        if ends_at > starts_at:
            return starts_at, ends_at
    # both times are in the skipped hour: use the difference of the clock times
    return starts_at, starts_at + (_parse_wall_time(ends_on, end) - _parse_wall_time(day, start))


def is_after_midnight(start: str) -> bool:
    """Return whether a start is so early that it may refer to the night after the day.

    For a Friday, 00:30 often means the night from Friday to Saturday.
    """
    return bool(start) and start < EARLY_UNTIL


def to_minutes(text: str) -> int:
    """Convert `HH:MM` to minutes after midnight."""
    return int(text[:2]) * 60 + int(text[3:])


def format_minutes(minutes: int) -> str:
    """Format minutes after midnight as `HH:MM`. Values of a day or more wrap around."""
    minutes %= 24 * 60
    return f"{minutes // 60:02}:{minutes % 60:02}"


def minutes_between(start: str, end: str) -> int:
    """Return the minutes from start to end. An end before the start is on the next day."""
    return (to_minutes(end) - to_minutes(start)) % (24 * 60)


def _parse_wall_time(day: date, text: str) -> datetime:
    return datetime.combine(day, time.fromisoformat(text))


def _to_utc(day: date, text: str, zone: ZoneInfo, *, fold: int) -> datetime:
    return _parse_wall_time(day, text).replace(tzinfo=zone, fold=fold).astimezone(UTC)
