"""The print version of a program: pages for its days, with as many rooms side by side as can be read."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from workspace.products.event.public.guest_program import DayView, GuestProgram, SessionLine

MAX_PORTRAIT_ROOMS, MAX_LANDSCAPE_ROOMS = 5, 6  # rooms side by side on a page


@dataclass(frozen=True, slots=True)
class PrintSlot:
    """The sessions that start at the same time, each with its column, which is 0 for none.

    `number` is the same on all pages of a day.
    """

    number: int
    start: str
    lines: Sequence[tuple[SessionLine, int]]


@dataclass(frozen=True, slots=True)
class PrintSheet:
    """A page for a day or for some of its rooms. Sessions without a room are on every page."""

    day: DayView
    number: int
    sheet_count: int
    rooms: Sequence[str]
    is_landscape: bool
    parts: Sequence[PrintSlot]

    @property
    def grid_class(self) -> str:
        return f" n{len(self.rooms)}" if self.rooms else ""


def build_sheets(guest_program: GuestProgram, *, as_list: bool) -> list[PrintSheet]:
    """Build the pages. With `as_list`, sessions of all rooms are in a single column."""
    return [sheet for day in guest_program.days for sheet in _build_day(day, listed=as_list)]


def _build_day(day: DayView, *, listed: bool) -> Iterator[PrintSheet]:
    count = len(day.rooms)
    if listed or count < 2:
        yield _build_sheet(day, 1, 1, [], is_across=False)
        return
    is_across = count > MAX_PORTRAIT_ROOMS
    of = -(-count // MAX_LANDSCAPE_ROOMS) if is_across else 1
    for number in range(of):  # distributed as evenly as possible
        rooms = day.rooms[number * count // of : (number + 1) * count // of]
        yield _build_sheet(day, number + 1, of, rooms, is_across=is_across)


def _build_sheet(day: DayView, number: int, of: int, rooms: Sequence[str], *, is_across: bool) -> PrintSheet:
    columns = {name: place for place, name in enumerate(rooms, start=1)}
    parts = []
    for place, hour in enumerate(day.hours):
        here = [line for line in hour.lines if not rooms or not line.room or line.room in columns]
        if here:
            parts.append(PrintSlot(place, hour.start, [(line, columns.get(line.room, 0)) for line in here]))
    return PrintSheet(day, number, of, rooms, is_across, parts)
