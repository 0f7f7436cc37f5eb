"""What a seating is worth, kept up to date move by move."""

from __future__ import annotations

from collections.abc import Sequence

from workspace.products.seat.rules.solver.problem import Puzzle

SEAT_TOO_FEW, PAIR_TOO_NEAR, MOVE_TOO_MANY = 5.0, 20.0, 20.0  # what breaks a rule costs, while it is searched for
AMONG_STRANGERS, HALF_EMPTY = 1.0, 0.5


class Seating:
    """Every group at a table. `score` is what the owner is told; `breach` what is broken, 0 where all may sit like
    this. `change` tells what a move would bring to both, `move` does it. `most_moves`: how many who sit somewhere may
    change tables, None for as many as are wanted; `price`: what each of them costs."""

    def __init__(
        self, puzzle: Puzzle, places: Sequence[int], *, most_moves: int | None = None, price: float = 0.0
    ) -> None:
        self.puzzle, self.places = puzzle, list(places)
        self.most_moves, self.price = most_moves, price
        self.load = [0] * len(puzzle.tables)
        self.members: list[set[int]] = [set() for _ in puzzle.tables]
        for group, table in enumerate(self.places):
            self.load[table] += puzzle.groups[group].size
            self.members[table].add(group)
        self.moves = sum(puzzle.groups[group].moving_to(table) for group, table in enumerate(self.places))
        self.crowded = sum(max(0, load - table.seats) for load, table in zip(self.load, puzzle.tables, strict=True))
        self.near = sum(len(puzzle.apart[group] & self.members[at]) for group, at in enumerate(self.places)) // 2

    @property
    def score(self) -> float:
        """Weights of wishes met, less those who sit among strangers, less tables that are used by less than half."""
        puzzle, met = self.puzzle, 0.0
        for group, table in enumerate(self.places):
            met += sum(weight for other, weight in puzzle.together[group] if self.places[other] == table) / 2
            met += sum(weight for other, weight in puzzle.split[group] if self.places[other] != table) / 2
            met += puzzle.likes[group].get(table, 0)
            met += sum(puzzle.dislikes[group].values()) - puzzle.dislikes[group].get(table, 0)
            met -= AMONG_STRANGERS * (puzzle.alone[group] and not self._friends(group, table))
        return met + puzzle.always - sum(self._emptiness(table, load) for table, load in enumerate(self.load))

    @property
    def breach(self) -> float:
        """What is broken, at the prices at which the search weighs it."""
        excess = self._excess(self.moves)
        return SEAT_TOO_FEW * self.crowded + PAIR_TOO_NEAR * self.near + MOVE_TOO_MANY * excess

    def change(self, group: int, table: int) -> float:
        """What moving a group to a table would add to score less breach less price."""
        puzzle, here, places = self.puzzle, self.places[group], self.places
        one = puzzle.groups[group]
        gained = float(puzzle.likes[group].get(table, 0) - puzzle.likes[group].get(here, 0))
        gained += puzzle.dislikes[group].get(here, 0) - puzzle.dislikes[group].get(table, 0)
        friends_here = friends_there = 0
        for other, weight in puzzle.together[group]:
            at = places[other]
            if at == here:
                gained -= weight
                friends_here += 1
                if puzzle.alone[other] and self._friends(other, here) == 1:
                    gained -= AMONG_STRANGERS
            elif at == table:
                gained += weight
                friends_there += 1
                if puzzle.alone[other] and not self._friends(other, table):
                    gained += AMONG_STRANGERS
        if puzzle.alone[group]:
            gained += AMONG_STRANGERS * (bool(friends_there) - bool(friends_here))
        for other, weight in puzzle.split[group]:
            at = places[other]
            gained += weight * ((at == here) - (at == table))
        foes = puzzle.apart[group]
        if foes:
            gained += PAIR_TOO_NEAR * (len(foes & self.members[here]) - len(foes & self.members[table]))
        gained += self._relief(here, -one.size) + self._relief(table, one.size)
        more = one.moving_to(table) - one.moving_to(here)
        if more:
            gained -= self.price * more
            gained -= MOVE_TOO_MANY * (self._excess(self.moves + more) - self._excess(self.moves))
        return gained

    def move(self, group: int, table: int) -> None:
        here, one = self.places[group], self.puzzle.groups[group]
        self.moves += one.moving_to(table) - one.moving_to(here)
        foes = self.puzzle.apart[group]
        if foes:
            self.near += len(foes & self.members[table]) - len(foes & self.members[here])
        self.crowded += self._crowding(here, -one.size) + self._crowding(table, one.size)
        self.load[here] -= one.size
        self.load[table] += one.size
        self.members[here].discard(group)
        self.members[table].add(group)
        self.places[group] = table

    def _friends(self, group: int, table: int) -> int:
        places = self.places
        return sum(1 for other, _ in self.puzzle.together[group] if places[other] == table)

    def _excess(self, moves: int) -> int:
        return 0 if self.most_moves is None else max(0, moves - self.most_moves)

    def _emptiness(self, table: int, load: int) -> float:
        return HALF_EMPTY if 0 < load * 2 < self.puzzle.tables[table].seats else 0.0

    def _relief(self, table: int, more: int) -> float:
        """What a table gains when so many more sit there."""
        load = self.load[table]
        emptied = self._emptiness(table, load) - self._emptiness(table, load + more)
        return emptied - SEAT_TOO_FEW * self._crowding(table, more)

    def _crowding(self, table: int, more: int) -> int:
        """How many more would sit there without a seat."""
        seats, load = self.puzzle.tables[table].seats, self.load[table]
        return max(0, load + more - seats) - max(0, load - seats)
