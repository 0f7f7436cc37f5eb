"""The seating problem in numbers: groups that move together, and the preferences between them.

Every search works on this, without names or rows.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Literal

NICE, WANTED, MUST = 1, 3, 0
_PreferenceKind = Literal["together", "apart", "near", "away"]


@dataclass(frozen=True, slots=True)
class Table:
    """A table. `closed` means that no more guests are seated there, but those who sit there stay."""

    id: str
    name: str
    seats: int
    closed: bool = False


@dataclass(frozen=True, slots=True)
class Guest:
    """A guest.

    `party` is the key of guests who sit together, or empty for a guest without a party. `party_name` is the party's
    name as people write it. `table` is the current table, and `locked` means that they stay there.
    """

    id: str
    name: str
    party: str = ""
    table: str = ""
    locked: bool = False
    party_name: str = ""


@dataclass(frozen=True, slots=True)
class Preference:
    """A preference of two guests to share a table or not, or of one guest for or against a table.

    `weight` is NICE, WANTED or MUST. MUST is strict for guests to be apart and for tables to avoid. All other
    preferences may be broken.
    """

    id: str
    kind: _PreferenceKind
    guests: tuple[str, ...]
    table: str = ""
    weight: int = WANTED


@dataclass(frozen=True, slots=True)
class Group:
    """Guests who move together.

    `size` is the number of seats, and `homes` says how many of them sit at which table now.
    """

    guests: tuple[Guest, ...]
    homes: Mapping[int, int]
    fixed: int | None = None  # the table to which one of them is locked

    @property
    def size(self) -> int:
        return len(self.guests)

    @property
    def seated_count(self) -> int:
        """The number of guests in the group who already have a table."""
        return sum(self.homes.values())

    def count_moving(self, table: int) -> int:
        """Return how many seated guests would have to move."""
        return self.seated_count - self.homes.get(table, 0)


@dataclass(slots=True)
class SeatingProblem:
    """A seating problem. Groups and tables are numbers.

    - `together[g]`: (other, weight) of preferences that are met if both sit at one table, one for each other group.
    - `split[g]`: those that are met if they do not.
    - `apart[g]`: groups that never share a table with it.
    - `likes[g]` and `dislikes[g]`: weights by table.
    - `barred[g]`: tables where it never sits.
    - `alone[g]`: it is one guest who knows someone, and would sit among strangers without them.
    """

    tables: Sequence[Table]
    groups: Sequence[Group]
    together: list[list[tuple[int, int]]] = field(default_factory=list)
    split: list[list[tuple[int, int]]] = field(default_factory=list)
    apart: list[set[int]] = field(default_factory=list)
    likes: list[dict[int, int]] = field(default_factory=list)
    dislikes: list[dict[int, int]] = field(default_factory=list)
    barred: list[set[int]] = field(default_factory=list)
    alone: list[bool] = field(default_factory=list)
    fixed_weight: int = 0  # weight of preferences inside a group, which are always met
    balance: float = 0.0  # from -1, which fills tables, to 1, which spreads guests evenly

    @property
    def seats(self) -> int:
        return sum(table.seats for table in self.tables if not table.closed)

    @property
    def size(self) -> int:
        return sum(group.size for group in self.groups)

    def can_sit(self, group: int, table: int) -> bool:
        """Return whether a group may sit at a table, given locks, barred tables and closed tables.

        Free seats are not checked.
        """
        one = self.groups[group]
        if one.fixed is not None:
            return one.fixed == table
        if table in self.barred[group]:
            return False
        return not self.tables[table].closed or one.homes.get(table, 0) == one.size


def build_problem(
    tables: Sequence[Table],
    guests: Iterable[Guest],
    preferences: Iterable[Preference] = (),
    *,
    keeps_parties: bool = True,
    balance: float = 0.0,
) -> SeatingProblem:
    """Build the problem. Groups are parties, or single guests if parties may be split (`keeps_parties=False`).

    If a party may be split, keeping it together is a preference that outweighs all preferences of guests. A party
    locked at two tables is an obstacle, so call `obstacles.find_obstacles` first.
    """
    guests, preferences = list(guests), list(preferences)
    places = {table.id: number for number, table in enumerate(tables)}
    members: dict[str, list[Guest]] = defaultdict(list)
    for guest in guests:
        members[f"party {guest.party}" if guest.party and keeps_parties else f"guest {guest.id}"].append(guest)
    groups = [_build_group(tuple(party), places) for party in members.values()]
    made = SeatingProblem(tables, groups, balance=balance)
    made.together, made.split = [[] for _ in groups], [[] for _ in groups]
    made.apart, made.barred = [set() for _ in groups], [set() for _ in groups]
    made.likes, made.dislikes = [{} for _ in groups], [{} for _ in groups]
    number_of = {guest.id: number for number, group in enumerate(groups) for guest in group.guests}
    # a MUST outweighs all other preferences, and the costs of strangers and of half-empty tables
    heavy = 1 + sum(preference.weight for preference in preferences) + len(guests) + len(tables)
    for preference in preferences:
        if all(guest in number_of for guest in preference.guests):
            _add_preference(
                made, preference, [number_of[guest] for guest in preference.guests], places, preference.weight or heavy
            )
    if not keeps_parties:
        _add_party_preferences(made, guests, number_of, heavy * 2)
    made.together = [_merge_weights(pairs) for pairs in made.together]
    made.split = [_merge_weights(pairs) for pairs in made.split]
    knows = [bool(made.together[number]) for number in range(len(groups))]
    made.alone = [group.size == 1 and knows[number] for number, group in enumerate(groups)]
    return made


def _build_group(guests: tuple[Guest, ...], table_numbers: Mapping[str, int]) -> Group:
    homes: dict[int, int] = defaultdict(int)
    fixed = None
    for guest in guests:
        if guest.table in table_numbers:
            homes[table_numbers[guest.table]] += 1
            if guest.locked:
                fixed = table_numbers[guest.table]
    return Group(guests, dict(homes), fixed)


def _add_preference(
    seating_problem: SeatingProblem,
    preference: Preference,
    groups: list[int],
    table_numbers: Mapping[str, int],
    weight: int,
) -> None:
    if preference.kind in ("near", "away"):
        if preference.table not in table_numbers:
            return
        table, group = table_numbers[preference.table], groups[0]
        if preference.kind == "away" and preference.weight == MUST:
            seating_problem.barred[group].add(table)
        else:
            kept = seating_problem.likes[group] if preference.kind == "near" else seating_problem.dislikes[group]
            kept[table] = kept.get(table, 0) + weight
        return
    group, other = groups
    if group == other:
        seating_problem.fixed_weight += weight if preference.kind == "together" else 0
    elif preference.kind == "together":
        seating_problem.together[group].append((other, weight))
        seating_problem.together[other].append((group, weight))
    elif preference.weight == MUST:
        seating_problem.apart[group].add(other)
        seating_problem.apart[other].add(group)
    else:
        seating_problem.split[group].append((other, weight))
        seating_problem.split[other].append((group, weight))


def _merge_weights(pairs: Iterable[tuple[int, int]]) -> list[tuple[int, int]]:
    """Return one pair for each other group, with the sum of its weights. Guests may enter a preference twice."""
    weights: dict[int, int] = defaultdict(int)
    for other, weight in pairs:
        weights[other] += weight
    return list(weights.items())


def _add_party_preferences(
    seating_problem: SeatingProblem, guests: Iterable[Guest], group_numbers: Mapping[str, int], weight: int
) -> None:
    """Link each guest to the next of their party, so that all splits into two cost the same."""
    last: dict[str, int] = {}
    for guest in guests:
        if guest.party:
            number = group_numbers[guest.id]
            if guest.party in last:
                seating_problem.together[number].append((last[guest.party], weight))
                seating_problem.together[last[guest.party]].append((number, weight))
            last[guest.party] = number
