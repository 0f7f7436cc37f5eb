"""Tables and chairs on a floor, in centimetres. A table's own middle is (0, 0), x to the right, y down; its chairs are
told by their middles and by the way they face.

Room for each person and between tables as furniture hirers and planners reckon: 60 cm of an edge is comfortable and 47
tight, a chair is 45 by 45, between the edges of two tables two chairs and an aisle of 60."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Literal

Shape = Literal["round", "rectangle", "square", "oval", "half_round", "head", "row"]

CHAIR, FROM_EDGE = 45.0, 25.0  # a chair's side, and how far its middle is from the table's edge
COMFORTABLE, TIGHT = 60.0, 47.0
BETWEEN_TABLES, TO_WALL = 150.0, 90.0
USUAL = {"round": (152.0, 152.0), "square": (90.0, 90.0), "oval": (244.0, 122.0), "half_round": (152.0, 76.0)}
LONG = (183.0, 76.0)  # of every other shape


@dataclass(frozen=True, slots=True)
class Chair:
    """`facing`: degrees, clockwise from the right, in which its guest looks."""

    x: float
    y: float
    facing: float


def chairs(shape: Shape, seats: int, width: float, depth: float, *, ends: bool = False) -> list[Chair]:
    """Clockwise from the top, as guests are counted. `ends`: whether people sit at the short sides too."""
    if seats <= 0:
        return []
    if shape in ("round", "oval"):
        return _around(seats, width / 2, depth / 2, start=-90, sweep=360)
    if shape == "half_round":
        return _around(seats, width / 2, depth, start=180, sweep=180, middle=(0, depth / 2), inside=True)
    if shape in ("head", "row"):
        return _line(seats, width, depth)
    return _sides(seats, width, depth, ends=ends or shape == "square")


def _around(
    seats: int,
    across: float,
    down: float,
    *,
    start: float,
    sweep: float,
    middle: tuple[float, float] = (0.0, 0.0),
    inside: bool = False,
) -> list[Chair]:
    """Evenly by angle; on half a round between its corners."""
    made = []
    for number in range(seats):
        share = (number + 0.5) / seats if inside else number / seats
        angle = math.radians(start + sweep * share)
        x = middle[0] + (across + FROM_EDGE) * math.cos(angle)
        y = middle[1] + (down + FROM_EDGE) * math.sin(angle)
        made.append(Chair(round(x, 2), round(y, 2), round((math.degrees(angle) + 180) % 360, 2)))
    return made


def _line(seats: int, width: float, depth: float) -> list[Chair]:
    """One side, that all look into the room from."""
    y = -(depth / 2 + FROM_EDGE)
    return [Chair(round(x, 2), round(y, 2), 90.0) for x in _spread(seats, width)]


def _sides(seats: int, width: float, depth: float, *, ends: bool) -> list[Chair]:
    """Both long sides, the odd one at the side that faces the room (the lower); one at each end first where it may."""
    at_ends = _at_ends(seats, width, depth) if ends else (0, 0)
    long = seats - sum(at_ends)
    above, below = long // 2, long - long // 2
    right, left = at_ends
    out_x, out_y = width / 2 + FROM_EDGE, depth / 2 + FROM_EDGE
    made = [Chair(x, -out_y, 90.0) for x in _spread(above, width)]
    made += [Chair(out_x, y, 180.0) for y in _spread(right, depth)]
    made += [Chair(x, out_y, 270.0) for x in reversed(_spread(below, width))]
    made += [Chair(-out_x, y, 0.0) for y in reversed(_spread(left, depth))]
    return [Chair(round(one.x, 2), round(one.y, 2), one.facing) for one in made]


def _at_ends(seats: int, width: float, depth: float) -> tuple[int, int]:
    """As many as the short sides' share of the edge is, one each at least where four or more sit."""
    share = round(seats * depth / (2 * (width + depth))) if width > 0 else 0
    each = min(max(1, share), max(1, int(depth // TIGHT)))
    if seats < 3:
        return 0, 0
    return (each, each) if seats >= 2 * each + 2 else (1, 1)


def _spread(seats: int, length: float) -> list[float]:
    return [(number + 0.5) * length / seats - length / 2 for number in range(seats)]


def per_person(shape: Shape, seats: int, width: float, depth: float, *, ends: bool = False) -> float:
    """How much of the table's edge each has. Below COMFORTABLE it is close, below TIGHT too close."""
    if seats <= 0:
        return math.inf
    if shape in ("round", "oval"):
        return _ellipse(width / 2, depth / 2) / seats
    if shape == "half_round":
        return _ellipse(width / 2, depth) / 2 / seats
    if shape in ("head", "row"):
        return width / seats
    made = chairs(shape, seats, width, depth, ends=ends)
    on_long = max(sum(one.facing == side for one in made) for side in (90.0, 270.0))
    on_short = max(sum(one.facing == side for one in made) for side in (0.0, 180.0))
    return min(width / on_long if on_long else math.inf, depth / on_short if on_short else math.inf)


def _ellipse(across: float, down: float) -> float:
    """Its edge, by Ramanujan's first approximation (Modular equations and approximations to π, 1914)."""
    return math.pi * (3 * (across + down) - math.sqrt((3 * across + down) * (across + 3 * down)))
