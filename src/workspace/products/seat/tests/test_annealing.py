"""Simulated annealing satisfies preferences as far as possible and never breaks rules."""

from __future__ import annotations

from itertools import combinations

from workspace.products.seat.rules.solver.annealing import AnnealingResult, find_seating
from workspace.products.seat.rules.solver.problem import MUST, NICE, Guest, SeatingProblem, Table, build_problem
from workspace.products.seat.tests.problems import parties, preference, tables

STEPS = 5_000


def table_by_guest(puzzle: SeatingProblem, result: AnnealingResult) -> dict[str, str]:
    """Return each guest's table."""
    return {
        guest.id: puzzle.tables[place].id
        for group, place in zip(puzzle.groups, result.places, strict=True)
        for guest in group.guests
    }


def test_a_chain_of_couples_at_tables_for_two_couples_meets_two_of_three_preferences() -> None:
    chain = [
        preference("together", "0.0", "1.0"),
        preference("together", "1.0", "2.0"),
        preference("together", "2.0", "3.0"),
    ]
    result = find_seating(build_problem(tables(4, 4), parties(2, 2, 2, 2), chain), steps=STEPS)
    assert (result.score, result.breach) == (6.0, 0.0)


def test_parties_that_fit_in_only_one_way_are_seated() -> None:
    puzzle = build_problem(tables(10, 10), parties(4, 4, 3, 3, 3, 3))
    result = find_seating(puzzle, steps=STEPS)
    assert result.breach == 0 and result.places.count(0) == 3  # 4 3 3 at each table
    assert result.places[0] != result.places[1]


def test_friends_sit_together_rather_than_evenly() -> None:
    friends = [
        preference("together", f"{value}.0", f"{other}.0", weight=NICE) for value, other in combinations(range(6), 2)
    ]
    result = find_seating(build_problem(tables(4, 4), parties(1, 1, 1, 1, 1, 1), friends), steps=STEPS)
    assert result.score == 7.0  # four and two: six pairs and one pair


def test_a_must_be_apart_rule_overrides_every_preference() -> None:
    preferences = [preference("apart", "0.0", "1.0", weight=MUST), preference("together", "0.0", "1.0", weight=3)]
    puzzle = build_problem(tables(4, 4), parties(1, 1, 2), preferences)
    placed = table_by_guest(puzzle, find_seating(puzzle, steps=STEPS))
    assert placed["0.0"] != placed["1.0"]


def test_a_must_preference_outweighs_all_nice_ones() -> None:
    nice = [preference("together", "0.0", f"{other}.0", weight=NICE) for other in (2, 3, 4)]
    puzzle = build_problem(
        tables(2, 4), parties(1, 1, 1, 1, 1), [*nice, preference("near", "0.0", table="t0", weight=MUST)]
    )
    assert table_by_guest(puzzle, find_seating(puzzle, steps=STEPS))["0.0"] == "t0"


def test_locked_guests_stay_and_barred_or_closed_tables_are_not_used() -> None:
    places = tables(2, 6, 6)
    guest = Guest("held", "Held", "", "t0", locked=True)
    puzzle = build_problem(places, [guest, *parties(2, 2)], [preference("away", "0.0", table="t1", weight=MUST)])
    placed = table_by_guest(puzzle, find_seating(puzzle, steps=STEPS))
    assert placed["held"] == "t0" and placed["0.0"] == "t2"
    closed = build_problem([places[0], Table("t1", "2", 6, closed=True), places[2]], parties(2, 2, 1))
    assert "t1" not in table_by_guest(closed, find_seating(closed, steps=STEPS)).values()


def test_a_newcomer_joins_their_party_with_one_move() -> None:
    guests = [Guest(name, name, "A" if name[0] == "A" else "", "t0") for name in ("A1", "A2", "s", "t")]
    puzzle = build_problem(tables(4, 4), [*guests, Guest("A3", "A3", "A")])
    result = find_seating(puzzle, steps=STEPS, most_moves=5)
    assert result.moves == 1 and table_by_guest(puzzle, result)["A3"] == "t0"


def test_no_more_guests_move_than_allowed() -> None:
    """All guests prefer another table."""
    guests = [Guest(f"g{number}", f"G{number}", "", f"t{number % 2}") for number in range(6)]
    preferences = [preference("near", f"g{number}", table=f"t{1 - number % 2}") for number in range(6)]
    for most in (0, 1, 2):
        result = find_seating(build_problem(tables(6, 6), guests, preferences), steps=STEPS, most_moves=most)
        assert result.moves == most and result.breach == 0
    assert find_seating(build_problem(tables(6, 6), guests, preferences), steps=STEPS).moves == 6


def test_one_preference_in_a_full_room_swaps_two_parties_and_moves_no_one_else() -> None:
    guests = [Guest(f"{n}.{m}", f"{n}.{m}", f"P{n}", f"t{n // 2}") for n in range(40) for m in range(4)]
    puzzle = build_problem(tables(*[8] * 20), guests, [preference("together", "3.0", "30.0")])
    for most in (None, 8, 20):
        result = find_seating(puzzle, steps=20_000, seconds=600, most_moves=most, seed=3)
        assert (result.score, result.moves, result.breach) == (3, 8, 0)


def test_a_party_may_be_split_on_request() -> None:
    puzzle = build_problem(tables(3, 3), parties(5, 1), keeps_parties=False)
    placed = table_by_guest(puzzle, find_seating(puzzle, steps=STEPS))
    assert sorted(sum(table == name for table in placed.values()) for name in ("t0", "t1")) == [3, 3]


def test_the_same_seed_and_steps_give_the_same_seating_and_the_callback_can_stop_the_search() -> None:
    puzzle = build_problem(tables(8, 8, 8), parties(3, 3, 2, 2, 2, 1, 1), [preference("together", "0.0", "3.0")])
    assert (
        find_seating(puzzle, steps=2_000, seconds=600, seed=7).places
        == find_seating(puzzle, steps=2_000, seconds=600, seed=7).places
    )
    heard: list[float] = []

    def enough(done: float, best: AnnealingResult) -> bool:
        heard.append(done)
        return len(heard) < 3

    find_seating(puzzle, seconds=600, on_progress=enough)
    assert len(heard) == 3 and heard == sorted(heard)
