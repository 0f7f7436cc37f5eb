"""The moments of a session: what a clock on the wall shows, in the program's zone.

A clock that is put forward skips times: one that never comes is taken for as much later as the gap is long. A clock
that is put back shows times twice: a start is the first of the two, an end the first that is after the start.
"""

from __future__ import annotations

from datetime import UTC, date, datetime, time, timedelta
from zoneinfo import ZoneInfo

_DAY = timedelta(days=1)
EARLY_UNTIL = "05:00"  # a start before this, on a day with sessions in the evening, may be meant for the night after it


def session_moments(day: date, start: str, end: str, zone: ZoneInfo) -> tuple[datetime | None, datetime | None]:
    """The beginning and the end in UTC, from `HH:MM` or nothing. An end before the start is on the next date."""
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
    # both within the hour that is skipped: as long as the clock says
    return starts_at, starts_at + (_wall_time(ends_on, end) - _wall_time(day, start))


def is_early(start: str) -> bool:
    """Whether it begins so early that the night before may be meant: 00:30 of Friday, for people, is Saturday's."""
    return bool(start) and start < EARLY_UNTIL


def to_minutes(text: str) -> int:
    """`HH:MM` as minutes from midnight."""
    return int(text[:2]) * 60 + int(text[3:])


def format_minutes(minutes: int) -> str:
    """Minutes from midnight as `HH:MM`, of the next date where they are more than a day."""
    minutes %= 24 * 60
    return f"{minutes // 60:02}:{minutes % 60:02}"


def minutes_between(start: str, end: str) -> int:
    """Minutes from the one to the other on the wall; over midnight where the end is the earlier."""
    return (to_minutes(end) - to_minutes(start)) % (24 * 60)


def _wall_time(day: date, text: str) -> datetime:
    return datetime.combine(day, time.fromisoformat(text))


def _to_utc(day: date, text: str, zone: ZoneInfo, *, fold: int) -> datetime:
    return _wall_time(day, text).replace(tzinfo=zone, fold=fold).astimezone(UTC)
