"""A program on paper: its days as sheets, each with as many rooms side by side as can be read."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from workspace.products.event.public.program_view import Board, DayShown, Line

MOST_UPRIGHT, MOST_ACROSS = 5, 6  # rooms beside one another on a sheet that stands, and on one that lies


@dataclass(frozen=True, slots=True)
class Part:
    """What begins at one moment; `number` is the same on all sheets of a day. Each line with its column, 0 for none."""

    number: int
    start: str
    lines: Sequence[tuple[Line, int]]


@dataclass(frozen=True, slots=True)
class Sheet:
    """A day, or some of its rooms; what is in no room stands on each."""

    day: DayShown
    number: int
    of: int
    rooms: Sequence[str]
    is_across: bool
    parts: Sequence[Part]

    @property
    def columns(self) -> str:
        return f" n{len(self.rooms)}" if self.rooms else ""


def sheets(board: Board, *, listed: bool) -> list[Sheet]:
    """`listed`: one below the other, whatever the rooms."""
    return [sheet for day in board.days for sheet in _of_day(day, listed=listed)]


def _of_day(day: DayShown, *, listed: bool) -> Iterator[Sheet]:
    count = len(day.rooms)
    if listed or count < 2:
        yield _sheet(day, 1, 1, [], is_across=False)
        return
    is_across = count > MOST_UPRIGHT
    of = -(-count // MOST_ACROSS) if is_across else 1
    for number in range(of):  # as even as they go
        rooms = day.rooms[number * count // of : (number + 1) * count // of]
        yield _sheet(day, number + 1, of, rooms, is_across=is_across)


def _sheet(day: DayShown, number: int, of: int, rooms: Sequence[str], *, is_across: bool) -> Sheet:
    columns = {name: place for place, name in enumerate(rooms, start=1)}
    parts = []
    for place, hour in enumerate(day.hours):
        here = [line for line in hour.lines if not rooms or not line.room or line.room in columns]
        if here:
            parts.append(Part(place, hour.start, [(line, columns.get(line.room, 0)) for line in here]))
    return Sheet(day, number, of, rooms, is_across, parts)
