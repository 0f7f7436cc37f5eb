"""A drawn signature: strokes of points, as a browser sends them. A blank or accidental one is refused."""

from __future__ import annotations

import math
from collections.abc import Sequence
from itertools import pairwise
from typing import Any

from django.utils.translation import gettext

Strokes = list[list[list[int]]]
MOST_STROKES, MOST_POINTS, WIDEST = 200, 4000, 4000
FEWEST_POINTS, SMALLEST = 30, 20  # of ink, and pixels of its larger side
LONG_ENOUGH = 150  # pixels of ink: a quick hand leaves few points


def clean(given: Any) -> Strokes:
    """Whole pixels. Raises ValueError."""
    if not isinstance(given, list) or len(given) > MOST_STROKES:
        raise ValueError(_unreadable())
    found: Strokes = []
    for stroke in given:
        if not isinstance(stroke, list) or not all(_is_point(point) for point in stroke):
            raise ValueError(_unreadable())
        found.append([[int(x), int(y)] for x, y in stroke])
    points = [point for stroke in found for point in stroke]
    if len(points) > MOST_POINTS:
        raise ValueError(_unreadable())
    scarce = len(points) < FEWEST_POINTS and sum(map(_length, found)) < LONG_ENOUGH
    if scarce or max(_extent(points, 0), _extent(points, 1)) < SMALLEST:
        raise ValueError(gettext("Please draw your whole name, or type it"))
    return [stroke for stroke in found if stroke]


def _length(stroke: Sequence[Sequence[int]]) -> float:
    return sum(math.dist(one, other) for one, other in pairwise(stroke))


def _extent(points: Sequence[Sequence[int]], axis: int) -> int:
    values = [point[axis] for point in points]
    return max(values) - min(values)


def _is_point(point: Any) -> bool:
    if not isinstance(point, list) or len(point) != 2:
        return False
    return all(
        isinstance(one, (int, float)) and not isinstance(one, bool) and -WIDEST <= one <= WIDEST for one in point
    )


def _unreadable() -> str:
    return gettext("This signature cannot be read: draw it again, or type your name")


def svg(strokes: Sequence[Sequence[Sequence[int]]]) -> str:
    """Of whole numbers that were checked when it was taken."""
    points = [point for stroke in strokes for point in stroke]
    left, top = min(x for x, _ in points) - 4, min(y for _, y in points) - 4
    size = f"{left} {top} {_extent(points, 0) + 8} {_extent(points, 1) + 8}"
    paths = "".join(
        f'<path d="M{" L".join(f"{x} {y}" for x, y in (stroke if len(stroke) > 1 else [*stroke, *stroke]))}"/>'
        for stroke in strokes
    )
    pen = 'fill="none" stroke="#111" stroke-width="3" stroke-linecap="round" stroke-linejoin="round"'
    return f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="{size}"><g {pen}>{paths}</g></svg>'
