"""Times of the week at which something is open, served or shown, and the moments at which that changes.

A window is `{"days": ["mon", …], "from": "11:30", "until": "14:30"}`, in a zone that is given; no days means every day.
One that ends at or before its beginning runs across midnight and belongs to the day on which it begins. Everything is
decided in UTC; what becomes of a time that the clocks skip or show twice stands in `compute_span`.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from datetime import UTC, date, datetime, time, timedelta
from zoneinfo import ZoneInfo

from typing_extensions import TypedDict

DAYS = ("mon", "tue", "wed", "thu", "fri", "sat", "sun")
DAY_NAMES = dict(zip(DAYS, ("Mon", "Tue", "Wed", "Thu", "Fri", "Sat", "Sun"), strict=True))
LOOKAHEAD_DAYS = 8  # days: a window of one weekday comes again within them

Window = TypedDict("Window", {"days": list[str], "from": str, "until": str})


def is_within_hours(hours: Sequence[Window], now: datetime, zone: ZoneInfo) -> bool:
    """Without windows always."""
    return not hours or any(start <= now < end for start, end in _iterate_spans(hours, now, zone))


def next_change(hours: Sequence[Window], now: datetime, zone: ZoneInfo) -> datetime | None:
    """When a window begins or ends next, in UTC; None without windows."""
    return min((edge for span in _iterate_spans(hours, now, zone) for edge in span if edge > now), default=None)


def next_occurrence(clock: str, now: datetime, zone: ZoneInfo) -> datetime:
    """The next moment, in UTC, at which the clocks of the zone show `05:00`."""
    today = now.astimezone(zone).date()
    moments = (_to_utc(today + timedelta(days=ahead), clock, zone) for ahead in (0, 1, 2))
    return next(moment for moment in moments if moment > now)


def earliest_moment(moments: Iterable[datetime | None]) -> datetime | None:
    return min((moment for moment in moments if moment is not None), default=None)


def _iterate_spans(hours: Sequence[Window], now: datetime, zone: ZoneInfo) -> Iterator[tuple[datetime, datetime]]:
    """Every window as moments in UTC, from yesterday's, which may still run, on."""
    today = now.astimezone(zone).date()
    for ahead in range(-1, LOOKAHEAD_DAYS + 1):
        day = today + timedelta(days=ahead)
        for window in hours:
            if is_on_day(window, day) and (found := compute_span(window["from"], window["until"], day, zone)):
                yield found


def is_on_day(window: Window, day: date) -> bool:
    """Whether it is a window of this day, on which it begins."""
    return not window["days"] or DAYS[day.weekday()] in window["days"]


def compute_span(begin: str, until: str, day: date, zone: ZoneInfo) -> tuple[datetime, datetime] | None:
    """The window that begins on a day, as moments in UTC.

    A time that the clocks skip is as far after their jump as it is after its beginning, at both ends; of a time that
    they show twice it opens at the first and closes at the second. None where that leaves nothing, and on a day that a
    place has left out altogether."""
    if _to_utc(day, "00:00", zone) == _to_utc(day + timedelta(days=1), "00:00", zone):
        return None
    start = _to_utc(day, begin, zone)
    last = day if until > begin else day + timedelta(days=1)
    end = max(_to_utc(last, until, zone), _to_utc(last, until, zone, fold=1))  # in a gap the second is the earlier one
    return (start, end) if start < end else None


def _to_utc(day: date, clock: str, zone: ZoneInfo, fold: int = 0) -> datetime:
    """By default a time that the clocks skip is as far after their jump as it is after its beginning; of a time that
    comes twice it is the first."""
    return datetime.combine(day, time.fromisoformat(clock).replace(fold=fold), zone).astimezone(UTC)


def format_hours(
    hours: Sequence[Window], names: Sequence[str] = tuple(DAY_NAMES.values()), daily: str = "daily"
) -> str:
    """`Mon–Fri 11:30–14:30, 18:00–22:00, Sat 12:00–15:00`; `names` from Monday on."""
    told, before = [], None
    for window in hours:
        days = _format_days(window["days"], names, daily) if window["days"] != before else ""
        told.append(f"{days} {window['from']}–{window['until']}".strip())
        before = window["days"]
    return ", ".join(told)


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
