"""The days of a page as the owner sees them: bookings, blocks and available times, in the page's time zone."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import UTC, date, datetime, time, timedelta
from math import gcd
from typing import Any

from django.db.models import QuerySet

from workspace.dashboard.session import SignedInRequest
from workspace.dashboard.tool_views import call_tool
from workspace.delivery.calendars import list_busy_periods
from workspace.products.booking.api import booking_tools
from workspace.products.booking.dashboard.presenters import present_booking
from workspace.products.booking.models import Block, BookingPage, Resource
from workspace.storage.database.compiled_function import compile_once

BATCH_SIZE = 200
DAY_MINUTES = 24 * 60
SLOT_LENGTHS = (30, 15, 10, 5)  # minutes per row of the week
FIRST_HOUR, LAST_HOUR = 8, 18  # the hours that a week always shows
MIN_GAP = timedelta(minutes=5)  # shorter gaps are not shown


@dataclass(slots=True)
class GridEntry:
    """An entry of a day.

    `what` is booking, block, event or free. `row` is a booking from `present_booking`.
    """

    what: str
    start: datetime
    end: datetime
    about: str = ""
    id: str = ""
    row: Mapping[str, Any] = field(default_factory=dict)


@dataclass(slots=True)
class GridDay:
    date: date
    is_today: bool
    entries: list[GridEntry]
    cancelled_rows: list[Mapping[str, Any]]  # cancelled and expired ones
    is_open: bool


@dataclass(slots=True)
class GridCell:
    """A cell of the week.

    `rows` is how many rows it spans. `at` is its start, in the format of a form field."""

    at: str
    rows: int = 1
    state: str = "closed"
    entries: list[GridEntry] = field(default_factory=list)


@dataclass(slots=True)
class GridWeek:
    """A week as a table.

    `slot` is the length of a row in minutes, `hour` the number of rows per hour. A row at a full hour is labeled with
    it."""

    days: list[GridDay]
    slot: int
    hour: int
    lines: list[tuple[str, list[GridCell]]]


def build_days(request: SignedInRequest, page: BookingPage, first: date, count: int, today: date) -> list[GridDay]:
    last = first + timedelta(days=count - 1)
    rows = _load_bookings(request, page, first, last)
    zone = page.zone
    begin = datetime.combine(first, time.min, zone)
    end = datetime.combine(last + timedelta(days=1), time.min, zone)
    blocked = _load_busy_entries(page, begin.astimezone(UTC), end.astimezone(UTC))
    opening = page.opening_hours(first - timedelta(days=2), last + timedelta(days=1))
    windows = [
        (datetime.fromtimestamp(a, zone), datetime.fromtimestamp(b, zone))
        for a, b in opening.iterate_windows(first - timedelta(days=2), last)
    ]
    grid_days = []
    for ahead in range(count):
        day = first + timedelta(days=ahead)
        span = (datetime.combine(day, time.min, zone), datetime.combine(day + timedelta(days=1), time.min, zone))
        booked = [
            GridEntry("booking", row["at"], row["until"], id=row["id"], row=row)
            for row in rows
            if row["is_live"] and _overlaps((row["at"], row["until"]), span)
        ]
        others = [entry for entry in blocked if _overlaps((entry.start, entry.end), span)]
        free = [
            GridEntry("free", *gap)
            for window in windows
            for gap in _find_gaps(_intersect(window, span), [*booked, *others])
        ]
        grid_days.append(
            GridDay(
                day,
                day == today,
                sorted([*booked, *others, *free], key=lambda entry: (_to_utc(entry.start), entry.what != "booking")),
                [row for row in rows if not row["is_live"] and row["at"].date() == day],
                any(_overlaps(window, span) for window in windows),
            )
        )
    return grid_days


def trim_past_gaps(entries: Iterable[GridEntry], now: datetime) -> list[GridEntry]:
    """Trim available times that have already started, so that they begin at the next quarter of an hour.

    Drop an available time if less than `MIN_GAP` of it remains.
    """
    quarter = timedelta(minutes=15)
    soon = now + (-timedelta(minutes=now.minute, seconds=now.second, microseconds=now.microsecond)) % quarter
    grid_entries = []
    for entry in entries:
        if entry.what == "free" and _to_utc(entry.start) < _to_utc(now) < _to_utc(entry.end):
            if _to_utc(soon) + MIN_GAP > _to_utc(entry.end):
                continue
            entry = replace(entry, start=soon)
        grid_entries.append(entry)
    return grid_entries


def choose_row_minutes(page: BookingPage) -> int:
    """Return the number of minutes that a row represents.

    It is half an hour, or less if some available times would otherwise not start on a row. A booking can therefore be
    dragged to each of them.
    """
    steps = [service.start_interval for service in page.services.all()]
    opens = [int(window["from"][3:]) for window in page.hours]
    all_lie_on = gcd(*steps, *opens, SLOT_LENGTHS[0])
    return next((slot for slot in SLOT_LENGTHS if all_lie_on % slot == 0), SLOT_LENGTHS[-1])


def build_week(days: Sequence[GridDay], slot: int) -> GridWeek:
    """Build the table of a week. Overlapping entries share a cell, which spans all of them."""
    columns, hour = [_build_column(day, slot) for day in days], 60 // slot
    taken = [place for column in columns for place, cell in column.items() if cell.state != "closed"]
    ends = [place + column[place].rows for column in columns for place in column if column[place].state != "closed"]
    first, last = min([FIRST_HOUR * hour, *taken]), max([LAST_HOUR * hour, *ends])
    lines = []
    for place in range(first - first % hour, last + -last % hour):
        name = f"{place // hour:02d}:00" if place % hour == 0 else ""
        lines.append((name, [column[place] for column in columns if place in column]))
    return GridWeek(list(days), slot, hour, lines)


def _build_column(day: GridDay, slot: int) -> dict[int, GridCell]:
    """Build the cells of a day, by their first row. Leave out rows that a longer cell covers."""
    cells = {place: GridCell(_input_value(day.date, place * slot)) for place in range(DAY_MINUTES // slot)}
    spans: list[tuple[int, int, list[GridEntry]]] = []
    for entry in day.entries:
        begin, end = _row_range(entry, day.date, slot)
        if entry.what == "free":
            for place in range(begin, end):
                cells[place].state = "free"
        elif spans and begin < spans[-1][1]:
            spans[-1] = (spans[-1][0], max(end, spans[-1][1]), [*spans[-1][2], entry])
        else:
            spans.append((begin, end, [entry]))
    for begin, end, entries in spans:
        cells[begin].rows, cells[begin].entries, cells[begin].state = end - begin, entries, "taken"
        for place in range(begin + 1, end):
            del cells[place]
    return cells


def _row_range(entry: GridEntry, day: date, slot: int) -> tuple[int, int]:
    """Return the first row of an entry and the row after its last one, in local time of that day."""
    begin = _to_minute_of_day(entry.start) // slot if entry.start.date() >= day else 0
    end = -(-_to_minute_of_day(entry.end) // slot) if entry.end.date() <= day else DAY_MINUTES // slot
    return begin, max(begin + 1, end)


def _to_minute_of_day(at: datetime) -> int:
    return at.hour * 60 + at.minute


def _input_value(day: date, minute: int) -> str:
    return f"{day.isoformat()}T{minute // 60:02d}:{minute % 60:02d}"


def _load_bookings(request: SignedInRequest, page: BookingPage, first: date, last: date) -> list[Mapping[str, Any]]:
    """Load the bookings of these dates and of the day before, whose bookings may run into the first date."""
    rows: list[Mapping[str, Any]] = []
    span = {"from": (first - timedelta(days=1)).isoformat(), "to": last.isoformat()}
    while True:
        some = call_tool(
            request,
            booking_tools.list_bookings,
            page_id=page.pk,
            upcoming=False,
            limit=BATCH_SIZE,
            offset=len(rows),
            **span,
        )
        rows += [present_booking(row, page.zone) for row in some["items"]]
        if not some["has_more"]:
            return rows


def _load_busy_entries(page: BookingPage, begin: datetime, end: datetime) -> list[GridEntry]:
    """Load the blocks and the calendar events."""
    zone = page.zone
    blocks = _blocks_between.fetch(page.resource, begin, end)
    entries = [
        GridEntry("block", block.starts_at.astimezone(zone), block.ends_at.astimezone(zone), block.reason, block.pk)
        for block in blocks
    ]
    busy_periods = list_busy_periods(page.account, begin, end, zone=zone, page_id=page.pk)
    return entries + [
        GridEntry("event", busy_period.start.astimezone(zone), busy_period.end.astimezone(zone), busy_period.title)
        for busy_period in busy_periods
    ]


@compile_once
def _blocks_between(resource: Resource, begin: datetime, end: datetime) -> QuerySet[Block]:
    return resource.blocks.filter(ends_at__gt=begin, starts_at__lt=end)


def _find_gaps(window: tuple[datetime, datetime] | None, taken: Iterable[GridEntry]) -> list[tuple[datetime, datetime]]:
    """Return the available parts of a window."""
    if window is None:
        return []
    at, end = window
    results = []
    for entry in sorted(taken, key=lambda entry: _to_utc(entry.start)):
        if _to_utc(entry.start) > _to_utc(at) and _to_utc(at) < _to_utc(end):
            results.append((at, min(entry.start, end, key=_to_utc)))
        at = max(at, entry.end, key=_to_utc)
    if _to_utc(at) < _to_utc(end):
        results.append((at, end))
    return [gap for gap in results if _to_utc(gap[1]) - _to_utc(gap[0]) >= MIN_GAP]


def _intersect(window: tuple[datetime, datetime], span: tuple[datetime, datetime]) -> tuple[datetime, datetime] | None:
    start, end = max(window[0], span[0], key=_to_utc), min(window[1], span[1], key=_to_utc)
    return (start, end) if _to_utc(start) < _to_utc(end) else None


def _overlaps(item: tuple[datetime, datetime], other: tuple[datetime, datetime]) -> bool:
    return _to_utc(item[0]) < _to_utc(other[1]) and _to_utc(other[0]) < _to_utc(item[1])


def _to_utc(at: datetime) -> datetime:
    """Convert a time to UTC.

    Python compares times in the same zone by their local values, even if a local time occurs twice.
    """
    return at.astimezone(UTC)
