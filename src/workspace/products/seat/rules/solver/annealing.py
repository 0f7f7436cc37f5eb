"""Seating by simulated annealing: start anywhere, try small changes, and accept those that help.

Changes that do not help are sometimes accepted, but less and less often. Source: Kirkpatrick, Gelatt, Vecchi:
Optimization by Simulated Annealing, Science 220, 1983.
"""

from __future__ import annotations

import math
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from random import Random

from workspace.products.seat.rules.solver.problem import SeatingProblem
from workspace.products.seat.rules.solver.score import Seating

START_HEAT, END_HEAT, CALM_HEAT = 3.0, 0.05, 1e-9
CALM_SHARE = 0.2  # share of the time with a low temperature
_CLOCK_INTERVAL = 256  # moves between two checks of the clock
_MOVE_PENALTY = 0.4  # so that all moves together cost less than the smallest weight
_MAX_ATTEMPTS = 5  # attempts to find a group, and a table to which it can change


@dataclass(frozen=True, slots=True)
class AnnealingResult:
    """The best seating: a table for each group.

    `breach` is 0 if the seating is valid. `first` is the number of seconds until the first valid seating, and
    `tried_moves` the number of moves evaluated. `last` is the final state of the search, from which it can continue.
    """

    places: tuple[int, ...]
    score: float
    breach: float
    moves: int
    tried_moves: int
    first: float | None
    last: tuple[int, ...] = ()


def find_seating(
    problem: SeatingProblem,
    *,
    seconds: float = 5.0,
    steps: int | None = None,
    most_moves: int | None = None,
    seed: int = 0,
    on_progress: Callable[[float, AnnealingResult], bool] | None = None,
    initial_places: Sequence[int] | None = None,
    search_share: tuple[float, float] = (0.0, 1.0),
) -> AnnealingResult:
    """Return the best seating found within `seconds` or `steps`, whichever limit is reached first.

    There must be a table for every group (see `find_obstacles`). `most_moves` limits how many seated guests change
    tables. If rules are broken at the start, guests move only to fix that.

    `on_progress` is called occasionally with the progress (0 to 1) and the best seating so far. If it returns False,
    the search ends. The same seed and number of steps give the same result.

    A long search runs in parts. `initial_places` is the final state of the previous part, and `search_share` is this
    part's share of the whole search.
    """
    random = Random(seed)  # noqa: S311 - not used as a secret
    began = time.monotonic()
    settled = sum(group.seated_count for group in problem.groups)
    # between equal seatings, prefer fewer moves
    price = _MOVE_PENALTY / max(1, settled if most_moves is None else most_moves)
    if most_moves is not None and _is_broken(problem):
        price = 1.0 + sum(weight for preferences in (*problem.together, *problem.split) for _, weight in preferences)
    choices = _list_choices(problem)
    start = list(initial_places) if initial_places is not None else _initial_places(problem, choices, random)
    seating = Seating(problem, start, most_moves=most_moves, price=price)
    free = [group for group, tables in enumerate(choices) if len(tables) > 1]
    value = seating.score - seating.breach - price * seating.moves
    best = _build_result(seating, 0, None if seating.breach else 0.0)
    best_value = value if not seating.breach else -math.inf
    tried, done, first = 0, 0.0, best.first
    heat = _compute_heat(search_share[0], settled > 0)
    while free and done < 1:
        for _ in range(_CLOCK_INTERVAL):
            tried += 1
            group = free[int(random.random() * len(free))]
            gained = _try_move(seating, group, choices, random, heat)
            if gained is None:
                continue
            value += gained
            if value > best_value + 1e-9 and not seating.breach:
                if first is None:
                    first = time.monotonic() - began
                best, best_value = _build_result(seating, tried, first), value
        done = (time.monotonic() - began) / seconds
        if steps is not None:
            done = max(done, tried / steps)
        heat = _compute_heat(search_share[0] + (search_share[1] - search_share[0]) * min(1.0, done), settled > 0)
        if on_progress is not None and not on_progress(min(1.0, done), best):
            break
    return AnnealingResult(best.places, best.score, best.breach, best.moves, tried, best.first, tuple(seating.places))


