"""Reasons why guests cannot be seated, found before a search, with names and the smallest conflict of preferences."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Literal

from workspace.products.seat import messages
from workspace.products.seat.rules.solver.feasibility import find_smallest_conflict
from workspace.products.seat.rules.solver.problem import (
    MUST,
    Group,
    Guest,
    Preference,
    SeatingProblem,
    Table,
    build_problem,
)
from workspace.products.seat.rules.table_labels import format_table_label, join_names

_MAX_NAMES = 12  # conflicting parties named in one sentence
ObstacleKind = Literal["locks", "apart_inside", "party_too_large", "too_few_seats", "nowhere", "clash"]


@dataclass(frozen=True, slots=True)
class Obstacle:
    """A reason why guests cannot be seated.

    `guests` are the ids of those concerned. `missing` is the number of missing seats if that is the reason.
    """

    kind: ObstacleKind
    text: str
    guests: tuple[str, ...] = ()
    missing: int = 0


def find_obstacles(
    tables: Sequence[Table],
    guests: Iterable[Guest],
    preferences: Iterable[Preference] = (),
    *,
    keeps_parties: bool = True,
    search_conflicts: bool = True,
) -> list[Obstacle]:
    """Return all direct contradictions or, if there are none, the smallest set of conflicting parties.

    If the list is empty, a search may start, although the check may also have run out of time. `search_conflicts` says
    whether to search for conflicts, which may take a second or two for hundreds of guests.
    """
    guests, preferences = list(guests), list(preferences)
    obstacles = _find_contradictions(tables, guests, preferences) if keeps_parties else []
    if obstacles:
        return obstacles
    puzzle = build_problem(tables, guests, preferences, keeps_parties=keeps_parties)
    obstacles = [*_find_large_parties(puzzle), *_find_missing_seats(puzzle)]
    return obstacles or _find_unseatable(puzzle) or (_find_conflict(puzzle) if search_conflicts else [])


def _find_contradictions(
    tables: Sequence[Table], guests: Sequence[Guest], preferences: Sequence[Preference]
) -> list[Obstacle]:
    """Return contradictions within a party."""
    names = {table.id: table.name for table in tables}
    known = {guest.id: guest for guest in guests}
    locked: dict[str, dict[str, Guest]] = defaultdict(dict)
    for guest in guests:
        if guest.party and guest.locked and guest.table in names:
            locked[guest.party][guest.table] = guest
    obstacles = [
        Obstacle(
            "locks",
            str(
                messages.LOCKED_APART(
                    guests=join_names([guest.name for guest in held.values()]),
                    tables=join_names([format_table_label(names[table]) for table in held]),
                )
            ),
            tuple(guest.id for guest in held.values()),
        )
        for held in locked.values()
        if len(held) > 1
    ]
    for preference in preferences:
        pair = [known[guest] for guest in preference.guests if guest in known]
        if (
            preference.kind == "apart"
            and preference.weight == MUST
            and len(pair) == 2
            and pair[0].party == pair[1].party != ""
        ):
            text = messages.APART_IN_PARTY(first=pair[0].name, second=pair[1].name)
            obstacles.append(Obstacle("apart_inside", str(text), preference.guests))
    return obstacles


def _find_large_parties(problem: SeatingProblem) -> list[Obstacle]:
    largest = max((table.seats for table in problem.tables if not table.closed), default=0)
    return [
        Obstacle(
            "party_too_large",
            _describe_large_party(group, largest),
            tuple(guest.id for guest in group.guests),
            group.size - largest,
        )
        for group in problem.groups
        if group.size > largest and group.fixed is None
    ]


def _describe_large_party(group: Group, seats: int) -> str:
    party = _format_party(group.guests)
    if not seats:
        return str(messages.NO_OPEN_TABLE(party=party))
    return str(messages.PARTY_TOO_LARGE(party=party, size=group.size, seats=seats))


def _find_missing_seats(problem: SeatingProblem) -> list[Obstacle]:
    """Return an obstacle if there are too few seats. Guests who stay at a closed table need no other seat."""
    staying = sum(
        group.size
        for number, group in enumerate(problem.groups)
        if any(table.closed and problem.can_sit(number, place) for place, table in enumerate(problem.tables))
    )
    missing = problem.size - staying - problem.seats
    if missing <= 0:
        return []
    text = messages.TOO_FEW_SEATS(guests=problem.size - staying, seats=problem.seats, missing=missing)
    return [Obstacle("too_few_seats", str(text), missing=missing)]


def _find_unseatable(problem: SeatingProblem) -> list[Obstacle]:
    obstacles = []
    for number, group in enumerate(problem.groups):
        fits = [
            place
            for place, table in enumerate(problem.tables)
            if problem.can_sit(number, place) and (group.fixed is not None or table.seats >= group.size)
        ]
        if not fits:
            text = messages.NO_TABLE_FITS(party=_format_party(group.guests), seats=group.size)
            obstacles.append(Obstacle("nowhere", str(text), tuple(guest.id for guest in group.guests)))
    return obstacles


def _find_conflict(problem: SeatingProblem) -> list[Obstacle]:
    least = find_smallest_conflict(problem, range(len(problem.groups)))
    if least is None:
        return []
    groups = [problem.groups[value] for value in least]
    people = tuple(guest.id for group in groups for guest in group.guests)
    foes = [value for value in least if problem.apart[value] & set(least)]
    open_tables = [table for table in problem.tables if not table.closed]
    if len(foes) == len(least) and len(least) > len(open_tables):
        parties = join_names([_format_party(group.guests) for group in groups])
        text = messages.ALL_MUST_BE_APART(parties=parties, tables=len(open_tables))
    else:
        named = [f"{_format_party(group.guests)} ({group.size})" for group in groups[:_MAX_NAMES]]
        if len(groups) > _MAX_NAMES:
            named.append(str(messages.MORE_PARTIES(count=len(groups) - _MAX_NAMES)))
        cause = messages.PARTIES_DO_NOT_FIT_APART if foes else messages.PARTIES_DO_NOT_FIT
        text = cause(parties=join_names(named))
    return [Obstacle("clash", str(text), people)]


def _format_party(guests: Sequence[Guest]) -> str:
    """Return the name of a party, or of a guest without a party."""
    first = guests[0]
    return first.party_name or first.party if first.party and len(guests) > 1 else first.name


def find_cheapest_split(problem: SeatingProblem, group: int) -> tuple[int, ...]:
    """Return the sizes, largest first, into which to split a party that fits at no table, with the fewest tables.

    Parties are never split without the owner's consent.
    """
    left, parts = problem.groups[group].size, []
    for seats in sorted((table.seats for table in problem.tables if not table.closed), reverse=True):
        if left <= 0:
            break
        parts.append(min(seats, left))
        left -= seats
    return tuple(parts) if left <= 0 else ()
