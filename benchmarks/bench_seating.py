"""Auto-seating compared with a greedy algorithm.

The greedy algorithm places each party in turn, largest first, at the table with most of its friends.

    python benchmarks/bench_seating.py [SECONDS]

The weddings are random but always the same. They have parties of one to four, and tables of ten with some spare seats.
There is one preference to sit together for every two guests, and one pair to keep apart for every twenty guests. Scores
are those shown to owners: weights of met preferences minus guests among strangers. The greedy chart may break rules,
and is then invalid. Goals: a better score than the greedy one, and the first valid chart within half a second.
"""

from __future__ import annotations

import sys
import time
from pathlib import Path
from random import Random

sys.path.insert(0, str(Path(__file__).resolve().parent.parent / "src"))
from table import Row, markdown

from workspace.products.seat.rules.solver.annealing import find_seating
from workspace.products.seat.rules.solver.obstacles import find_obstacles
from workspace.products.seat.rules.solver.problem import (
    MUST,
    NICE,
    WANTED,
    Guest,
    Preference,
    SeatingProblem,
    Table,
    build_problem,
)
from workspace.products.seat.rules.solver.score import Seating

GUESTS, SECONDS, FIRST = (50, 107, 200, 500), 3.0, 0.5


def wedding(many: int) -> tuple[list[Table], list[Guest], list[Preference]]:
    chance = Random(many)
    guests: list[Guest] = []
    for party in range(many):
        size = min(chance.choice((1, 2, 2, 2, 3, 4)), many - len(guests))
        guests += [Guest(f"{party}.{one}", f"Guest {party}.{one}", f"Party {party}") for one in range(size)]
    tables = [Table(str(number), str(number), 10) for number in range(-(-many * 11 // 100))]
    preferences = []
    for number in range(many // 2):
        one, other = chance.sample(guests, 2)
        preferences.append(
            Preference(f"w{number}", "together", (one.id, other.id), weight=chance.choice((NICE, WANTED)))
        )
    for number in range(many // 20):
        one, other = chance.sample(guests, 2)
        if one.party != other.party:
            preferences.append(Preference(f"a{number}", "apart", (one.id, other.id), weight=MUST))
    return tables, guests, preferences


def greedy(puzzle: SeatingProblem) -> Seating:
    load, places = [0] * len(puzzle.tables), [-1] * len(puzzle.groups)
    for group in sorted(range(len(puzzle.groups)), key=lambda one: -puzzle.groups[one].size):
        size = puzzle.groups[group].size
        fits = [place for place, table in enumerate(puzzle.tables) if load[place] + size <= table.seats]
        friends = {
            place: sum(weight for other, weight in puzzle.together[group] if places[other] == place) for place in fits
        }
        places[group] = max(fits, key=lambda place: (friends[place], -load[place])) if fits else 0
        load[places[group]] += size
    return Seating(puzzle, places)


def measure(seconds: float = SECONDS) -> list[Row]:
    rows = []
    for many in GUESTS:
        tables, guests, preferences = wedding(many)
        began = time.perf_counter()
        assert find_obstacles(tables, guests, preferences) == []
        looked = time.perf_counter() - began
        puzzle = build_problem(tables, guests, preferences)
        simple, found = greedy(puzzle), find_seating(puzzle, seconds=seconds)
        broken = f"; greedy breaks {simple.broken_separations + simple.missing_seats} rules" if simple.breach else ""
        speed = f"{found.tried_moves / seconds:,.0f} moves/s in {seconds:g} s"
        note = f"{speed}; obstacles looked for in {looked * 1000:.0f} ms{broken}"
        ratio = found.score / simple.score if simple.score > 0 else None
        rows.append(Row(f"seat {many} guests", f"{found.score:.0f}", f"{simple.score:.0f}", ratio, 1.0, note))
        if found.first is None:
            rows.append(Row(f"first legal chart of {many}", "none", f"{FIRST} s", 0.0, 1.0))
        else:
            spent = max(found.first, 0.001)
            rows.append(Row(f"first legal chart of {many}", f"{found.first:.3f} s", f"{FIRST} s", FIRST / spent, 1.0))
    return rows


if __name__ == "__main__":
    print(markdown(measure(*map(float, sys.argv[1:2]))))
