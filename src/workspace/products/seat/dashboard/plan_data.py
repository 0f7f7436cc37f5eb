"""A chart as the planner page shows it, or the changes since a version.

It contains tables with their marks, and guests in the order of their list.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from django.utils.translation import gettext, ngettext

from workspace.lib.text import search_key
from workspace.products.seat.api.serializers import guest_data, object_data, serialize_tables
from workspace.products.seat.domain import floor_plan, solver_snapshot, spacing_warnings
from workspace.products.seat.domain.guest_counts import list_diets
from workspace.products.seat.domain.guests import get_name_order
from workspace.products.seat.domain.queries import guests_for, objects_for, preferences_for, tables_for
from workspace.products.seat.models import Chart, Guest, Reply, SeatingPreference, Table
from workspace.products.seat.rules.table_labels import format_table_label
from workspace.publishing.diets import DIETS

APART_MARK, SPLIT_MARK, OVERFULL_MARK, OUTSIDE_MARK = "≠", "½", "!", "↗"


@dataclass(frozen=True, slots=True)
class PlanData:
    """A chart's plan, or the requested part of it.

    `tables` and `objects` are drawn, `guests` are rows. `standing` contains all tables and objects of the chart,
    and `people` all guests. `outside` maps the ids of tables outside of the room to warnings.
    """

    tables: Sequence[floor_plan.PlanItem]
    objects: Sequence[floor_plan.PlanItem]
    guests: Sequence[Mapping[str, Any]]
    standing: Sequence[Table]
    removed_ids: Sequence[str]
    seated: int
    total: int
    outside: Mapping[str, str]
    people: Sequence[Guest]
    preferences: Sequence[SeatingPreference]
    is_complete: bool = True

    @property
    def standing_tables(self) -> Sequence[Table]:
        """All tables of the chart, without objects."""
        return [table for table in self.standing if table.is_table]

    @property
    def unseated_guests(self) -> Sequence[Mapping[str, Any]]:
        return [row for row in self.guests if not row["table_id"]]

    @property
    def seated_guests(self) -> Sequence[Mapping[str, Any]]:
        return [row for row in self.guests if row["table_id"]]

    @property
    def unseated_count(self) -> int:
        """The number of attending guests without a table."""
        return self.total - self.seated


def build_plan(chart: Chart, since: int | None = None, proposed: Mapping[str, str] | None = None) -> PlanData:
    """Build the whole plan, or only the changes since a version if these are known.

    `proposed` maps guests to table ids. These guests are drawn at their proposed tables.
    """
    touched = None if since is None else _find_changed_ids(chart, since)
    standing = tables_for(chart)
    people = guests_for.fetch(chart)
    preferences = preferences_for.fetch(chart)
    if proposed:
        _move_in_memory(people, standing, proposed)
    outside = spacing_warnings.find_tables_outside(chart, standing)
    marks = _collect_warnings(standing, people, preferences, outside)
    diets = {guest.pk: found for guest in people if guest.table_id and (found := list_diets(guest))}
    rows = serialize_tables(standing, people)
    items = objects_for.fetch(chart)
    everything = [*standing, *items]
    coming = [guest for guest in people if guest.reply != Reply.NO]
    shown = sorted(people, key=lambda guest: (search_key(guest.sort_name or guest.name), guest.pk))
    if touched is not None:
        ids = touched[0]
        near = _find_affected_tables(people, ids)
        rows = [row for row in rows if row["id"] in near]
        items = [table for table in items if table.pk in ids]
        shown = [guest for guest in shown if guest.pk in ids]
    return PlanData(
        tables=[
            floor_plan.build_table(
                row,
                marks.get(row["id"], ()),
                get_name_order(chart),
                diets=diets,
                proposed=proposed or (),
                is_outside=row["id"] in outside,
            )
            for row in rows
        ],
        objects=[floor_plan.build_object(object_data(table)) for table in items],
        guests=[_present_guest(guest) for guest in shown],
        standing=everything,
        removed_ids=sorted(touched[1]) if touched is not None else (),
        seated=sum(guest.table_id is not None for guest in coming),
        total=len(coming),
        outside=outside,
        people=people,
        preferences=preferences,
        is_complete=touched is None,
    )


def _move_in_memory(people: Iterable[Guest], tables: Iterable[Table], places: Mapping[str, str]) -> None:
    """Put guests at other tables without saving it."""
    by_id = {table.pk: table for table in tables}
    for guest in people:
        if guest.pk in places:
            guest.table, guest.seat = by_id.get(places[guest.pk]), None


def _present_guest(guest: Guest) -> dict[str, Any]:
    diet = [DIETS[key].english_name if key in DIETS else key for key in guest.diet]
    row = guest_data(guest)
    return {
        **row,
        "find": search_key(f"{guest.name} {guest.party}"),
        "comes": guest.reply != Reply.NO,
        "eats": ", ".join(diet),
        "meal_words": "|".join(row["meals"]),
        "tag_words": "|".join(row["tags"]),
        "table_label": format_table_label(row["table"]),
        "move_label": gettext("Move %(name)s to a table") % {"name": guest.name},
        "party_move_label": gettext("Move the whole party of %(name)s") % {"name": guest.name},
    }


def _find_changed_ids(chart: Chart, since: int) -> tuple[set[str], set[str]] | None:
    """Return the ids of changed guests and tables, and of deleted ones, or None if the changes are unknown."""
    if since == chart.version:
        return set(), set()
    steps = list(chart.steps.filter(version__gt=since).values_list("guests", "tables", "deleted_ids", "moves"))
    if len(steps) != chart.version - since:
        return None
    ids: set[str] = set()
    removed: set[str] = set()
    for guests, tables, went, moves in steps:
        ids |= {*guests, *tables, *(id for move in moves for id in move if id)}
        removed |= set(went)
    return ids - removed, removed


def _find_affected_tables(people: Iterable[Guest], ids: Collection[str]) -> set[str]:
    """Return the tables to draw again: changed ones, and those with the parties of changed guests."""
    people = list(people)
    parties = {guest.party_key for guest in people if guest.pk in ids and guest.party_key}
    near = {guest.table_id for guest in people if guest.pk in ids or guest.party_key in parties}
    return {id for id in near if id} | set(ids)


def _collect_warnings(
    tables: Sequence[Table],
    people: Sequence[Guest],
    preferences: Sequence[SeatingPreference],
    outside: Mapping[str, str],
) -> dict[str, list[tuple[str, str]]]:
    """Return warnings for the owner, by table."""
    marks: dict[str, list[tuple[str, str]]] = {id: [(OUTSIDE_MARK, text)] for id, text in outside.items()}
    counts = Counter(guest.table_id for guest in people if guest.table_id)
    for table in tables:
        if (over := counts[table.pk] - table.capacity) > 0:
            text = ngettext("%(count)s guest over capacity", "%(count)s guests over capacity", over) % {"count": over}
            marks.setdefault(table.pk, []).append((OVERFULL_MARK, text))
    for item, other in solver_snapshot.find_separation_conflicts(preferences, people):
        if item.table_id:
            text = gettext("%(name)s and %(other)s must sit apart") % {"name": item.name, "other": other.name}
            marks.setdefault(item.table_id, []).append((APART_MARK, text))
    for party, where in _find_split_parties(people):
        text = ngettext(
            "The party “%(party)s” sits at %(count)s table",
            "The party “%(party)s” sits at %(count)s tables",
            len(where),
        )
        for id in where:
            marks.setdefault(id, []).append((SPLIT_MARK, text % {"party": party, "count": len(where)}))
    return marks


def _find_split_parties(people: Sequence[Guest]) -> list[tuple[str, set[str]]]:
    """Return the parties that sit at several tables, with these tables."""
    homes: dict[str, set[str]] = {}
    for guest in people:
        if guest.table_id and guest.party_key:
            homes.setdefault(guest.party_key, set()).add(guest.table_id)
    called = {guest.party_key: guest.party for guest in people if guest.party_key}
    return [(called[key], where) for key, where in homes.items() if len(where) > 1]
