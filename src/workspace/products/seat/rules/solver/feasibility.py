"""A complete search for whether groups can be seated at all, with a limit on its steps.

It runs before the solver, so that owners learn immediately what is impossible, and not after a minute of searching.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable

from workspace.products.seat.rules.solver.problem import SeatingProblem

MAX_STEPS = 60_000  # tables tried in one search, a fifth of a second; and in all searches for a conflict
MAX_TOTAL_STEPS = 500_000


class _SearchLimitError(Exception):
    """The search reached its limit without a result."""


def can_seat(problem: SeatingProblem, groups: Iterable[int], *, max_steps: int = MAX_STEPS) -> bool | None:
    """Return whether these groups can all be seated, or None if that is not known.

    This considers seats, locks, barred tables and groups that must sit apart.
    """
    return _search_groups(problem, groups, max_steps)[0]


def _search_groups(problem: SeatingProblem, groups: Iterable[int], max_steps: int) -> tuple[bool | None, int]:
    """Return the outcome, and the number of tables tried."""
    order = sorted(groups, key=lambda group: (-problem.groups[group].size, -len(problem.apart[group]), group))
    search = _Search(problem, order, max_steps)
    return search.find_outcome(), max_steps - search.remaining_steps


class _Search:
    """A search that places each group at the fullest table that fits.

    Tables that are equal for all remaining groups are tried only once. Remaining groups that have failed before are not
    tried again.
    """

    def __init__(self, problem: SeatingProblem, order: list[int], max_steps: int) -> None:
        self.problem, self.order, self.remaining_steps = problem, order, max_steps
        self.free_seats = [table.seats for table in problem.tables]
        self.members: list[set[int]] = [set() for _ in problem.tables]
        # groups for which a table is special: they may sit at few others, or may not sit at it
        usual = [
            sum(problem.can_sit(value, table) for table in range(len(self.free_seats))) * 2 > len(self.free_seats)
            for value in order
        ]
        self.special = [
            tuple(
                value for value, is_usual in zip(order, usual, strict=True) if problem.can_sit(value, table) != is_usual
            )
            for table in range(len(self.free_seats))
        ]
        self.failed: set[tuple[int, frozenset[tuple[object, int]]]] = set()

    def find_outcome(self) -> bool | None:
        try:
            return self._seat_groups(0)
        except _SearchLimitError:
            return None

    def _seat_groups(self, number: int) -> bool:
        if number == len(self.order):
            return True
        if self.failed and (number, self._room_signature()) in self.failed:
            return False
        self.remaining_steps -= len(self.free_seats)
        if self.remaining_steps < 0:
            raise _SearchLimitError
        group, seen = self.order[number], set()
        size, foes = self.problem.groups[group].size, self.problem.apart[group]
        for table in sorted(range(len(self.free_seats)), key=self.free_seats.__getitem__):
            if self.free_seats[table] < size or not self.problem.can_sit(group, table) or foes & self.members[table]:
                continue
            sight = self._table_signature(table)
            if sight in seen:
                continue
            seen.add(sight)
            self.free_seats[table] -= size
            self.members[table].add(group)
            if self._seat_groups(number + 1):
                return True
            self.members[table].discard(group)
            self.free_seats[table] += size
        self.failed.add((number, self._room_signature()))
        return False

    def _table_signature(self, table: int) -> tuple[object, ...]:
        foes = tuple(sorted(member for member in self.members[table] if self.problem.apart[member]))
        return self.free_seats[table], foes, self.special[table]

    def _room_signature(self) -> frozenset[tuple[object, int]]:
        return frozenset(Counter(map(self._table_signature, range(len(self.free_seats)))).items())


def find_smallest_conflict(problem: SeatingProblem, groups: Iterable[int]) -> list[int] | None:
    """Return a minimal set of groups that cannot be seated together, or None if no conflict is known.

    This is a deletion filter that removes halves of the set before single groups. Source: Chinneck and Dravnieks,
    Locating minimal infeasible constraint sets, ORSA Journal on Computing 3, 1991. If it runs out of time, the set may
    contain more groups than necessary.
    """
    left = sorted(groups, key=lambda group: (len(problem.apart[group]), problem.groups[group].size))
    outcome, spent = _search_groups(problem, left, MAX_STEPS)
    if outcome is not False:
        return None
    purse, size = MAX_TOTAL_STEPS - spent, len(left) // 2
    while size and purse > 0:
        at = 0
        while at < len(left) and purse > 0:
            fewer = left[:at] + left[at + size :]
            outcome, spent = _search_groups(problem, fewer, min(MAX_STEPS, purse))
            purse -= spent
            if outcome is False:
                left = fewer
            else:
                at += size
        size //= 2
    return sorted(left)