def _try_move(seating: Seating, group: int, choices: list[list[int]], random: Random, heat: float) -> float | None:
    """Move a group, or swap it with another. Return the gain, or None if nothing moved."""
    table = _pick_table(seating, group, choices[group], random)
    gained = seating.compute_gain(group, table)
    here, other = seating.places[group], None
    if random.random() < 0.5:
        other = _pick_partner(seating, group, table, choices, random)
    if other is None:
        if gained < 0 and random.random() >= math.exp(gained / heat):
            return None
        seating.move_group(group, table)
        return gained
    seating.move_group(group, table)
    gained += seating.compute_gain(other, here)
    if gained < 0 and random.random() >= math.exp(gained / heat):
        seating.move_group(group, here)
        return None
    seating.move_group(other, here)
    return gained


def _compute_heat(done: float, is_settled: bool) -> float:
    """Return the temperature.

    If guests already have tables, only improvements are accepted at first, because few moves are often enough.
    """
    if is_settled and done < CALM_SHARE:
        return CALM_HEAT
    done = (done - CALM_SHARE) / (1 - CALM_SHARE) if is_settled else done
    heat: float = START_HEAT * (END_HEAT / START_HEAT) ** done
    return heat


def _build_result(seating: Seating, tried_moves: int, first_valid_at: float | None) -> AnnealingResult:
    return AnnealingResult(
        tuple(seating.places), seating.score, seating.breach, seating.moves, tried_moves, first_valid_at
    )


def _is_broken(problem: SeatingProblem) -> bool:
    """Return whether seated guests break a rule, or a party is split. Unseated guests break nothing."""
    load = [0] * len(problem.tables)
    for group in problem.groups:
        for table, count in group.homes.items():
            load[table] += count
    if any(count > table.seats for count, table in zip(load, problem.tables, strict=True)):
        return True
    if any(len(group.homes) > 1 or 0 < group.seated_count < group.size for group in problem.groups):
        return True
    return any(
        set(problem.groups[foe].homes) & set(group.homes)
        for number, group in enumerate(problem.groups)
        for foe in problem.apart[number]
    )


def _list_choices(problem: SeatingProblem) -> list[list[int]]:
    tables = range(len(problem.tables))
    return [[table for table in tables if problem.can_sit(group, table)] for group in range(len(problem.groups))]


def _initial_places(problem: SeatingProblem, choices: list[list[int]], random: Random) -> list[int]:
    """Return the current tables where they are known. Then place the largest groups first, each at the best table."""
    places = [-1] * len(problem.groups)
    load = [0] * len(problem.tables)
    members: list[set[int]] = [set() for _ in problem.tables]

    def place_group(group: int, table: int) -> None:
        places[group] = table
        load[table] += problem.groups[group].size
        members[table].add(group)

    def unfit(group: int, table: int) -> tuple[int, int, int]:
        """Return the sort key of a table: rule violations and missing seats, then missing friends, then spare seats."""
        left = problem.tables[table].seats - load[table] - problem.groups[group].size
        friends = sum(weight for other, weight in problem.together[group] if other in members[table])
        bad = len(problem.apart[group] & members[table]) + max(0, -left)
        return bad, -friends - problem.likes[group].get(table, 0), left

    order = sorted(range(len(problem.groups)), key=lambda group: (-problem.groups[group].size, random.random()))
    for group in order:
        item = problem.groups[group]
        home = item.fixed if item.fixed is not None else max(item.homes, key=item.homes.__getitem__, default=None)
        if home in choices[group]:
            place_group(group, home)
    for group in order:
        if places[group] < 0:
            place_group(group, min(choices[group], key=lambda table: unfit(group, table)))
    return places


def _pick_table(seating: Seating, group: int, choices: list[int], random: Random) -> int:
    """Return another table. Half of the time, this is the table of a guest that the group prefers to sit with."""
    here, friends = seating.places[group], seating.problem.together[group]
    if friends and random.random() < 0.5:
        table = seating.places[friends[int(random.random() * len(friends))][0]]
        if table != here and seating.problem.can_sit(group, table):
            return table
    for _ in range(_MAX_ATTEMPTS):
        table = choices[int(random.random() * len(choices))]
        if table != here:
            return table
    return next(table for table in choices if table != here)


def _pick_partner(seating: Seating, group: int, table: int, choices: list[list[int]], random: Random) -> int | None:
    """Return a group at that table that can move here in exchange, or None."""
    existing = seating.members[table]
    if not existing:
        return None
    other = tuple(existing)[int(random.random() * len(existing))]
    return other if len(choices[other]) > 1 and seating.problem.can_sit(other, seating.places[group]) else None
