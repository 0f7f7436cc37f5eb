"""A chart as input for the solver: ids and numbers, read at one moment."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from workspace.lib.text import search_key
from workspace.products.seat.domain.queries import all_guests_for, preferences_for, tables_for
from workspace.products.seat.models import Chart, Guest, Reply, SeatingPreference, Table, Weight
from workspace.products.seat.rules.solver.obstacles import find_obstacles
from workspace.products.seat.rules.solver.problem import MUST, NICE, WANTED
from workspace.products.seat.rules.solver.problem import Guest as Person
from workspace.products.seat.rules.solver.problem import Preference as Want
from workspace.products.seat.rules.solver.problem import Table as Place

MAX_CONFLICT_SEARCH_GUESTS = 60  # for more guests, only auto-seating itself searches for conflicts
WEIGHT_VALUES = {Weight.NICE: NICE, Weight.WANTED: WANTED, Weight.MUST: MUST}


@dataclass(frozen=True, slots=True)
class Snapshot:
    version: int
    tables: list[Place]
    guests: list[Person]
    preferences: list[Want]


def take_snapshot(chart: Chart, *, unseated_only: bool = False) -> Snapshot:
    """Return all guests to seat. With `unseated_only`, guests who already have a table stay at it."""
    return build_snapshot(
        chart, tables_for(chart), all_guests_for.fetch(chart), preferences_for.fetch(chart), unseated_only=unseated_only
    )


def build_snapshot(
    chart: Chart,
    tables: Iterable[Table],
    rows: Iterable[Guest],
    preferences: Iterable[SeatingPreference],
    *,
    unseated_only: bool = False,
) -> Snapshot:
    """Return the snapshot of a chart whose tables, guests and preferences are loaded."""
    coming = [guest for guest in rows if is_expected(chart, guest)]
    people = [
        Person(
            guest.pk, guest.name, guest.party_key, guest.table_id or "",
            locked=guest.locked or (unseated_only and guest.table_id is not None),
            party_name=guest.party,
        )
        for guest in coming
    ]  # fmt: skip
    places = [Place(table.pk, table.name, table.capacity, closed=table.is_closed) for table in tables]
    return Snapshot(chart.version, places, people, resolve_preferences(preferences, coming))


def describe_obstacles(snapshot: Snapshot) -> list[str]:
    """Return the reasons why not all guests can be seated. In large charts, do not search for conflicts."""
    if not snapshot.tables:
        return []
    is_small = len(snapshot.guests) <= MAX_CONFLICT_SEARCH_GUESTS
    found = find_obstacles(snapshot.tables, snapshot.guests, snapshot.preferences, search_conflicts=is_small)
    return [obstacle.text for obstacle in found]


def is_expected(chart: Chart, guest: Guest) -> bool:
    """Return whether auto-seating assigns a table to this guest."""
    if guest.reply == Reply.NO:
        return False
    return guest.table_id is not None or guest.reply == Reply.YES or chart.seat_waiting


def resolve_preferences(preferences: Iterable[SeatingPreference], guests: Sequence[Guest]) -> list[Want]:
    """Return preferences between guests.

    The first guest of a party represents the whole party, because a party moves together.
    """
    known = {guest.pk for guest in guests}
    first: dict[str, str] = {}
    for guest in guests:
        if guest.party_key:
            first.setdefault(guest.party_key, guest.pk)
    results = []
    for preference in preferences:
        who = tuple(name if name in known else first.get(search_key(name), "") for name in preference.between)
        if all(who) and (len(who) == 1 or who[0] != who[1]):
            weight = WEIGHT_VALUES[Weight(preference.weight)]
            table_id = preference.table_id or ""
            results.append(Want(preference.pk, preference.kind, who, table_id, weight))  # type: ignore[arg-type]
    return results


def find_separation_conflicts(
    preferences: Iterable[SeatingPreference], guests: Iterable[Guest]
) -> list[tuple[Guest, Guest]]:
    """Return pairs of these guests who sit at the same table although they must be apart."""
    pairs = list_separated_pairs(preferences, [guest for guest in guests if guest.table_id])
    return [(guest, other) for guest, other in pairs if guest.table_id == other.table_id]


def list_separated_pairs(
    preferences: Iterable[SeatingPreference], guests: Sequence[Guest]
) -> list[tuple[Guest, Guest]]:
    """Return pairs of these guests who must not sit at the same table."""
    who = PartyMembers(guests)
    return [
        (guest, other)
        for preference in preferences
        if preference.kind == "apart" and preference.weight == Weight.MUST and len(preference.between) == 2
        for guest in who.guests_for(preference.between[0])
        for other in who.guests_for(preference.between[1])
        if guest.pk != other.pk
    ]


def list_barred_tables(chart: Chart, guests: Sequence[Guest]) -> list[tuple[Guest, Table]]:
    """Return pairs of a guest and a table where the guest must not sit."""
    who = PartyMembers(guests)
    preferences = chart.preferences.filter(kind="away", weight=Weight.MUST).select_related("table")
    return [
        (guest, preference.table)
        for preference in preferences
        if preference.table is not None
        for name in preference.between
        for guest in who.guests_for(name)
    ]


class PartyMembers:
    """The guests that a preference names: one guest, or all guests of a party."""

    def __init__(self, guests: Sequence[Guest]) -> None:
        """Index the guests by id and by party."""
        self.by_id = {guest.pk: guest for guest in guests}
        self.parties: dict[str, list[Guest]] = {}
        for guest in guests:
            if guest.party_key:
                self.parties.setdefault(guest.party_key, []).append(guest)

    def guests_for(self, name: str) -> list[Guest]:
        """Return the guest with this id, or the guests of this party."""
        return [self.by_id[name]] if name in self.by_id else self.parties.get(search_key(name), [])
