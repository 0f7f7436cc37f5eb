"""Chairs are placed around a table as people would place them."""

from __future__ import annotations

import math
from itertools import combinations

import pytest

from workspace.products.seat.rules.chair_geometry import (
    CHAIR_SIZE,
    COMFORTABLE_WIDTH,
    TIGHT_WIDTH,
    Shape,
    edge_per_person,
    place_chairs,
)


@pytest.mark.parametrize(
    ("shape", "width", "depth", "ends", "comfortable", "tight"),
    [
        ("round", 153, 153, False, 8, 10),
        ("round", 183, 183, False, 9, 12),
        ("round", 122, 122, False, 6, 8),
        ("rectangle", 183, 76, False, 6, 6),
        ("rectangle", 183, 76, True, 8, 8),
        ("rectangle", 244, 76, True, 10, 12),
        ("head", 240, 76, False, 4, 5),
    ],
)
def test_tables_seat_as_many_as_rental_companies_state(
    shape: Shape, width: float, depth: float, ends: bool, comfortable: int, tight: int
) -> None:
    def most(room: float) -> int:
        return max(many for many in range(1, 30) if edge_per_person(shape, many, width, depth, ends=ends) >= room)

    assert (most(COMFORTABLE_WIDTH - 0.5), most(TIGHT_WIDTH)) == (comfortable, tight)


@pytest.mark.parametrize("shape", ["round", "rectangle", "square", "oval", "half_round", "head", "row"])
@pytest.mark.parametrize("ends", [False, True])
def test_each_guest_has_a_separate_chair_outside_the_table(shape: Shape, ends: bool) -> None:
    width, depth = {"round": (152.0, 152.0), "square": (120.0, 120.0)}.get(shape, (244.0, 90.0))
    for many in range(1, 17):
        chairs = place_chairs(shape, many, width, depth, ends=ends)
        assert len({(chair.x, chair.y) for chair in chairs}) == len(chairs) == many
        for chair in chairs:  # and faces the table, not away from it
            ahead = chair.x + math.cos(math.radians(chair.facing)), chair.y + math.sin(math.radians(chair.facing))
            assert abs(chair.x) > width / 2 or abs(chair.y) > depth / 2 or shape in ("round", "oval", "half_round")
            assert math.hypot(ahead[0] / width, ahead[1] / depth) < math.hypot(chair.x / width, chair.y / depth)
        if edge_per_person(shape, many, width, depth, ends=ends) >= COMFORTABLE_WIDTH:
            for chair, other in combinations(chairs, 2):
                assert math.hypot(chair.x - other.x, chair.y - other.y) >= CHAIR_SIZE


def test_an_odd_guest_sits_at_the_side_that_faces_the_room() -> None:
    chairs = place_chairs("rectangle", 7, 244, 76)
    assert sum(chair.y > 0 for chair in chairs) == 4 and place_chairs("rectangle", 0, 244, 76) == []
