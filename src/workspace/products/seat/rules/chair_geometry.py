"""Tables and chairs on a floor, in centimeters.

A table's center is (0, 0), with x to the right and y down. Chairs are described by their centers and the directions
that they face.

Space per person and between tables is as recommended by furniture rentals and event planners: 60 cm of an edge is
comfortable, and 47 is tight. A chair is 45 by 45. Between the edges of two tables there are two chairs and an aisle of
60.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Literal

Shape = Literal["round", "rectangle", "square", "oval", "half_round", "head", "row"]

CHAIR_SIZE, CHAIR_DISTANCE = 45.0, 25.0  # a chair's side, and the distance from its center to the table's edge
COMFORTABLE_WIDTH, TIGHT_WIDTH = 60.0, 47.0
TABLE_GAP, WALL_GAP = 150.0, 90.0
DEFAULT_SIZES = {"round": (152.0, 152.0), "square": (90.0, 90.0), "oval": (244.0, 122.0), "half_round": (152.0, 76.0)}
LONG_TABLE_SIZE = (183.0, 76.0)  # for all other shapes


@dataclass(frozen=True, slots=True)
class Chair:
    """A chair. `facing` is the direction that its guest faces, in degrees clockwise from the right."""

    x: float
    y: float
    facing: float


def place_chairs(shape: Shape, seats: int, width: float, depth: float, *, ends: bool = False) -> list[Chair]:
    """Return the chairs clockwise from the top, in the order of their numbers.

    `ends` says whether there are also chairs at the short sides.
    """
    if seats <= 0:
        return []
    if shape in ("round", "oval"):
        return _place_around(seats, width / 2, depth / 2, start=-90, sweep=360)
    if shape == "half_round":
        return _place_around(seats, width / 2, depth, start=180, sweep=180, middle=(0, depth / 2), inside=True)
    if shape in ("head", "row"):
        return _place_in_row(seats, width, depth)
    return _place_on_sides(seats, width, depth, ends=ends or shape == "square")


def _place_around(
    seats: int,
    width: float,
    depth: float,
    *,
    start: float,
    sweep: float,
    middle: tuple[float, float] = (0.0, 0.0),
    inside: bool = False,
) -> list[Chair]:
    """Place chairs evenly by angle. At a half-round table, place them between its corners."""
    chairs = []
    for number in range(seats):
        share = (number + 0.5) / seats if inside else number / seats
        angle = math.radians(start + sweep * share)
        x = middle[0] + (width + CHAIR_DISTANCE) * math.cos(angle)
        y = middle[1] + (depth + CHAIR_DISTANCE) * math.sin(angle)
        chairs.append(Chair(round(x, 2), round(y, 2), round((math.degrees(angle) + 180) % 360, 2)))
    return chairs


def _place_in_row(seats: int, width: float, depth: float) -> list[Chair]:
    """Place all chairs on one side, so that all guests look into the room."""
    y = -(depth / 2 + CHAIR_DISTANCE)
    return [Chair(round(x, 2), round(y, 2), 90.0) for x in _spread_evenly(seats, width)]


def _place_on_sides(seats: int, width: float, depth: float, *, ends: bool) -> list[Chair]:
    """Place chairs on both long sides. An odd chair goes to the lower side, which faces the room.

    If `ends` is set, each short side gets at least one chair first.
    """
    at_ends = _count_at_ends(seats, width, depth) if ends else (0, 0)
    long = seats - sum(at_ends)
    above, below = long // 2, long - long // 2
    right, left = at_ends
    out_x, out_y = width / 2 + CHAIR_DISTANCE, depth / 2 + CHAIR_DISTANCE
    chairs = [Chair(x, -out_y, 90.0) for x in _spread_evenly(above, width)]
    chairs += [Chair(out_x, y, 180.0) for y in _spread_evenly(right, depth)]
    chairs += [Chair(x, out_y, 270.0) for x in reversed(_spread_evenly(below, width))]
    chairs += [Chair(-out_x, y, 0.0) for y in reversed(_spread_evenly(left, depth))]
    return [Chair(round(chair.x, 2), round(chair.y, 2), chair.facing) for chair in chairs]


def _count_at_ends(seats: int, width: float, depth: float) -> tuple[int, int]:
    """Return the numbers of chairs at the right and left ends.

    They are in proportion to the edge, with at least one at each end if four or more people sit at the table.
    """
    share = round(seats * depth / (2 * (width + depth))) if width > 0 else 0
    each = min(max(1, share), max(1, int(depth // TIGHT_WIDTH)))
    if seats < 3:
        return 0, 0
    return (each, each) if seats >= 2 * each + 2 else (1, 1)


def _spread_evenly(seats: int, length: float) -> list[float]:
    return [(number + 0.5) * length / seats - length / 2 for number in range(seats)]


def edge_per_person(shape: Shape, seats: int, width: float, depth: float, *, ends: bool = False) -> float:
    """Return the length of the table's edge per guest.

    Less than COMFORTABLE_WIDTH is tight, and less than TIGHT_WIDTH is too tight.
    """
    if seats <= 0:
        return math.inf
    if shape in ("round", "oval"):
        return _ellipse_perimeter(width / 2, depth / 2) / seats
    if shape == "half_round":
        return _ellipse_perimeter(width / 2, depth) / 2 / seats
    if shape in ("head", "row"):
        return width / seats
    chairs = place_chairs(shape, seats, width, depth, ends=ends)
    on_long = max(sum(chair.facing == side for chair in chairs) for side in (90.0, 270.0))
    on_short = max(sum(chair.facing == side for chair in chairs) for side in (0.0, 180.0))
    return min(width / on_long if on_long else math.inf, depth / on_short if on_short else math.inf)


def _ellipse_perimeter(width: float, depth: float) -> float:
    """Return the perimeter by Ramanujan's first approximation.

    Source: Modular equations and approximations to π, 1914.
    """
    return math.pi * (3 * (width + depth) - math.sqrt((3 * width + depth) * (width + 3 * depth)))
