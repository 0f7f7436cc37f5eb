"""Days of a page as its owner sees them: what is booked, what is blocked, what is free, in the page's zone."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import UTC, date, datetime, time, timedelta
from math import gcd
from typing import Any

from workspace.dashboard.session import SignedInRequest
from workspace.dashboard.tool_views import call
from workspace.delivery.calendars import busy
from workspace.products.booking.api import booking_tools
from workspace.products.booking.dashboard.presenters import shown
from workspace.products.booking.models import BookingPage

AT_ONCE = 200
DAY = 24 * 60  # minutes
SLOTS = (30, 15, 10, 5)  # minutes of a week's line
EARLY, LATE = 8, 18  # the hours that a week shows at least
SHORTEST = timedelta(minutes=5)  # of a gap that is worth telling


@dataclass(slots=True)
class Entry:
    """`what`: booking, block, event or free. `row` is a booking as `shown` makes it."""

    what: str
    start: datetime
    end: datetime
    about: str = ""
    id: str = ""
    row: Mapping[str, Any] = field(default_factory=dict)


@dataclass(slots=True)
class Day:
    date: date
    is_today: bool
    entries: list[Entry]
    gone: list[Mapping[str, Any]]  # cancelled and expired ones
    is_open: bool


@dataclass(slots=True)
class Cell:
    """`rows`: over how many lines it reaches; `at`: when it begins, as a form takes it."""

    at: str
    rows: int = 1
    state: str = "closed"
    entries: list[Entry] = field(default_factory=list)


@dataclass(slots=True)
class Week:
    """`slot`: minutes of a line; `hour`: how many lines an hour has. A line that begins an hour is named by it."""

    days: list[Day]
    slot: int
    hour: int
    lines: list[tuple[str, list[Cell]]]


def days_of(request: SignedInRequest, page: BookingPage, first: date, count: int, today: date) -> list[Day]:
    last = first + timedelta(days=count - 1)
    rows = _booked(request, page, first, last)
    zone = page.zone
    begin = datetime.combine(first, time.min, zone)
    end = datetime.combine(last + timedelta(days=1), time.min, zone)
    blocked = _others(page, begin.astimezone(UTC), end.astimezone(UTC))
    opening = page.opening(first - timedelta(days=2), last + timedelta(days=1))
    windows = [
        (datetime.fromtimestamp(a, zone), datetime.fromtimestamp(b, zone))
        for a, b in opening.windows(first - timedelta(days=2), last)
    ]
    found = []
    for ahead in range(count):
        day = first + timedelta(days=ahead)
        span = (datetime.combine(day, time.min, zone), datetime.combine(day + timedelta(days=1), time.min, zone))
        booked = [
            Entry("booking", row["at"], row["until"], id=row["id"], row=row)
            for row in rows
            if row["is_live"] and _meet((row["at"], row["until"]), span)
        ]
        others = [one for one in blocked if _meet((one.start, one.end), span)]
        free = [Entry("free", *gap) for window in windows for gap in _gaps(_cut(window, span), [*booked, *others])]
        found.append(
            Day(
                day,
                day == today,
                sorted([*booked, *others, *free], key=lambda one: (_utc(one.start), one.what != "booking")),
                [row for row in rows if not row["is_live"] and row["at"].date() == day],
                any(_meet(window, span) for window in windows),
            )
        )
    return found


def from_now(entries: Iterable[Entry], now: datetime) -> list[Entry]:
    """With what is free just now as free from the next quarter of an hour on: earlier than that nobody comes."""
    quarter = timedelta(minutes=15)
    soon = now + (-timedelta(minutes=now.minute, seconds=now.second, microseconds=now.microsecond)) % quarter
    found = []
    for one in entries:
        if one.what == "free" and _utc(one.start) < _utc(now) < _utc(one.end):
            if _utc(soon) + SHORTEST > _utc(one.end):
                continue
            one = replace(one, start=soon)
        found.append(one)
    return found


def slot_of(page: BookingPage) -> int:
    """Half an hour, or less where times that guests are offered would not begin a line: so one can be dragged there."""
    steps = [service.step for service in page.services.all()]
    opens = [int(window["from"][3:]) for window in page.hours]
    all_lie_on = gcd(*steps, *opens, SLOTS[0])
    return next((slot for slot in SLOTS if all_lie_on % slot == 0), SLOTS[-1])


def week_of(days: Sequence[Day], slot: int) -> Week:
    """The same as a table, what overlaps in one cell: a cell reaches as far as what stands in it."""
    columns, hour = [_column(day, slot) for day in days], 60 // slot
    taken = [place for column in columns for place, cell in column.items() if cell.state != "closed"]
    ends = [place + column[place].rows for column in columns for place in column if column[place].state != "closed"]
    first, last = min([EARLY * hour, *taken]), max([LATE * hour, *ends])
    lines = []
    for place in range(first - first % hour, last + -last % hour):
        name = f"{place // hour:02d}:00" if place % hour == 0 else ""
        lines.append((name, [column[place] for column in columns if place in column]))
    return Week(list(days), slot, hour, lines)


def _column(day: Day, slot: int) -> dict[int, Cell]:
    """Cells by the line in which they begin; those that a longer one covers are left out."""
    cells = {place: Cell(_input(day.date, place * slot)) for place in range(DAY // slot)}
    spans: list[tuple[int, int, list[Entry]]] = []
    for entry in day.entries:
        begin, end = _places(entry, day.date, slot)
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


def _places(entry: Entry, day: date, slot: int) -> tuple[int, int]:
    """The lines from the one in which it begins to behind the one in which it ends, by the clocks of that day."""
    begin = _minute(entry.start) // slot if entry.start.date() >= day else 0
    end = -(-_minute(entry.end) // slot) if entry.end.date() <= day else DAY // slot
    return begin, max(begin + 1, end)


def _minute(at: datetime) -> int:
    return at.hour * 60 + at.minute


def _input(day: date, minute: int) -> str:
    return f"{day.isoformat()}T{minute // 60:02d}:{minute % 60:02d}"


def _booked(request: SignedInRequest, page: BookingPage, first: date, last: date) -> list[Mapping[str, Any]]:
    """All of these dates, and what runs into the first of them."""
    rows: list[Mapping[str, Any]] = []
    span = {"from": (first - timedelta(days=1)).isoformat(), "to": last.isoformat()}
    while True:
        some = call(
            request,
            booking_tools.list_bookings,
            page_id=page.pk,
            upcoming=False,
            limit=AT_ONCE,
            offset=len(rows),
            **span,
        )
        rows += [shown(row, page.zone) for row in some["items"]]
        if not some["has_more"]:
            return rows


def _others(page: BookingPage, begin: datetime, end: datetime) -> list[Entry]:
    """Blocks, and what calendars hold."""
    zone = page.zone
    blocks = page.resource.blocks.filter(ends_at__gt=begin, starts_at__lt=end)
    found = [
        Entry("block", one.starts_at.astimezone(zone), one.ends_at.astimezone(zone), one.reason, one.pk)
        for one in blocks
    ]
    held = busy(page.account, begin, end, zone=zone, page_id=page.pk)
    return found + [Entry("event", one.start.astimezone(zone), one.end.astimezone(zone), one.title) for one in held]


def _gaps(window: tuple[datetime, datetime] | None, taken: Iterable[Entry]) -> list[tuple[datetime, datetime]]:
    """What is left of a window."""
    if window is None:
        return []
    at, end = window
    found = []
    for one in sorted(taken, key=lambda one: _utc(one.start)):
        if _utc(one.start) > _utc(at) and _utc(at) < _utc(end):
            found.append((at, min(one.start, end, key=_utc)))
        at = max(at, one.end, key=_utc)
    if _utc(at) < _utc(end):
        found.append((at, end))
    return [gap for gap in found if _utc(gap[1]) - _utc(gap[0]) >= SHORTEST]


def _cut(window: tuple[datetime, datetime], span: tuple[datetime, datetime]) -> tuple[datetime, datetime] | None:
    start, end = max(window[0], span[0], key=_utc), min(window[1], span[1], key=_utc)
    return (start, end) if _utc(start) < _utc(end) else None


def _meet(one: tuple[datetime, datetime], other: tuple[datetime, datetime]) -> bool:
    return _utc(one[0]) < _utc(other[1]) and _utc(other[0]) < _utc(one[1])


def _utc(at: datetime) -> datetime:
    """Times of one zone are compared by their clocks, also where these show one twice."""
    return at.astimezone(UTC)
