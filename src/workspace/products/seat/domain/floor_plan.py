"""The floor plan as a picture: tables with their chairs and guests, drawn from their rows.

Lengths are in centimeters, so a browser moves items by the same numbers that are stored.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from django.utils.translation import gettext

from workspace.lib.name_order import DEFAULT_ORDER, Order, split_by_order
from workspace.lib.person_name import initials
from workspace.owner_translation import OwnerText, owner_gettext, owner_gettext_lazy, owner_ngettext
from workspace.products.seat.rules import chair_geometry
from workspace.products.seat.rules.table_labels import format_table_label

OBJECT_LABELS: dict[str, OwnerText] = {
    "dance_floor": owner_gettext_lazy("Dance floor"),
    "stage": owner_gettext_lazy("Stage"),
    "bar": owner_gettext_lazy("Bar"),
    "buffet": owner_gettext_lazy("Buffet"),
    "door": owner_gettext_lazy("Entrance"),
    "pillar": owner_gettext_lazy("Pillar"),
    "wall": owner_gettext_lazy("Wall"),
    "other": owner_gettext_lazy("Other object"),
}
SHAPE_LABELS: dict[str, OwnerText] = {
    "round": owner_gettext_lazy("Round"),
    "rectangle": owner_gettext_lazy("Rectangle"),
    "square": owner_gettext_lazy("Square"),
    "oval": owner_gettext_lazy("Oval"),
    "half_round": owner_gettext_lazy("Half-round"),
    "head": owner_gettext_lazy("Head table"),
    "row": owner_gettext_lazy("Row of chairs"),
}
GUEST_OBJECT_LABELS = {
    "dance_floor": lambda: gettext("Dance floor"), "stage": lambda: gettext("Stage"), "bar": lambda: gettext("Bar"),
    "buffet": lambda: gettext("Buffet"), "door": lambda: gettext("Entrance"), "pillar": lambda: gettext("Pillar"),
    "wall": lambda: gettext("Wall"),
}  # fmt: skip


MAX_CHAIR_LETTERS = 9  # letters of a name on a chair


def format_length(value: float) -> str:
    """Format a length or an angle with a decimal point, regardless of the language."""
    return f"{round(value, 1):g}"


def format_item_label(name: str, kind: str) -> str:
    """Return the name of a table or an object as owners see it: `Table 7`, `Roses`, `Stage`."""
    return format_table_label(name) if kind == "table" else name or str(OBJECT_LABELS.get(kind, kind))


@dataclass(frozen=True, slots=True)
class Seat:
    """A chair: its center and the direction it faces.

    `initials` are its guest's initials, or empty for a free chair. `given` and `family` are names shortened to fit on a
    chair. `guest` is the `TableGuest` who sits there, and `diets` are the keys of their diets.
    """

    x: float
    y: float
    facing: float
    initials: str = ""
    arrived: bool = False
    given: str = ""
    family: str = ""
    guest: Mapping[str, Any] = field(default_factory=dict)
    diets: Sequence[str] = ()
    is_proposed: bool = False

    @property
    def place(self) -> str:
        """The position of the seat as an SVG transformation."""
        return f"translate({format_length(self.x)} {format_length(self.y)})"

    @property
    def svg_rotation(self) -> str:
        """The direction of the seat as an SVG transformation."""
        return f"rotate({format_length(self.facing)})"


@dataclass(frozen=True, slots=True)
class PlanItem:
    """A table or an object as the template draws it. `marks` are warnings: a sign and its meaning."""

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
    taken_seats: int = 0
    color: str = ""
    locked: bool = False
    closed: bool = False
    seats: Sequence[Seat] = ()
    names: Sequence[str] = ()
    meals: str = ""
    marks: Sequence[tuple[str, str]] = ()
    path: str = field(default="")
    is_outside: bool = False

    @property
    def svg_rotation(self) -> str:
        """The rotation of the item as an SVG transformation."""
        return f"rotate({format_length(self.rotation)})"

    @property
    def turn_back(self) -> str:
        """The SVG transformation that keeps the text of the item upright."""
        return f"rotate(-{format_length(self.rotation)})"

    @property
    def is_table(self) -> bool:
        return self.kind == "table"

    @property
    def free_seats(self) -> int:
        return self.capacity - self.taken_seats

    @property
    def display_name(self) -> str:
        """The name that owners see: `Table 7`, `Roses`, `Stage`."""
        return format_item_label(self.name, self.kind)

    @property
    def free_seats_label(self) -> str:
        """The number of free seats, as shown in lists of tables."""
        return owner_ngettext("%(count)s free seat", "%(count)s free seats", self.free_seats) % {
            "count": self.free_seats
        }

    @property
    def label_for_guests(self) -> str:
        """The name that guests see, in their language."""
        return self.name or GUEST_OBJECT_LABELS.get(self.kind, lambda: "")()

    @property
    def font_size(self) -> int:
        """The font size of the item's name."""
        room = min(self.width, self.depth) if self.is_table else max(self.width, self.depth)
        words = self.name if self.is_table else self.display_name
        fits = max(self.width, self.depth) * 1.5 / max(3, len(words))
        return round(max(14, min(48, room * 0.42, fits)))

    @property
    def is_flat(self) -> bool:
        """True if the item is too low for two lines of text."""
        return self.depth < 110

    @property
    def left(self) -> float:
        return -self.width / 2

    @property
    def top(self) -> float:
        return -self.depth / 2

    @property
    def accessible_text(self) -> str:
        """The text for screen readers."""
        if not self.is_table:
            return self.display_name
        taken = owner_ngettext(
            "%(taken)s of %(count)s seat taken", "%(taken)s of %(count)s seats taken", self.capacity
        ) % {"taken": self.taken_seats, "count": self.capacity}
        shut = owner_gettext("closed") if self.closed else ""
        return ", ".join(filter(None, (self.display_name, taken, shut, *(reason for _, reason in self.marks))))


