"""Whether groups can be seated at all: a complete search, which gives up when it takes too long. It is asked before
anybody is seated, so that an owner learns at once what cannot be, and not after a minute that nothing was found."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable

from workspace.products.seat.rules.solver.problem import Puzzle

MOST = 60_000  # tables looked at in one search, a fifth of a second; and in all for the least set
MOST_IN_ALL = 500_000


class _Unsure(Exception):
    """It takes too long to know."""


def can_seat(puzzle: Puzzle, groups: Iterable[int], *, most: int = MOST) -> bool | None:
    """Whether these groups can all sit, by seats, locks, bars and who must be apart; None when that is not known."""
    return _searched(puzzle, groups, most)[0]


def _searched(puzzle: Puzzle, groups: Iterable[int], most: int) -> tuple[bool | None, int]:
    """The outcome, and how many tables were looked at for it."""
    order = sorted(groups, key=lambda one: (-puzzle.groups[one].size, -len(puzzle.apart[one]), one))
    search = _Search(puzzle, order, most)
    return search.outcome(), most - search.left


class _Search:
    """One group after the other to the fullest table that takes it. Tables that are alike for all who are still to
    come are tried once, and what is left to seat is given up at once where the same has failed before."""

    def __init__(self, puzzle: Puzzle, order: list[int], most: int) -> None:
        self.puzzle, self.order, self.left = puzzle, order, most
        self.room = [table.seats for table in puzzle.tables]
        self.members: list[set[int]] = [set() for _ in puzzle.tables]
        # for whom a table is another than the rest: who may sit nowhere else, and who may not sit there
        usual = [
            sum(puzzle.may_sit(one, table) for table in range(len(self.room))) * 2 > len(self.room) for one in order
        ]
        self.special = [
            tuple(one for one, most in zip(order, usual, strict=True) if puzzle.may_sit(one, table) != most)
            for table in range(len(self.room))
        ]
        self.failed: set[tuple[int, frozenset[tuple[object, int]]]] = set()

    def outcome(self) -> bool | None:
        try:
            return self._seat(0)
        except _Unsure:
            return None

    def _seat(self, number: int) -> bool:
        if number == len(self.order):
            return True
        if self.failed and (number, self._sights()) in self.failed:
            return False
        self.left -= len(self.room)
        if self.left < 0:
            raise _Unsure
        group, seen = self.order[number], set()
        size, foes = self.puzzle.groups[group].size, self.puzzle.apart[group]
        for table in sorted(range(len(self.room)), key=self.room.__getitem__):
            if self.room[table] < size or not self.puzzle.may_sit(group, table) or foes & self.members[table]:
                continue
            sight = self._sight(table)
            if sight in seen:
                continue
            seen.add(sight)
            self.room[table] -= size
            self.members[table].add(group)
            if self._seat(number + 1):
                return True
            self.members[table].discard(group)
            self.room[table] += size
        self.failed.add((number, self._sights()))
        return False

    def _sight(self, table: int) -> tuple[object, ...]:
        foes = tuple(sorted(one for one in self.members[table] if self.puzzle.apart[one]))
        return self.room[table], foes, self.special[table]

    def _sights(self) -> frozenset[tuple[object, int]]:
        return frozenset(Counter(map(self._sight, range(len(self.room)))).items())


def least_that_cannot(puzzle: Puzzle, groups: Iterable[int]) -> list[int] | None:
    """Of groups that cannot all sit, some that cannot either and of whom each is needed for that: a deletion filter
    (Chinneck and Dravnieks, Locating minimal infeasible constraint sets, ORSA Journal on Computing 3, 1991), by halves
    before one by one. Where that takes too long they may be more than are needed. None when it is not known that they
    cannot."""
    left = sorted(groups, key=lambda group: (len(puzzle.apart[group]), puzzle.groups[group].size))
    outcome, spent = _searched(puzzle, left, MOST)
    if outcome is not False:
        return None
    purse, size = MOST_IN_ALL - spent, len(left) // 2
    while size and purse > 0:
        at = 0
        while at < len(left) and purse > 0:
            fewer = left[:at] + left[at + size :]
            outcome, spent = _searched(puzzle, fewer, min(MOST, purse))
            purse -= spent
            if outcome is False:
                left = fewer
            else:
                at += size
        size //= 2
    return sorted(left)
