"""Whether groups can be seated at all: a complete search, which gives up when it takes too long. It is asked before
anybody is seated, so that an owner learns at once what cannot be, and not after a minute that nothing was found."""

from __future__ import annotations

from collections.abc import Iterable

from workspace.products.seat.puzzle import Puzzle

MOST = 20_000  # tables tried; some tens of milliseconds


class _Unsure(Exception):
    """It takes too long to know."""


def can_seat(puzzle: Puzzle, groups: Iterable[int], *, most: int = MOST) -> bool | None:
    """Whether these groups can all sit, by seats, locks, bars and who must be apart; None when that is not known."""
    order = sorted(groups, key=lambda one: (-puzzle.groups[one].size, -len(puzzle.apart[one]), one))
    return _Search(puzzle, order, most).outcome()


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
        self.failed: set[tuple[object, ...]] = set()

    def outcome(self) -> bool | None:
        try:
            return self._seat(0)
        except _Unsure:
            return None

    def _seat(self, number: int) -> bool:
        if number == len(self.order):
            return True
        if self.failed and (number, *self._sights()) in self.failed:
            return False
        group, seen = self.order[number], set()
        size, foes = self.puzzle.groups[group].size, self.puzzle.apart[group]
        for table in sorted(range(len(self.room)), key=self.room.__getitem__):
            if self.room[table] < size or not self.puzzle.may_sit(group, table) or foes & self.members[table]:
                continue
            sight = self._sight(table)
            if sight in seen:
                continue
            seen.add(sight)
            self.left -= 1
            if self.left < 0:
                raise _Unsure
            self.room[table] -= size
            self.members[table].add(group)
            if self._seat(number + 1):
                return True
            self.members[table].discard(group)
            self.room[table] += size
        self.failed.add((number, *self._sights()))
        return False

    def _sight(self, table: int) -> tuple[object, ...]:
        foes = tuple(sorted(one for one in self.members[table] if self.puzzle.apart[one]))
        return self.room[table], foes, self.special[table]

    def _sights(self) -> tuple[object, ...]:
        return tuple(sorted(map(self._sight, range(len(self.room))), key=repr))


def least_that_cannot(puzzle: Puzzle, groups: Iterable[int]) -> list[int] | None:
    """Of groups that cannot all sit, some that cannot either and of whom each is needed for that (a deletion filter:
    Chinneck and Dravnieks, Locating minimal infeasible constraint sets, ORSA Journal on Computing 3, 1991). None when
    it is not known that they cannot."""
    left = list(groups)
    if can_seat(puzzle, left) is not False:
        return None
    for one in sorted(left, key=lambda group: (len(puzzle.apart[group]), puzzle.groups[group].size)):
        fewer = [group for group in left if group != one]
        if can_seat(puzzle, fewer) is False:
            left = fewer
    return left