def build_table(
    row: Mapping[str, Any],
    marks: Sequence[tuple[str, str]] = (),
    order: Order = DEFAULT_ORDER,
    *,
    diets: Mapping[str, Sequence[str]] | None = None,
    proposed: Collection[str] = (),
    is_outside: bool = False,
) -> PlanItem:
    """Build the plan item of a `TableData`.

    `order` says which part of a name is the surname. `diets` maps guests to keys of diets, and `proposed` contains the
    guests whom the proposal would move here.
    """
    guests = row["guests"]
    return PlanItem(
        **_position_fields(row),
        kind="table",
        shape=row["shape"],
        capacity=row["capacity"],
        taken_seats=len(guests),
        closed=row["closed"],
        seats=_build_seats(row, order, diets or {}, proposed),
        names=[guest["name"] for guest in guests],
        meals=_format_meals(guests),
        marks=marks,
        is_outside=is_outside,
        path=_half_round_path(row["width"], row["depth"]) if row["shape"] == "half_round" else "",
    )


def build_object(row: Mapping[str, Any]) -> PlanItem:
    """Build the plan item of an `ObjectData`."""
    return PlanItem(
        **_position_fields(row), kind=row["kind"], shape="round" if row["kind"] == "pillar" else "rectangle"
    )


def _position_fields(row: Mapping[str, Any]) -> dict[str, Any]:
    names = ("id", "name", "x", "y", "width", "depth", "rotation", "locked", "color")
    return {name: row[name] for name in names}


def _build_seats(
    row: Mapping[str, Any], order: Order, diets: Mapping[str, Sequence[str]], proposed: Collection[str]
) -> list[Seat]:
    guests = list(row["guests"])
    count = max(row["capacity"], len(guests))  # better to show a chair too many than to hide a guest
    chairs = chair_geometry.place_chairs(row["shape"], count, row["width"], row["depth"], ends=row["end_seats"])
    numbered = {guest["seat"]: guest for guest in guests if guest.get("seat")}
    rest = iter([guest for guest in guests if not guest.get("seat") or guest["seat"] > count])
    seats = []
    for number, chair in enumerate(chairs, 1):
        guest = numbered.get(number) or next(rest, None)
        if guest is None:
            seats.append(Seat(chair.x, chair.y, chair.facing))
            continue
        name = split_by_order(guest["name"], order)
        value, family = (name.given, name.family) if name.given and name.family else (guest["name"], "")
        who, here = initials(guest["name"], name), bool(guest.get("arrived"))
        seats.append(
            Seat(
                chair.x, chair.y, chair.facing, who, here, _shorten_name(value), _shorten_name(family),
                guest, diets.get(guest["id"], ()), guest["id"] in proposed,
            )
        )  # fmt: skip
    return seats


def _shorten_name(name: str) -> str:
    """Return the first word, shortened to fit on a chair."""
    word = name.split()[0] if name.split() else ""
    return word if len(word) <= MAX_CHAIR_LETTERS else f"{word[: MAX_CHAIR_LETTERS - 1]}…"


def _format_meals(guests: Iterable[Mapping[str, Any]]) -> str:
    counts: dict[str, int] = {}
    for guest in guests:
        if guest["meal"]:
            counts[guest["meal"]] = counts.get(guest["meal"], 0) + 1
    return ", ".join(f"{count} × {meal}" for meal, count in sorted(counts.items(), key=lambda item: -item[1]))


def _half_round_path(width: float, depth: float) -> str:
    w, d = width / 2, depth / 2
    return f"M{-w:g} {d:g}A{w:g} {depth:g} 0 0 1 {w:g} {d:g}Z"
