"""What a chart says on paper, as data: for the kitchen, the door and everybody who looks for their table. Files and
prints are made of these, and of nothing else."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

from workspace.products.seat.models import Chart, Guest, Reply, Table
from workspace.products.seat.rows import tables_of
from workspace.publishing.diets import DIETS
from workspace.toolkit.text import fold

NO_MEAL = ""  # of a guest who has not chosen yet


@dataclass(frozen=True, slots=True)
class Seated:
    """One guest on a list: `table` is empty for who has none."""

    name: str
    sort_name: str
    party: str
    table: str
    seat: int | None
    meals: tuple[str, ...]
    diet: tuple[str, ...]  # in words
    notes: str
    chair: str
    wheelchair: bool
    reply: str
    arrived: bool
    placeholder: bool
    note_of_table: str = ""


@dataclass(frozen=True, slots=True)
class AtTable:
    """A table with those who sit there, in the order of their chairs."""

    id: str
    name: str
    capacity: int
    guests: tuple[Seated, ...]
    note: str = ""


@dataclass(frozen=True, slots=True)
class Course:
    """What the kitchen cooks of one course: `by_table[table][meal]`, `totals[meal]`, and who has not chosen. The
    numbers of all meals and of those without one are together everybody who comes."""

    name: str
    meals: tuple[str, ...]  # in the order of the chart's choices, other words behind them
    by_table: dict[str, Counter[str]]
    totals: Counter[str]
    missing: tuple[Seated, ...]

    @property
    def total(self) -> int:
        return sum(self.totals.values()) + len(self.missing)


@dataclass(frozen=True, slots=True)
class Kitchen:
    """`needs` are guests with a diet, an allergy or a note; `guests` how many come."""

    guests: int
    seated: int
    tables: tuple[AtTable, ...]
    courses: tuple[Course, ...]
    diets: Counter[str]
    needs: tuple[Seated, ...]
    chairs: Counter[str]  # child, high, wheelchair


def by_table(chart: Chart) -> list[AtTable]:
    """For the poster by table and the table numbers: tables in natural order, empty ones too."""
    sitting: dict[str, list[Guest]] = {}
    for guest in _coming(chart):
        if guest.table_id is not None:
            sitting.setdefault(guest.table_id, []).append(guest)
    return [_at(table, sitting.get(table.pk, [])) for table in tables_of(chart)]


def kitchen(chart: Chart) -> Kitchen:
    """Who is seated is cooked for; who comes and has no table is told apart by `guests` less `seated`."""
    coming = _coming(chart)
    tables = by_table(chart)
    people = [one for table in tables for one in table.guests]
    people += [_seated(guest) for guest in coming if guest.table_id is None]
    names = [course["name"] for course in chart.courses] or ["Meal"]
    courses = tuple(
        _course(chart, number, name, tables, people)
        for number, name in enumerate(names)
        if chart.courses or any(one.meals for one in people)
    )
    chairs = Counter(one.chair for one in people if one.chair)
    if wheelchairs := sum(one.wheelchair for one in people):
        chairs["wheelchair"] = wheelchairs
    return Kitchen(
        guests=len(coming),
        seated=sum(guest.table_id is not None for guest in coming),
        tables=tuple(tables),
        courses=courses,
        diets=Counter(diet for one in people for diet in one.diet),
        needs=tuple(one for one in people if one.diet or one.notes or one.chair or one.wheelchair),
        chairs=chairs,
    )


def _course(chart: Chart, number: int, name: str, tables: Sequence[AtTable], people: Sequence[Seated]) -> Course:
    def meal(one: Seated) -> str:
        return one.meals[number] if number < len(one.meals) else NO_MEAL

    totals = Counter(meal(one) for one in people if meal(one))
    choices = chart.courses[number]["choices"] if number < len(chart.courses) else []
    order = list(choices)
    order += sorted(set(totals) - set(order))
    return Course(
        name=name,
        meals=tuple(order),
        by_table={table.name: Counter(meal(one) for one in table.guests if meal(one)) for table in tables},
        totals=totals,
        missing=tuple(one for one in people if not meal(one)),
    )


def _coming(chart: Chart) -> list[Guest]:
    return list(chart.guests.exclude(reply=Reply.NO).select_related("table"))


def _at(table: Table, guests: Sequence[Guest]) -> AtTable:
    order = sorted(guests, key=lambda guest: (guest.seat or 999, guest.party_key, fold(guest.sort_name), guest.pk))
    return AtTable(table.pk, table.name, table.capacity, tuple(map(_seated, order)), table.note)


def _seated(guest: Guest) -> Seated:
    table = guest.table
    return Seated(
        name=guest.name,
        sort_name=guest.sort_name or guest.name,
        party=guest.party,
        table=table.name if table is not None else "",
        seat=guest.seat,
        meals=tuple(guest.meals),
        diet=tuple(DIETS[key].label for key in guest.diet if key in DIETS),
        notes=guest.notes,
        chair=guest.chair,
        wheelchair=guest.wheelchair,
        reply=guest.reply,
        arrived=guest.arrived_at is not None,
        placeholder=guest.placeholder,
        note_of_table=table.note if table is not None else "",
    )
