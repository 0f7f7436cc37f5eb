"""Finding the optimal seating of a small chart, with proof, by branch and bound.

It solves charts of a few dozen guests. For larger charts, it gives an upper bound of the score. Source: Land and Doig,
An automatic method of solving discrete programming problems, Econometrica 28, 1960.
"""

from __future__ import annotations

import time
from collections.abc import Sequence
from dataclasses import dataclass

from workspace.products.seat.rules.solver.problem import SeatingProblem
from workspace.products.seat.rules.solver.score import Seating

_CLOCK_INTERVAL = 512


@dataclass(frozen=True, slots=True)
class ExactResult:
    """The result. `bound` is an upper bound of the score. It equals `score` if `is_proven`."""

    places: tuple[int, ...]
    score: float
    bound: float
    is_proven: bool


class _OutOfTimeError(Exception):
    pass


def find_best(
    problem: SeatingProblem, initial_places: Sequence[int], *, seconds: float, most_moves: int | None = None
) -> ExactResult:
    """Return the best seating. The search starts from a valid one."""
    return _Search(problem, initial_places, time.monotonic() + seconds, most_moves).run()


class _Search:
    def __init__(
        self, problem: SeatingProblem, initial_places: Sequence[int], deadline: float, most_moves: int | None
    ) -> None:
        self.problem, self.deadline, self.most_moves = problem, deadline, most_moves
        self.best, self.score = tuple(initial_places), Seating(problem, initial_places).score
        degree = [len(problem.together[value]) + len(problem.apart[value]) for value in range(len(problem.groups))]
        self.order = sorted(range(len(problem.groups)), key=lambda item: (-degree[item], -problem.groups[item].size))
        self.rank = {group: place for place, group in enumerate(self.order)}
        self.places = [-1] * len(problem.groups)
        self.free_seats = [table.seats for table in problem.tables]
        self.members: list[set[int]] = [set() for _ in problem.tables]
        self.visited, self.moves = 0, 0
        # what the groups after each place in the order can still gain, including with groups before them
        gains = [self._max_gain(group) for group in self.order]
        self.rest = [sum(gains[place:]) for place in range(len(gains) + 1)]
        homes = {home for group in problem.groups for home in group.homes}
        named = {table for likes in (*problem.likes, *problem.dislikes) for table in likes}
        barred = {table for tables in problem.barred for table in tables}
        fixed = {group.fixed for group in problem.groups if group.fixed is not None}
        self.special = homes | named | barred | fixed  # tables that are not interchangeable with others

    def run(self) -> ExactResult:
        whole = self.rest[0] + self.problem.fixed_weight
        try:
            self._seat_groups(0, 0.0)
        except _OutOfTimeError:
            return ExactResult(self.best, self.score, max(self.score, whole), is_proven=False)
        return ExactResult(self.best, self.score, self.score, is_proven=True)

    def _max_gain(self, group: int) -> float:
        """Return the largest gain with the groups before it in the order, so that each preference counts once."""
        puzzle, earlier = self.problem, self.rank[group]
        pairs = [*puzzle.together[group], *puzzle.split[group]]
        met = sum(weight for other, weight in pairs if self.rank[other] < earlier)
        return met + max(puzzle.likes[group].values(), default=0) + sum(puzzle.dislikes[group].values())

    def _seat_groups(self, number: int, met: float) -> None:
        self.visited += 1
        if self.visited % _CLOCK_INTERVAL == 0 and time.monotonic() > self.deadline:
            raise _OutOfTimeError
        puzzle = self.problem
        if number == len(self.order):
            score = Seating(puzzle, self.places).score
            if score > self.score + 1e-9:
                self.best, self.score = tuple(self.places), score
            return
        if met + self.rest[number] + puzzle.fixed_weight <= self.score + 1e-9:
            return
        group = self.order[number]
        size = puzzle.groups[group].size
        for gain, moving, table in sorted(self._list_choices(group), key=lambda choice: (-choice[0], choice[1])):
            self.places[group] = table
            self.free_seats[table] -= size
            self.members[table].add(group)
            self.moves += moving
            self._seat_groups(number + 1, met + gain)
            self.moves -= moving
            self.members[table].discard(group)
            self.free_seats[table] += size
            self.places[group] = -1

    def _list_choices(self, group: int) -> list[tuple[float, int, int]]:
        """Return the gain of a group at each possible table, the number of people who move, and the table."""
        puzzle = self.problem
        size = puzzle.groups[group].size
        choices: list[tuple[float, int, int]] = []
        seen = set()
        for table in range(len(self.free_seats)):
            if self.free_seats[table] < size or not puzzle.can_sit(group, table):
                continue
            if puzzle.apart[group] & self.members[table]:
                continue
            if not self.members[table] and table not in self.special:
                alike = (puzzle.tables[table].seats,)
                if alike in seen:
                    continue
                seen.add(alike)
            moving = puzzle.groups[group].count_moving(table)
            if self.most_moves is not None and self.moves + moving > self.most_moves:
                continue
            choices.append((self._compute_gain(group, table), moving, table))
        return choices

    def _compute_gain(self, group: int, table: int) -> float:
        puzzle, places = self.problem, self.places
        met = sum(weight for other, weight in puzzle.together[group] if places[other] == table)
        met += sum(weight for other, weight in puzzle.split[group] if places[other] not in (-1, table))
        met += puzzle.likes[group].get(table, 0)
        return float(met + sum(puzzle.dislikes[group].values()) - puzzle.dislikes[group].get(table, 0))
