"""A chart as plain data for PDFs."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

from django.utils.translation import gettext

from workspace.lib import name_order
from workspace.lib.name_order import Order
from workspace.publishing.language import DEFAULT_LANGUAGE


@dataclass(frozen=True, slots=True)
class PrintGuest:
    """A guest.

    `table` is a table id or empty. `meals` has an entry for each course, which is empty if none was chosen.
    """

    name: str
    table: str = ""
    sort_name: str = ""
    party: str = ""
    meals: Sequence[str] = ()
    diet: Sequence[str] = ()
    notes: str = ""
    seat: int | None = None
    chair: str = ""
    diets_in_notes: Sequence[str] = ()  # diets named in the notes, for the kitchen


@dataclass(frozen=True, slots=True)
class PrintItem:
    """A table, or an object of the room (`seats` is 0 and `kind` is its kind). Its center is at x, y."""

    id: str
    name: str
    shape: str = "round"
    seats: int = 0
    x: float = 0.0
    y: float = 0.0
    width: float = 0.0
    depth: float = 0.0
    rotation: float = 0.0
    has_end_seats: bool = False
    kind: str = "table"
    note: str = ""


@dataclass(frozen=True, slots=True)
class PrintChart:
    """A chart.

    `tables` are in their reading order. `room` is the width and depth in centimeters. `day` is formatted text.
    `courses` are names. `typeface` and `main_color` come from the brand.
    """

    title: str
    tables: Sequence[PrintItem] = ()
    objects: Sequence[PrintItem] = ()
    guests: Sequence[PrintGuest] = ()
    room: tuple[float, float] = (2000.0, 1500.0)
    day: str = ""
    venue: str = ""
    courses: Sequence[str] = ()
    choices: Sequence[Sequence[str]] = ()  # for each course
    units: str = "cm"
    language: str = DEFAULT_LANGUAGE
    name_order: Order = name_order.DEFAULT_ORDER
    typeface: str = "Playfair Display"
    main_color: str = "#1f3a5f"
    table_labels: dict[str, str] = field(default_factory=dict, compare=False)  # labels by table id

    def table_label_for(self, guest: PrintGuest) -> str:
        """Return the label of the guest's table, or an empty string if they have none."""
        if not self.table_labels:
            self.table_labels.update({table.id: table_label(table.name) for table in self.tables})
        return self.table_labels.get(guest.table, "")

    def guests_at(self, table: PrintItem) -> list[PrintGuest]:
        return [guest for guest in self.guests if guest.table == table.id]

    @property
    def day_and_venue(self) -> str:
        return " · ".join(filter(None, (self.day, self.venue)))


def table_label(name: str) -> str:
    """Return `Table 7` for a number. Return other names such as `Head table` unchanged."""
    return gettext("Table %(name)s") % {"name": name} if name.isdigit() else name
