"""The score of a seating, which is updated with each move."""

from __future__ import annotations

from collections.abc import Sequence

from workspace.products.seat.rules.solver.problem import SeatingProblem

MISSING_SEAT_COST, SEPARATED_PAIR_COST, EXTRA_MOVE_COST = (
    5.0,
    20.0,
    20.0,
)  # cost of a broken rule during the search
STRANGERS_COST, HALF_EMPTY_COST = 1.0, 0.5
UNEVEN_COST, PARTLY_FULL_COST = 2.0, 1.0  # at the ends of the balance, for each table


class Seating:
    """A seating with a table for every group.

    `score` is the value shown to the owner. `breach` measures broken rules, and 0 means a valid seating. `compute_gain`
    returns the effect of a move on both, and `move_group` makes it. `most_moves` is how many seated guests may change
    tables, or None for any number. `price` is the cost of each move.
    """

    def __init__(
        self, problem: SeatingProblem, places: Sequence[int], *, most_moves: int | None = None, price: float = 0.0
    ) -> None:
        self.problem, self.places = problem, list(places)
        self.fill_share = min(1.0, problem.size / max(1, problem.seats))  # of each table, if all are equally full
        self.most_moves, self.price = most_moves, price
        self.load = [0] * len(problem.tables)
        self.members: list[set[int]] = [set() for _ in problem.tables]
        for group, table in enumerate(self.places):
            self.load[table] += problem.groups[group].size
            self.members[table].add(group)
        self.moves = sum(problem.groups[group].count_moving(table) for group, table in enumerate(self.places))
        self.missing_seats = sum(
            max(0, load - table.seats) for load, table in zip(self.load, problem.tables, strict=True)
        )
        self.broken_separations = (
            sum(len(problem.apart[group] & self.members[at]) for group, at in enumerate(self.places)) // 2
        )

    @property
    def score(self) -> float:
        """The weight of preferences met, minus costs for guests among strangers and for tables less than half full."""
        puzzle, met = self.problem, 0.0
        for group, table in enumerate(self.places):
            met += sum(weight for other, weight in puzzle.together[group] if self.places[other] == table) / 2
            met += sum(weight for other, weight in puzzle.split[group] if self.places[other] != table) / 2
            met += puzzle.likes[group].get(table, 0)
            met += sum(puzzle.dislikes[group].values()) - puzzle.dislikes[group].get(table, 0)
            met -= STRANGERS_COST * (puzzle.alone[group] and not self._count_friends(group, table))
        return (
            met + puzzle.fixed_weight - sum(self._emptiness_cost(table, load) for table, load in enumerate(self.load))
        )

    @property
    def breach(self) -> float:
        """The cost of broken rules, weighted for the search."""
        excess = self._count_extra_moves(self.moves)
        return (
            MISSING_SEAT_COST * self.missing_seats
            + SEPARATED_PAIR_COST * self.broken_separations
            + EXTRA_MOVE_COST * excess
        )

    def compute_gain(self, group: int, table: int) -> float:
        """Return the score gained by moving a group to a table, minus the costs of broken rules and of moves."""
        puzzle, here, places = self.problem, self.places[group], self.places
        item = puzzle.groups[group]
        gained = float(puzzle.likes[group].get(table, 0) - puzzle.likes[group].get(here, 0))
        gained += puzzle.dislikes[group].get(here, 0) - puzzle.dislikes[group].get(table, 0)
        friends_here = friends_there = 0
        for other, weight in puzzle.together[group]:
            at = places[other]
            if at == here:
                gained -= weight
                friends_here += 1
                if puzzle.alone[other] and self._count_friends(other, here) == 1:
                    gained -= STRANGERS_COST
            elif at == table:
                gained += weight
                friends_there += 1
                if puzzle.alone[other] and not self._count_friends(other, table):
                    gained += STRANGERS_COST
        if puzzle.alone[group]:
            gained += STRANGERS_COST * (bool(friends_there) - bool(friends_here))
        for other, weight in puzzle.split[group]:
            at = places[other]
            gained += weight * ((at == here) - (at == table))
        foes = puzzle.apart[group]
        if foes:
            gained += SEPARATED_PAIR_COST * (len(foes & self.members[here]) - len(foes & self.members[table]))
        gained += self._compute_relief(here, -item.size) + self._compute_relief(table, item.size)
        more = item.count_moving(table) - item.count_moving(here)
        if more:
            gained -= self.price * more
            gained -= EXTRA_MOVE_COST * (
                self._count_extra_moves(self.moves + more) - self._count_extra_moves(self.moves)
            )
        return gained

    def move_group(self, group: int, table: int) -> None:
        here, item = self.places[group], self.problem.groups[group]
        self.moves += item.count_moving(table) - item.count_moving(here)
        foes = self.problem.apart[group]
        if foes:
            self.broken_separations += len(foes & self.members[table]) - len(foes & self.members[here])
        self.missing_seats += self._count_extra_guests(here, -item.size) + self._count_extra_guests(table, item.size)
        self.load[here] -= item.size
        self.load[table] += item.size
        self.members[here].discard(group)
        self.members[table].add(group)
        self.places[group] = table

    def _count_friends(self, group: int, table: int) -> int:
        places = self.places
        return sum(1 for other, _ in self.problem.together[group] if places[other] == table)

    def _count_extra_moves(self, moves: int) -> int:
        return 0 if self.most_moves is None else max(0, moves - self.most_moves)

    def _emptiness_cost(self, table: int, load: int) -> float:
        """Return the cost of a table that is less than half full, or that the balance of the problem discourages."""
        seats, balance = self.problem.tables[table].seats, self.problem.balance
        half_empty = HALF_EMPTY_COST if 0 < load * 2 < seats else 0.0
        if not balance or not seats:
            return half_empty
        if balance > 0:
            difference: float = load - self.fill_share * seats
            return (1 - balance) * half_empty + balance * UNEVEN_COST * difference * difference / seats
        return half_empty - balance * PARTLY_FULL_COST * max(0, load * (seats - load)) / seats

    def _compute_relief(self, table: int, more: int) -> float:
        """Return the gain for a table if this many more guests sit there."""
        load = self.load[table]
        emptied = self._emptiness_cost(table, load) - self._emptiness_cost(table, load + more)
        return emptied - MISSING_SEAT_COST * self._count_extra_guests(table, more)

    def _count_extra_guests(self, table: int, more: int) -> int:
        """Return how many of the added guests would have no seat."""
        seats, load = self.problem.tables[table].seats, self.load[table]
        return max(0, load + more - seats) - max(0, load - seats)
