"""A chart as papers take it: plain data, whatever the rows are."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

from django.utils.translation import gettext

from workspace.lib import name_order
from workspace.lib.name_order import Order
from workspace.publishing.language import USUAL


@dataclass(frozen=True, slots=True)
class Seated:
    """A guest. `table` is the id of theirs or empty; `meals` one word for each course, empty for none chosen."""

    name: str
    table: str = ""
    sort_name: str = ""
    party: str = ""
    meals: Sequence[str] = ()
    diet: Sequence[str] = ()
    notes: str = ""
    seat: int | None = None
    chair: str = ""
    noted: Sequence[str] = ()  # diets that the notes name, for the kitchen


@dataclass(frozen=True, slots=True)
class Placed:
    """A table, or an object of the room (`seats` 0, `kind` says what). Its middle stands at x, y."""

    id: str
    name: str
    shape: str = "round"
    seats: int = 0
    x: float = 0.0
    y: float = 0.0
    width: float = 0.0
    depth: float = 0.0
    rotation: float = 0.0
    ends: bool = False
    kind: str = "table"
    note: str = ""


@dataclass(frozen=True, slots=True)
class Chart:
    """`tables` in the order in which they are read; `room` is its width and depth in centimetres; `day` as written;
    `courses` their names; `face` and `main` come from the brand."""

    title: str
    tables: Sequence[Placed] = ()
    objects: Sequence[Placed] = ()
    guests: Sequence[Seated] = ()
    room: tuple[float, float] = (2000.0, 1500.0)
    day: str = ""
    venue: str = ""
    courses: Sequence[str] = ()
    choices: Sequence[Sequence[str]] = ()  # of each course
    units: str = "cm"
    language: str = USUAL
    name_order: Order = name_order.USUAL
    face: str = "Playfair Display"
    main: str = "#1f3a5f"
    called: dict[str, str] = field(default_factory=dict, compare=False)  # ids of tables to how they are called

    def table_of(self, guest: Seated) -> str:
        """How their table is called, empty where they have none."""
        if not self.called:
            self.called.update({table.id: called(table.name) for table in self.tables})
        return self.called.get(guest.table, "")

    def at(self, table: Placed) -> list[Seated]:
        return [guest for guest in self.guests if guest.table == table.id]

    @property
    def about(self) -> str:
        return " · ".join(filter(None, (self.day, self.venue)))


def called(name: str) -> str:
    """`Table 7`, and `Head table` as it is."""
    return gettext("Table %(name)s") % {"name": name} if name.isdigit() else name
