"""Who is to sit where, as numbers: what a chart says, made into groups that move together and what they wish of one
another. Everything that searches for a seating works on this, and knows neither names nor rows."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Literal

NICE, WANTED, MUST = 1, 3, 0
_PreferenceKind = Literal["together", "apart", "near", "away"]


@dataclass(frozen=True, slots=True)
class Table:
    """`closed`: nobody is put there; who sits there stays."""

    id: str
    name: str
    seats: int
    closed: bool = False


@dataclass(frozen=True, slots=True)
class Guest:
    """`party`: who sits together, empty for somebody alone, and `party_name` as people write it; `table`: where they
    sit now; `locked`: and stay."""

    id: str
    name: str
    party: str = ""
    table: str = ""
    locked: bool = False
    party_name: str = ""


@dataclass(frozen=True, slots=True)
class Preference:
    """Of two guests, to sit at one table or not; or of one, to sit at the table or not. `weight`: NICE, WANTED or
    MUST; who must be apart, or must not sit at a table, never does, and all else may have to give way."""

    id: str
    kind: _PreferenceKind
    guests: tuple[str, ...]
    table: str = ""
    weight: int = WANTED


@dataclass(frozen=True, slots=True)
class Group:
    """Guests who move as one. `size`: seats; `homes`: how many of them sit at which table now."""

    guests: tuple[Guest, ...]
    homes: Mapping[int, int]
    fixed: int | None = None  # the table that one of them is locked to

    @property
    def size(self) -> int:
        return len(self.guests)

    @property
    def seated_count(self) -> int:
        """How many of them sit somewhere now."""
        return sum(self.homes.values())

    def count_moving(self, table: int) -> int:
        """How many who sit now would have to get up."""
        return self.seated_count - self.homes.get(table, 0)


@dataclass(slots=True)
class SeatingProblem:
    """`together[g]`: (other, weight) of the wishes met when both sit at one table; `split` those met when they do
    not; `apart[g]`: who never sits with it; `likes[g]` and `dislikes[g]`: weights by table; `barred[g]`: tables at
    which it never sits; `alone[g]`: it is one guest who knows somebody, and would sit among strangers without them.
    Groups and tables are numbers."""

    tables: Sequence[Table]
    groups: Sequence[Group]
    together: list[list[tuple[int, int]]] = field(default_factory=list)
    split: list[list[tuple[int, int]]] = field(default_factory=list)
    apart: list[set[int]] = field(default_factory=list)
    likes: list[dict[int, int]] = field(default_factory=list)
    dislikes: list[dict[int, int]] = field(default_factory=list)
    barred: list[set[int]] = field(default_factory=list)
    alone: list[bool] = field(default_factory=list)
    fixed_weight: int = 0  # the weight of wishes inside a group, which are met whatever happens

    @property
    def seats(self) -> int:
        return sum(table.seats for table in self.tables if not table.closed)

    @property
    def size(self) -> int:
        return sum(group.size for group in self.groups)

    def can_sit(self, group: int, table: int) -> bool:
        """By what is fixed, barred and closed; whether there is room is another question."""
        one = self.groups[group]
        if one.fixed is not None:
            return one.fixed == table
        if table in self.barred[group]:
            return False
        return not self.tables[table].closed or one.homes.get(table, 0) == one.size


def build_problem(
    tables: Sequence[Table], guests: Iterable[Guest], wishes: Iterable[Preference] = (), *, whole: bool = True
) -> SeatingProblem:
    """The guests with their parties as groups, or one by one where these may be split (`whole=False`): then a party is
    a wish that outweighs all that guests wished. Who is locked at two tables as one party is an obstacle: see
    `infeasibility.find_obstacles`, which is asked first."""
    guests, wishes = list(guests), list(wishes)
    places = {table.id: number for number, table in enumerate(tables)}
    members: dict[str, list[Guest]] = defaultdict(list)
    for guest in guests:
        members[f"party {guest.party}" if guest.party and whole else f"guest {guest.id}"].append(guest)
    groups = [_build_group(tuple(party), places) for party in members.values()]
    made = SeatingProblem(tables, groups)
    made.together, made.split = [[] for _ in groups], [[] for _ in groups]
    made.apart, made.barred = [set() for _ in groups], [set() for _ in groups]
    made.likes, made.dislikes = [{} for _ in groups], [{} for _ in groups]
    number_of = {guest.id: number for number, group in enumerate(groups) for guest in group.guests}
    # one that must be outweighs all that would be nice, and what a table of strangers and an empty one cost
    heavy = 1 + sum(wish.weight for wish in wishes) + len(guests) + len(tables)
    for wish in wishes:
        if all(guest in number_of for guest in wish.guests):
            _add_preference(made, wish, [number_of[guest] for guest in wish.guests], places, wish.weight or heavy)
    if not whole:
        _add_party_preferences(made, guests, number_of, heavy * 2)
    knows = [bool(made.together[number]) for number in range(len(groups))]
    made.alone = [group.size == 1 and knows[number] for number, group in enumerate(groups)]
    return made


def _build_group(guests: tuple[Guest, ...], places: Mapping[str, int]) -> Group:
    homes: dict[int, int] = defaultdict(int)
    fixed = None
    for guest in guests:
        if guest.table in places:
            homes[places[guest.table]] += 1
            if guest.locked:
                fixed = places[guest.table]
    return Group(guests, dict(homes), fixed)


def _add_preference(
    made: SeatingProblem, wish: Preference, groups: list[int], places: Mapping[str, int], weight: int
) -> None:
    if wish.kind in ("near", "away"):
        if wish.table not in places:
            return
        table, group = places[wish.table], groups[0]
        if wish.kind == "away" and wish.weight == MUST:
            made.barred[group].add(table)
        else:
            kept = made.likes[group] if wish.kind == "near" else made.dislikes[group]
            kept[table] = kept.get(table, 0) + weight
        return
    one, other = groups
    if one == other:
        made.fixed_weight += weight if wish.kind == "together" else 0
    elif wish.kind == "together":
        made.together[one].append((other, weight))
        made.together[other].append((one, weight))
    elif wish.weight == MUST:
        made.apart[one].add(other)
        made.apart[other].add(one)
    else:
        made.split[one].append((other, weight))
        made.split[other].append((one, weight))


def _add_party_preferences(
    made: SeatingProblem, guests: Iterable[Guest], number_of: Mapping[str, int], weight: int
) -> None:
    """Each with the next of the party: two who were split cost one, whoever they are."""
    last: dict[str, int] = {}
    for guest in guests:
        if guest.party:
            number = number_of[guest.id]
            if guest.party in last:
                made.together[number].append((last[guest.party], weight))
                made.together[last[guest.party]].append((number, weight))
            last[guest.party] = number
