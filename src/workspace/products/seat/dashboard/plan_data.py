"""A chart as its planners see it, and what of it has changed since a version: tables with their marks, guests in the
order of their list."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from workspace.lib.text import fold
from workspace.products.seat.api.serializers import guest_row, object_row, table_rows
from workspace.products.seat.domain import floor_plan, solver_snapshot
from workspace.products.seat.domain.guests import order_of
from workspace.products.seat.domain.queries import tables_of
from workspace.products.seat.models import Chart, Guest, Reply, Table
from workspace.publishing.diets import DIETS

APART, SPLIT, OVER = "≠", "½", "!"


@dataclass(frozen=True, slots=True)
class Board:
    """`tables` and `objects` are drawn, `guests` are rows; of what was asked for."""

    chart: Chart
    tables: Sequence[floor_plan.Drawn]
    objects: Sequence[floor_plan.Drawn]
    guests: Sequence[Mapping[str, Any]]
    gone: Sequence[str]
    seated: int
    total: int
    whole: bool = True

    @property
    def unseated(self) -> Sequence[Mapping[str, Any]]:
        return [row for row in self.guests if not row["table_id"]]

    @property
    def sitting(self) -> Sequence[Mapping[str, Any]]:
        return [row for row in self.guests if row["table_id"]]

    @property
    def waiting(self) -> int:
        """Who comes and has no table."""
        return self.total - self.seated


def board_of(chart: Chart, since: int | None = None) -> Board:
    """All of it, or what has changed after a version where that is known."""
    touched = None if since is None else _touched(chart, since)
    standing = tables_of(chart)
    people = list(chart.guests.select_related("table"))
    marks = _marks(chart, standing, people)
    rows = table_rows(standing, people)
    things = [table for table in chart.tables.all() if not table.is_table]
    coming = [guest for guest in people if guest.reply != Reply.NO]
    shown = sorted(people, key=lambda guest: (fold(guest.sort_name or guest.name), guest.pk))
    if touched is not None:
        ids = touched[0]
        near = _near(people, ids)
        rows = [row for row in rows if row["id"] in near]
        things = [table for table in things if table.pk in ids]
        shown = [guest for guest in shown if guest.pk in ids]
    return Board(
        chart=chart,
        tables=[floor_plan.table(row, marks.get(row["id"], ()), order_of(chart)) for row in rows],
        objects=[floor_plan.thing(object_row(table)) for table in things],
        guests=[_line(guest) for guest in shown],
        gone=sorted(touched[1]) if touched is not None else (),
        seated=sum(guest.table_id is not None for guest in coming),
        total=len(coming),
        whole=touched is None,
    )


def _line(guest: Guest) -> dict[str, Any]:
    diet = [DIETS[key].called if key in DIETS else key for key in guest.diet]
    more = {"find": fold(f"{guest.name} {guest.party}"), "comes": guest.reply != Reply.NO, "eats": diet}
    return {**guest_row(guest), **more}


def _touched(chart: Chart, since: int) -> tuple[set[str], set[str]] | None:
    """Ids of guests and tables that were touched, and of what went; None where that is not known."""
    if since == chart.version:
        return set(), set()
    steps = list(chart.steps.filter(version__gt=since).values_list("guests", "tables", "gone", "moves"))
    if len(steps) != chart.version - since:
        return None
    ids: set[str] = set()
    gone: set[str] = set()
    for guests, tables, went, moves in steps:
        ids |= {*guests, *tables, *(id for move in moves for id in move if id)}
        gone |= set(went)
    return ids - gone, gone


def _near(people: Iterable[Guest], ids: Collection[str]) -> set[str]:
    """Tables that look different: those that were touched, and where others of these parties sit."""
    people = list(people)
    parties = {guest.party_key for guest in people if guest.pk in ids and guest.party_key}
    near = {guest.table_id for guest in people if guest.pk in ids or guest.party_key in parties}
    return {id for id in near if id} | set(ids)


def _marks(chart: Chart, tables: Sequence[Table], people: Sequence[Guest]) -> dict[str, list[tuple[str, str]]]:
    """What an owner should look at, by table."""
    found: dict[str, list[tuple[str, str]]] = {}
    counts = Counter(guest.table_id for guest in people if guest.table_id)
    for table in tables:
        if (over := counts[table.pk] - table.capacity) > 0:
            found.setdefault(table.pk, []).append((OVER, f"{over} more than it has seats"))
    for one, other in solver_snapshot.together_now(chart):
        if one.table_id:
            found.setdefault(one.table_id, []).append((APART, f"{one.name} and {other.name} should sit apart"))
    for party, where in _split_parties(people):
        for id in where:
            found.setdefault(id, []).append((SPLIT, f"The party {party} sits at {len(where)} tables"))
    return found


def _split_parties(people: Sequence[Guest]) -> list[tuple[str, set[str]]]:
    """Return the parties that sit at several tables, and these tables."""
    homes: dict[str, set[str]] = {}
    for guest in people:
        if guest.table_id and guest.party_key:
            homes.setdefault(guest.party_key, set()).add(guest.table_id)
    called = {guest.party_key: guest.party for guest in people if guest.party_key}
    return [(called[key], where) for key, where in homes.items() if len(where) > 1]
