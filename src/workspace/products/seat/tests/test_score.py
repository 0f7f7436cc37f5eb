"""The computed gain of a move equals the difference of the scores."""

from __future__ import annotations

from hypothesis import given, settings
from hypothesis import strategies as st

from workspace.products.seat.rules.solver.problem import MUST, Guest, build_problem
from workspace.products.seat.rules.solver.score import Seating
from workspace.products.seat.tests.problems import parties, preference, tables

sizes = st.lists(st.integers(1, 4), min_size=2, max_size=7)
kinds = st.sampled_from(["together", "apart", "near", "away"])
weights = st.sampled_from([MUST, 1, 3])


@given(sizes, st.lists(st.integers(1, 8), min_size=2, max_size=4), st.data())
@settings(max_examples=60)
def test_the_gain_of_a_move_is_the_difference_between_two_seatings(
    groups: list[int], seats: list[int], data: st.DataObject
) -> None:
    places, guests = tables(*seats), parties(*groups)
    ids, names = [guest.id for guest in guests], [table.id for table in places]
    preferences = []
    for kind, weight in data.draw(st.lists(st.tuples(kinds, weights), max_size=12)):
        value, other = data.draw(st.sampled_from(ids)), data.draw(st.sampled_from(ids))
        if kind in ("near", "away"):
            preferences.append(preference(kind, value, table=data.draw(st.sampled_from(names)), weight=weight))
        elif value.split(".")[0] != other.split(".")[0]:
            preferences.append(preference(kind, value, other, weight=weight))
    somewhere = st.sampled_from(["", *names])
    guests = [Guest(guest.id, guest.name, guest.party, data.draw(somewhere)) for guest in guests]
    puzzle = build_problem(places, guests, preferences)
    most, price = data.draw(st.sampled_from([None, 0, 2])), data.draw(st.sampled_from([0.0, 7.0]))
    start = [data.draw(st.integers(0, len(places) - 1)) for _ in puzzle.groups]
    seating = Seating(puzzle, start, most_moves=most, price=price)

    def worth(seating: Seating) -> float:
        return seating.score - seating.breach - price * seating.moves

    for _ in range(6):
        group = data.draw(st.integers(0, len(puzzle.groups) - 1))
        table = data.draw(st.integers(0, len(places) - 1))
        if seating.places[group] == table:
            continue
        before, told = worth(seating), seating.compute_gain(group, table)
        seating.move_group(group, table)
        anew = Seating(puzzle, seating.places, most_moves=most, price=price)
        assert abs(worth(anew) - before - told) < 1e-6
        assert abs(worth(anew) - worth(seating)) < 1e-6


def test_the_same_preference_entered_twice_counts_one_friend() -> None:
    places, guests = tables(2, 2), parties(1, 1)
    pair = [guest.id for guest in guests]
    puzzle = build_problem(places, guests, [preference("together", *pair), preference("together", *pair, weight=MUST)])
    seating = Seating(puzzle, [0, 0])
    before, gain = seating.score, seating.compute_gain(0, 1)
    seating.move_group(0, 1)
    assert seating.score - before == gain
