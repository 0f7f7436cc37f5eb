"""Warnings about tables without enough space for chairs or for passing. They never block an action."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import cast

from workspace.products.seat import messages
from workspace.products.seat.models import Chart, Table
from workspace.products.seat.rules import chair_geometry

MAX_WARNINGS = 20  # warnings in one answer


def find_warnings(chart: Chart, tables: Sequence[Table]) -> list[str]:
    """Return warnings about crowded tables, and about tables too close to each other or to a wall."""
    real = [table for table in tables if table.is_table]
    results = [text for table in real if (text := _crowding_warning(table))]
    corners = {table.pk: _outline_points(table) for table in real}
    for number, table in enumerate(real):
        for other in real[number + 1 :]:
            reach = math.hypot(table.width, table.depth) / 2 + math.hypot(other.width, other.depth) / 2
            if math.hypot(table.x - other.x, table.y - other.y) > reach + chair_geometry.TABLE_GAP:
                continue
            gap = _compute_gap(table, other, corners[table.pk], corners[other.pk])
            if gap < chair_geometry.TABLE_GAP - 1:
                results.append(_gap_warning(table, other, max(0, gap)))
        wall = _measure_wall_distance(chart, corners[table.pk])
        if wall < 0:
            results.append(str(messages.TABLE_OUTSIDE_ROOM(table=table.label)))
        elif wall < chair_geometry.WALL_GAP - 1:
            least = f"{chair_geometry.WALL_GAP:.0f}"
            results.append(str(messages.TABLE_TOO_CLOSE_TO_WALL(table=table.label, gap=f"{wall:.0f}", least=least)))
    return results[:MAX_WARNINGS]


def find_tables_outside(chart: Chart, tables: Sequence[Table]) -> dict[str, str]:
    """Return a warning for each table that is partly outside of the room, keyed by table id."""
    return {
        table.pk: str(messages.TABLE_OUTSIDE_ROOM(table=table.label))
        for table in tables
        if table.is_table and _measure_wall_distance(chart, _outline_points(table)) < 0
    }


def _measure_wall_distance(chart: Chart, corners: Sequence[tuple[float, float]]) -> float:
    """Return the distance to the nearest wall, which is negative outside of the room."""
    return min(min(x, y, chart.width - x, chart.depth - y) for x, y in corners)


def _crowding_warning(table: Table) -> str:
    shape = cast(chair_geometry.Shape, table.shape)
    each = chair_geometry.edge_per_person(shape, table.capacity, table.width, table.depth, ends=table.end_seats)
    if each >= chair_geometry.TIGHT_WIDTH:
        return ""
    comfortable = f"{chair_geometry.COMFORTABLE_WIDTH:.0f}"
    text = messages.TABLE_CROWDED(table=table.label, seats=table.capacity, width=f"{each:.0f}", comfortable=comfortable)
    return str(text)


def _gap_warning(table: Table, other: Table, gap: float) -> str:
    least = f"{chair_geometry.TABLE_GAP:.0f}"
    return str(messages.TABLES_TOO_CLOSE(table=table.label, other=other.label, gap=f"{gap:.0f}", least=least))


def _outline_points(table: Table) -> list[tuple[float, float]]:
    """Return the corners of a table, or points on the edge of a round or oval one."""
    if table.shape in ("round", "oval"):
        outline = [
            (table.width / 2 * math.cos(angle), table.depth / 2 * math.sin(angle))
            for angle in (step * math.pi / 12 for step in range(24))
        ]
    else:
        w, d = table.width / 2, table.depth / 2
        outline = [(-w, -d), (w, -d), (w, d), (-w, d)]
    turn = math.radians(table.rotation)
    return [
        (table.x + x * math.cos(turn) - y * math.sin(turn), table.y + x * math.sin(turn) + y * math.cos(turn))
        for x, y in outline
    ]


def _compute_gap(
    table: Table, other: Table, item: Sequence[tuple[float, float]], other_points: Sequence[tuple[float, float]]
) -> float:
    if table.shape == other.shape == "round":
        return math.hypot(table.x - other.x, table.y - other.y) - table.width / 2 - other.width / 2
    return min(
        min(_distance_to_outline(point, edges) for point in points)
        for points, edges in ((item, other_points), (other_points, item))
    )


def _distance_to_outline(point: tuple[float, float], corners: Sequence[tuple[float, float]]) -> float:
    return min(_distance_to_segment(point, corners[place - 1], corners[place]) for place in range(len(corners)))


def _distance_to_segment(point: tuple[float, float], a: tuple[float, float], b: tuple[float, float]) -> float:
    length = (b[0] - a[0]) ** 2 + (b[1] - a[1]) ** 2
    share = (
        0.0
        if not length
        else max(0.0, min(1.0, ((point[0] - a[0]) * (b[0] - a[0]) + (point[1] - a[1]) * (b[1] - a[1])) / length))
    )
    return math.hypot(point[0] - a[0] - share * (b[0] - a[0]), point[1] - a[1] - share * (b[1] - a[1]))
