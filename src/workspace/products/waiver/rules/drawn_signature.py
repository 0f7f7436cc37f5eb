"""A drawn signature: strokes of points from a browser. Blank or accidental drawings are rejected."""

from __future__ import annotations

import math
from collections.abc import Sequence
from itertools import pairwise
from typing import Any

from workspace.products.waiver import messages

Strokes = list[list[list[int]]]
MAX_STROKES, MAX_POINTS, MAX_COORDINATE = 200, 4000, 4000
MIN_POINTS, MIN_SIZE = 30, 20  # number of points, and pixels of the larger side
MIN_INK_LENGTH = 150  # pixels of ink, because a quick signature has few points


def clean_strokes(value: Any) -> Strokes:
    """Return the strokes with coordinates in whole pixels. Raise ValueError if they are invalid."""
    if not isinstance(value, list) or len(value) > MAX_STROKES:
        raise ValueError(messages.UNREADABLE_SIGNATURE)
    results: Strokes = []
    for stroke in value:
        if not isinstance(stroke, list) or not all(_is_point(point) for point in stroke):
            raise ValueError(messages.UNREADABLE_SIGNATURE)
        results.append([[int(x), int(y)] for x, y in stroke])
    points = [point for stroke in results for point in stroke]
    if len(points) > MAX_POINTS:
        raise ValueError(messages.UNREADABLE_SIGNATURE)
    scarce = len(points) < MIN_POINTS and sum(map(_stroke_length, results)) < MIN_INK_LENGTH
    if scarce or max(_extent(points, 0), _extent(points, 1)) < MIN_SIZE:
        raise ValueError(messages.INCOMPLETE_SIGNATURE)
    return [stroke for stroke in results if stroke]


def _stroke_length(stroke: Sequence[Sequence[int]]) -> float:
    return sum(math.dist(item, other) for item, other in pairwise(stroke))


def _extent(points: Sequence[Sequence[int]], axis: int) -> int:
    values = [point[axis] for point in points]
    return max(values) - min(values)


def _is_point(point: Any) -> bool:
    if not isinstance(point, list) or len(point) != 2:
        return False
    return all(
        isinstance(item, (int, float)) and not isinstance(item, bool) and -MAX_COORDINATE <= item <= MAX_COORDINATE
        for item in point
    )


def render_svg(strokes: Sequence[Sequence[Sequence[int]]]) -> str:
    """Render the strokes as SVG. Coordinates must be integers, as returned by `clean_strokes`."""
    points = [point for stroke in strokes for point in stroke]
    left, top = min(x for x, _ in points) - 4, min(y for _, y in points) - 4
    size = f"{left} {top} {_extent(points, 0) + 8} {_extent(points, 1) + 8}"
    paths = "".join(
        f'<path d="M{" L".join(f"{x} {y}" for x, y in (stroke if len(stroke) > 1 else [*stroke, *stroke]))}"/>'
        for stroke in strokes
    )
    pen = 'fill="none" stroke="#111" stroke-width="3" stroke-linecap="round" stroke-linejoin="round"'
    return f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="{size}"><g {pen}>{paths}</g></svg>'
