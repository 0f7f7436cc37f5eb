"""Weekly hours at which something is open, served or shown, and when that changes.

A window is `{"days": ["mon", …], "from": "11:30", "until": "14:30"}` in a given time zone. Without days, it applies
every day. A window that ends at or before its start runs across midnight and belongs to the day when it starts. All
comparisons are in UTC. `compute_span` describes times that the clocks skip or repeat.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from datetime import UTC, date, datetime, time, timedelta
from zoneinfo import ZoneInfo

from typing_extensions import TypedDict

DAYS = ("mon", "tue", "wed", "thu", "fri", "sat", "sun")
DAY_NAMES = dict(zip(DAYS, ("Mon", "Tue", "Wed", "Thu", "Fri", "Sat", "Sun"), strict=True))
LOOKAHEAD_DAYS = 8  # a window on one weekday repeats within these

Window = TypedDict("Window", {"days": list[str], "from": str, "until": str})


def is_within_hours(hours: Sequence[Window], now: datetime, zone: ZoneInfo) -> bool:
    """Return whether a time is within the windows. If there are no windows, it always is."""
    return not hours or any(start <= now < end for start, end in _iterate_spans(hours, now, zone))


def next_change(hours: Sequence[Window], now: datetime, zone: ZoneInfo) -> datetime | None:
    """Return when the next window starts or ends, in UTC, or None if there are no windows."""
    return min((edge for span in _iterate_spans(hours, now, zone) for edge in span if edge > now), default=None)


def next_occurrence(clock: str, now: datetime, zone: ZoneInfo) -> datetime:
    """Return the next moment, in UTC, at which clocks in the zone show a time such as `05:00`."""
    today = now.astimezone(zone).date()
    moments = (_to_utc(today + timedelta(days=ahead), clock, zone) for ahead in (0, 1, 2))
    return next(moment for moment in moments if moment > now)


def earliest_moment(moments: Iterable[datetime | None]) -> datetime | None:
    return min((moment for moment in moments if moment is not None), default=None)


def _iterate_spans(hours: Sequence[Window], now: datetime, zone: ZoneInfo) -> Iterator[tuple[datetime, datetime]]:
    """Yield every window as a span in UTC, starting with yesterday's, which may still be open."""
    today = now.astimezone(zone).date()
    for ahead in range(-1, LOOKAHEAD_DAYS + 1):
        day = today + timedelta(days=ahead)
        for window in hours:
            if is_on_day(window, day) and (found := compute_span(window["from"], window["until"], day, zone)):
                yield found


def is_on_day(window: Window, day: date) -> bool:
    """Return whether a window starts on this day."""
    return not window["days"] or DAYS[day.weekday()] in window["days"]


def compute_span(begin: str, until: str, day: date, zone: ZoneInfo) -> tuple[datetime, datetime] | None:
    """Return the span, in UTC, of a window that starts on a day.

    A time that the clocks skip is shifted forward by the gap. If the clocks repeat a time, the window opens at its
    first occurrence and closes at its second. Return None if nothing of the window remains, and for a day that the zone
    skipped.
    """
    if _to_utc(day, "00:00", zone) == _to_utc(day + timedelta(days=1), "00:00", zone):
        return None
    start = _to_utc(day, begin, zone)
    last = day if until > begin else day + timedelta(days=1)
    end = max(_to_utc(last, until, zone), _to_utc(last, until, zone, fold=1))  # in a gap the second is the earlier one
    return (start, end) if start < end else None


def _to_utc(day: date, clock: str, zone: ZoneInfo, fold: int = 0) -> datetime:
    """Convert a local time to UTC.

    By default, a skipped time is shifted forward by the gap, and a repeated time is the first one.
    """
    return datetime.combine(day, time.fromisoformat(clock).replace(fold=fold), zone).astimezone(UTC)


def format_hours(
    hours: Sequence[Window], names: Sequence[str] = tuple(DAY_NAMES.values()), daily: str = "daily"
) -> str:
    """Format the windows as text, such as `Mon–Fri 11:30–14:30, 18:00–22:00`. `names` start with Monday."""
    parts, before = [], None
    for window in hours:
        days = _format_days(window["days"], names, daily) if window["days"] != before else ""
        parts.append(f"{days} {window['from']}–{window['until']}".strip())
        before = window["days"]
    return ", ".join(parts)


def _format_days(days: Sequence[str], names: Sequence[str], daily: str) -> str:
    numbers = [number for number, day in enumerate(DAYS) if day in days]
    if len(numbers) in (0, 7):
        return daily
    runs: list[list[int]] = []
    for number in numbers:
        if runs and runs[-1][-1] == number - 1:
            runs[-1].append(number)
        else:
            runs.append([number])
    return ", ".join(
        names[run[0]] if len(run) == 1 else f"{names[run[0]]}{'–' if len(run) > 2 else ', '}{names[run[-1]]}"
        for run in runs
    )
