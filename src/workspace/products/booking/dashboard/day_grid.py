"""Days of a page as its owner sees them: what is booked, what is blocked, what is free, in the page's zone."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import UTC, date, datetime, time, timedelta
from math import gcd
from typing import Any

from workspace.dashboard.session import SignedInRequest
from workspace.dashboard.tool_views import call_tool
from workspace.delivery.calendars import list_busy_periods
from workspace.products.booking.api import booking_tools
from workspace.products.booking.dashboard.presenters import present_booking
from workspace.products.booking.models import BookingPage

BATCH_SIZE = 200
DAY_MINUTES = 24 * 60  # minutes
SLOT_LENGTHS = (30, 15, 10, 5)  # minutes of a week's line
FIRST_HOUR, LAST_HOUR = 8, 18  # the hours that a week shows at least
MIN_GAP = timedelta(minutes=5)  # of a gap that is worth telling


@dataclass(slots=True)
class GridEntry:
    """`what`: booking, block, event or free. `row` is a booking as `present_booking` makes it."""

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
    """`rows`: over how many lines it reaches; `at`: when it begins, as a form takes it."""

    at: str
    rows: int = 1
    state: str = "closed"
    entries: list[GridEntry] = field(default_factory=list)


@dataclass(slots=True)
class GridWeek:
    """`slot`: minutes of a line; `hour`: how many lines an hour has. A line that begins an hour is named by it."""

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
    found = []
    for ahead in range(count):
        day = first + timedelta(days=ahead)
        span = (datetime.combine(day, time.min, zone), datetime.combine(day + timedelta(days=1), time.min, zone))
        booked = [
            GridEntry("booking", row["at"], row["until"], id=row["id"], row=row)
            for row in rows
            if row["is_live"] and _overlaps((row["at"], row["until"]), span)
        ]
        others = [one for one in blocked if _overlaps((one.start, one.end), span)]
        free = [
            GridEntry("free", *gap)
            for window in windows
            for gap in _find_gaps(_intersect(window, span), [*booked, *others])
        ]
        found.append(
            GridDay(
                day,
                day == today,
                sorted([*booked, *others, *free], key=lambda one: (_to_utc(one.start), one.what != "booking")),
                [row for row in rows if not row["is_live"] and row["at"].date() == day],
                any(_overlaps(window, span) for window in windows),
            )
        )
    return found


def trim_past_gaps(entries: Iterable[GridEntry], now: datetime) -> list[GridEntry]:
    """With what is free just now as free from the next quarter of an hour on: earlier than that nobody comes."""
    quarter = timedelta(minutes=15)
    soon = now + (-timedelta(minutes=now.minute, seconds=now.second, microseconds=now.microsecond)) % quarter
    found = []
    for one in entries:
        if one.what == "free" and _to_utc(one.start) < _to_utc(now) < _to_utc(one.end):
            if _to_utc(soon) + MIN_GAP > _to_utc(one.end):
                continue
            one = replace(one, start=soon)
        found.append(one)
    return found


def slot_length(page: BookingPage) -> int:
    """Half an hour, or less where times that guests are offered would not begin a line: so one can be dragged there."""
    steps = [service.start_interval for service in page.services.all()]
    opens = [int(window["from"][3:]) for window in page.hours]
    all_lie_on = gcd(*steps, *opens, SLOT_LENGTHS[0])
    return next((slot for slot in SLOT_LENGTHS if all_lie_on % slot == 0), SLOT_LENGTHS[-1])


def build_week(days: Sequence[GridDay], slot: int) -> GridWeek:
    """The same as a table, what overlaps in one cell: a cell reaches as far as what stands in it."""
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
    """Cells by the line in which they begin; those that a longer one covers are left out."""
    cells = {place: GridCell(_input_value(day.date, place * slot)) for place in range(DAY_MINUTES // slot)}
    spans: list[tuple[int, int, list[GridEntry]]] = []
    for entry in day.entries:
        begin, end = _slot_range(entry, day.date, slot)
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


def _slot_range(entry: GridEntry, day: date, slot: int) -> tuple[int, int]:
    """The lines from the one in which it begins to behind the one in which it ends, by the clocks of that day."""
    begin = _minute_of_day(entry.start) // slot if entry.start.date() >= day else 0
    end = -(-_minute_of_day(entry.end) // slot) if entry.end.date() <= day else DAY_MINUTES // slot
    return begin, max(begin + 1, end)


def _minute_of_day(at: datetime) -> int:
    return at.hour * 60 + at.minute


def _input_value(day: date, minute: int) -> str:
    return f"{day.isoformat()}T{minute // 60:02d}:{minute % 60:02d}"


def _load_bookings(request: SignedInRequest, page: BookingPage, first: date, last: date) -> list[Mapping[str, Any]]:
    """All of these dates, and what runs into the first of them."""
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
    """Blocks, and what calendars hold."""
    zone = page.zone
    blocks = page.resource.blocks.filter(ends_at__gt=begin, starts_at__lt=end)
    found = [
        GridEntry("block", one.starts_at.astimezone(zone), one.ends_at.astimezone(zone), one.reason, one.pk)
        for one in blocks
    ]
    held = list_busy_periods(page.account, begin, end, zone=zone, page_id=page.pk)
    return found + [GridEntry("event", one.start.astimezone(zone), one.end.astimezone(zone), one.title) for one in held]


def _find_gaps(window: tuple[datetime, datetime] | None, taken: Iterable[GridEntry]) -> list[tuple[datetime, datetime]]:
    """What is left of a window."""
    if window is None:
        return []
    at, end = window
    found = []
    for one in sorted(taken, key=lambda one: _to_utc(one.start)):
        if _to_utc(one.start) > _to_utc(at) and _to_utc(at) < _to_utc(end):
            found.append((at, min(one.start, end, key=_to_utc)))
        at = max(at, one.end, key=_to_utc)
    if _to_utc(at) < _to_utc(end):
        found.append((at, end))
    return [gap for gap in found if _to_utc(gap[1]) - _to_utc(gap[0]) >= MIN_GAP]


def _intersect(window: tuple[datetime, datetime], span: tuple[datetime, datetime]) -> tuple[datetime, datetime] | None:
    start, end = max(window[0], span[0], key=_to_utc), min(window[1], span[1], key=_to_utc)
    return (start, end) if _to_utc(start) < _to_utc(end) else None


def _overlaps(one: tuple[datetime, datetime], other: tuple[datetime, datetime]) -> bool:
    return _to_utc(one[0]) < _to_utc(other[1]) and _to_utc(other[0]) < _to_utc(one[1])


def _to_utc(at: datetime) -> datetime:
    """Times of one zone are compared by their clocks, also where these show one twice."""
    return at.astimezone(UTC)
