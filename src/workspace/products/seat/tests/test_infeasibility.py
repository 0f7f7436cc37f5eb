"""Impossible seatings are explained before a search, by name and with as few guests as possible."""

from __future__ import annotations

from itertools import combinations, product

from hypothesis import given, settings
from hypothesis import strategies as st

from workspace.products.seat.rules.solver.feasibility import can_seat
from workspace.products.seat.rules.solver.obstacles import find_cheapest_split, find_obstacles
from workspace.products.seat.rules.solver.problem import MUST, Guest, SeatingProblem, Table, build_problem
from workspace.products.seat.tests.problems import parties, preference, tables


def test_a_party_larger_than_every_table_is_named_and_its_cheapest_split_offered() -> None:
    (found,) = find_obstacles(tables(8, 6), parties(9, 2))
    assert (found.kind, found.missing) == ("party_too_large", 1)
    assert found.text == "The party “Party 0” has 9 guests, but the largest table has 8 seats."
    assert find_cheapest_split(build_problem(tables(8, 6), parties(9, 2)), 0) == (8, 1)


def test_two_guests_of_a_party_who_must_be_apart_are_named() -> None:
    (found,) = find_obstacles(tables(8, 8), parties(3), [preference("apart", "0.0", "0.2", weight=MUST)])
    assert (found.kind, found.guests) == ("apart_inside", ("0.0", "0.2"))
    assert (
        find_obstacles(tables(8, 8), parties(3), [preference("apart", "0.0", "0.2", weight=MUST)], keeps_parties=False)
        == []
    )


def test_members_of_a_party_locked_at_two_tables_are_named() -> None:
    held = [Guest("a", "Ada", "Byron", "t0", locked=True), Guest("b", "Ben", "Byron", "t1", locked=True)]
    (found,) = find_obstacles(tables(8, 8), held)
    assert found.text == "Ada and Ben belong to one party but are locked to different tables: Table 1 and Table 2."


def test_too_few_seats_are_counted() -> None:
    (found,) = find_obstacles([*tables(4, 4), Table("shut", "9", 10, closed=True)], parties(2, 2, 2, 2, 3))
    assert (found.kind, found.missing) == ("too_few_seats", 3)


def test_a_party_that_may_sit_nowhere_is_named() -> None:
    bars = [preference("away", "0.0", table="t0", weight=MUST)]
    (found,) = find_obstacles(tables(4, 2), parties(3, 1), bars)
    assert found.kind == "nowhere" and "Party 0" in found.text


def test_parties_that_do_not_fit_together_are_all_named() -> None:
    (found,) = find_obstacles(tables(8, 8, 8), parties(5, 5, 5, 5))
    assert found.kind == "clash" and all(f"Party {number} (5)" in found.text for number in range(4))


def test_only_the_three_guests_in_conflict_at_two_tables_are_named() -> None:
    enemies = [preference("apart", f"{one}.0", f"{other}.0", weight=MUST) for one, other in combinations(range(3), 2)]
    (found,) = find_obstacles(tables(10, 10), parties(1, 1, 1, 4, 2), enemies)
    assert set(found.guests) == {"0.0", "1.0", "2.0"}
    assert found.text.endswith("must all sit apart, but there are only 2 tables.")


def test_no_obstacle_is_reported_if_everyone_can_sit() -> None:
    assert find_obstacles(tables(10, 10), parties(4, 4, 3, 3, 3, 3)) == []


def by_hand(puzzle: SeatingProblem) -> bool:
    """Return whether the groups can be seated, by trying all possibilities."""
    for places in product(range(len(puzzle.tables)), repeat=len(puzzle.groups)):
        load = [0] * len(puzzle.tables)
        for group, table in enumerate(places):
            load[table] += puzzle.groups[group].size
        if all(used <= table.seats for used, table in zip(load, puzzle.tables, strict=True)) and all(
            puzzle.can_sit(group, table) and not any(places[foe] == table for foe in puzzle.apart[group])
            for group, table in enumerate(places)
        ):
            return True
    return False


@given(
    st.lists(st.integers(1, 4), min_size=1, max_size=6),
    st.lists(st.integers(1, 6), min_size=1, max_size=3),
    st.lists(st.tuples(st.integers(0, 5), st.integers(0, 5)), max_size=5),
    st.lists(st.tuples(st.integers(0, 5), st.integers(0, 2)), max_size=3),
)
@settings(max_examples=150)
def test_the_complete_search_agrees_with_trying_all_ways(
    sizes: list[int], seats: list[int], foes: list[tuple[int, int]], barred: list[tuple[int, int]]
) -> None:
    preferences = [
        preference("apart", f"{one}.0", f"{other}.0", weight=MUST)
        for one, other in foes
        if one != other and max(one, other) < len(sizes)
    ]
    preferences += [
        preference("away", f"{one}.0", table=f"t{table}", weight=MUST) for one, table in barred if one < len(sizes)
    ]
    puzzle = build_problem(tables(*seats), parties(*sizes), preferences)
    assert can_seat(puzzle, range(len(sizes))) is by_hand(puzzle)
