"""The floor plan as a picture: tables with their chairs and who sits on them, drawn from their rows. Lengths are
centimetres, so that a browser moves things by the numbers that are stored."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from django.utils.translation import gettext

from workspace.lib.name_order import USUAL, Order, split_in
from workspace.lib.person_name import initials
from workspace.lib.text import counted
from workspace.products.seat.rules import geometry

KINDS = {
    "dance_floor": "Dance floor", "stage": "Stage", "bar": "Bar", "buffet": "Buffet", "door": "Door",
    "pillar": "Pillar", "wall": "Wall", "other": "Something else",
}  # fmt: skip
SHAPES = {
    "round": "Round", "rectangle": "Rectangle", "square": "Square", "oval": "Oval", "half_round": "Half round",
    "head": "Head table", "row": "Row of chairs",
}  # fmt: skip
GUEST_KINDS = {
    "dance_floor": lambda: gettext("Dance floor"), "stage": lambda: gettext("Stage"), "bar": lambda: gettext("Bar"),
    "buffet": lambda: gettext("Buffet"), "door": lambda: gettext("Entrance"), "pillar": lambda: gettext("Pillar"),
    "wall": lambda: gettext("Wall"),
}  # fmt: skip


ON_A_CHAIR = 9  # letters of a name


@dataclass(frozen=True, slots=True)
class Seat:
    """A chair, by its middle and the way it faces; `who` are the initials of who sits there, empty for a free one;
    `given` and `family` their names in so many letters as a chair has room for."""

    x: float
    y: float
    facing: float
    who: str = ""
    arrived: bool = False
    given: str = ""
    family: str = ""


@dataclass(frozen=True, slots=True)
class Drawn:
    """A table or an object as the template draws it. `marks` are what to look at: a sign, and what it means."""

    id: str
    kind: str
    name: str
    shape: str
    x: float
    y: float
    width: float
    depth: float
    rotation: float
    capacity: int = 0
    taken: int = 0
    colour: str = ""
    locked: bool = False
    closed: bool = False
    seats: Sequence[Seat] = ()
    names: Sequence[str] = ()
    meals: str = ""
    marks: Sequence[tuple[str, str]] = ()
    path: str = field(default="")

    @property
    def is_table(self) -> bool:
        return self.kind == "table"

    @property
    def free(self) -> int:
        return self.capacity - self.taken

    @property
    def called(self) -> str:
        """`Table 7`, `Roses`, `Stage`."""
        if not self.is_table:
            return self.name or KINDS.get(self.kind, self.kind)
        return f"Table {self.name}" if self.name.isdigit() else self.name

    @property
    def guest_name(self) -> str:
        """What a guest reads of it, in their language."""
        return self.name or GUEST_KINDS.get(self.kind, lambda: "")()

    @property
    def size(self) -> int:
        """Of its name's letters."""
        room = min(self.width, self.depth) if self.is_table else max(self.width, self.depth)
        words = self.name if self.is_table else self.called
        fits = max(self.width, self.depth) * 1.5 / max(3, len(words))
        return round(max(14, min(48, room * 0.42, fits)))

    @property
    def is_flat(self) -> bool:
        """Too low for two lines."""
        return self.depth < 110

    @property
    def left(self) -> float:
        return -self.width / 2

    @property
    def top(self) -> float:
        return -self.depth / 2

    @property
    def said(self) -> str:
        """For who hears the plan."""
        if not self.is_table:
            return self.called
        taken = f"{self.taken} of {counted(self.capacity, 'seat')} taken"
        shut = "closed" if self.closed else ""
        return ", ".join(filter(None, (self.called, taken, shut, *(why for _, why in self.marks))))


def table(row: Mapping[str, Any], marks: Sequence[tuple[str, str]] = (), order: Order = USUAL) -> Drawn:
    """Of a `TableRow`; `order` says which part of a name is the surname."""
    guests = row["guests"]
    return Drawn(
        **_place(row),
        kind="table",
        shape=row["shape"],
        capacity=row["capacity"],
        taken=len(guests),
        closed=row["closed"],
        seats=_seats(row, order),
        names=[guest["name"] for guest in guests],
        meals=_meals(guests),
        marks=marks,
        path=_half_round(row["width"], row["depth"]) if row["shape"] == "half_round" else "",
    )


def thing(row: Mapping[str, Any]) -> Drawn:
    """Of an `ObjectRow`."""
    return Drawn(**_place(row), kind=row["kind"], shape="round" if row["kind"] == "pillar" else "rectangle")


def _place(row: Mapping[str, Any]) -> dict[str, Any]:
    names = ("id", "name", "x", "y", "width", "depth", "rotation", "locked", "colour")
    return {name: row[name] for name in names}


def _seats(row: Mapping[str, Any], order: Order) -> list[Seat]:
    guests = list(row["guests"])
    count = max(row["capacity"], len(guests))  # one chair more than there should be is seen
    chairs = geometry.chairs(row["shape"], count, row["width"], row["depth"], ends=row["end_seats"])
    numbered = {guest["seat"]: guest for guest in guests if guest.get("seat")}
    rest = iter([guest for guest in guests if not guest.get("seat") or guest["seat"] > count])
    found = []
    for number, chair in enumerate(chairs, 1):
        guest = numbered.get(number) or next(rest, None)
        if guest is None:
            found.append(Seat(chair.x, chair.y, chair.facing))
            continue
        name = split_in(guest["name"], order)
        given, family = (name.given, name.family) if name.given and name.family else (guest["name"], "")
        who, here = initials(guest["name"], name), bool(guest.get("arrived"))
        found.append(Seat(chair.x, chair.y, chair.facing, who, here, _short(given), _short(family)))
    return found


def _short(name: str) -> str:
    """What a chair has room for: the first word, or its beginning."""
    word = name.split()[0] if name.split() else ""
    return word if len(word) <= ON_A_CHAIR else f"{word[: ON_A_CHAIR - 1]}…"


def _meals(guests: Iterable[Mapping[str, Any]]) -> str:
    counts: dict[str, int] = {}
    for guest in guests:
        if guest["meal"]:
            counts[guest["meal"]] = counts.get(guest["meal"], 0) + 1
    return ", ".join(f"{count} × {meal}" for meal, count in sorted(counts.items(), key=lambda one: -one[1]))


def _half_round(width: float, depth: float) -> str:
    w, d = width / 2, depth / 2
    return f"M{-w:g} {d:g}A{w:g} {depth:g} 0 0 1 {w:g} {d:g}Z"
