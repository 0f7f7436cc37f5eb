"""Operations on tables and objects of the room. They choose names, sizes and places that are not given."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from workspace.lib.errors import OperationNotAllowedError
from workspace.lib.text import search_key
from workspace.products.seat import messages
from workspace.products.seat.domain import guest_moves
from workspace.products.seat.models import TABLE, Chart, Table
from workspace.products.seat.rules import chair_geometry
from workspace.products.seat.rules.limits import MAX_ROOM_LENGTH_CM, MAX_TABLES
from workspace.storage import journal
from workspace.tools.object_parser import Issues

TableInput = Mapping[str, Any]
DEFAULT_SEATS = 8
COLUMNS = {"closed": "is_closed"}  # the columns whose arguments have other names
OBJECT_SIZES = {
    "dance_floor": (500.0, 500.0), "stage": (500.0, 300.0), "bar": (400.0, 80.0), "buffet": (300.0, 90.0),
    "door": (120.0, 20.0), "pillar": (40.0, 40.0), "wall": (300.0, 15.0), "other": (100.0, 100.0),
}  # fmt: skip
SEARCH_STEP_CM = 50.0  # step in which a free place is searched for, in cm


@dataclass(slots=True)
class TableSaveResult:
    """The result of saving tables. `unseating_moves` are the moves of guests whose table was deleted."""

    created: list[Table] = field(default_factory=list)
    changed: list[Table] = field(default_factory=list)
    affected: list[Table] = field(default_factory=list)
    deleted: list[Table] = field(default_factory=list)
    unseating_moves: list[list[str]] = field(default_factory=list)


def save_tables(
    chart: Chart, items: Sequence[TableInput], remove: Sequence[str], *, is_journaled: bool = True
) -> TableSaveResult:
    """Save and delete tables. Raise InvalidInputError with the path of each error.

    `is_journaled` says whether the journal records this. That is not needed for tables created together with their
    chart.
    """
    issues, done = Issues(), TableSaveResult()
    present = {table.pk: table for table in chart.tables.all()}
    _check_items(items, remove, present, issues)
    done.deleted = [present[id] for id in dict.fromkeys(remove) if id in present]
    tables = [table for table in present.values() if table not in done.deleted]
    if len(tables) + sum(item.get("count", 1) for item in items if item.get("id") is None) > MAX_TABLES:
        raise OperationNotAllowedError(messages.TABLE_LIMIT(most=MAX_TABLES))
    changes = [
        (present[item["id"]], resolve_changes(present[item["id"]], item)) for item in items if item.get("id") in present
    ]
    for table, fields in changes:
        for name, value in fields.items():
            setattr(table, name, value)
    done.created = _build_tables(chart, tables, items, issues)
    _check_names([*tables, *done.created], items, present, issues)
    issues.raise_if_any()
    done.unseating_moves = delete_tables(done.deleted)
    # in the stored form, so that the journal records the difference
    fresh = {table.pk: table for table in chart.tables.filter(pk__in=[table.pk for table, _ in changes])}
    renamed = {table.pk: fields for table, fields in changes}
    done.changed = _apply_changes(fresh, renamed)
    Table.objects.bulk_create(done.created)
    if is_journaled:
        journal.record_new_rows(*done.created)
    done.affected = [*(fresh[table.pk] for table, _ in changes), *done.created]
    return done


def _apply_changes(tables: Mapping[str, Table], changes: Mapping[str, dict[str, Any]]) -> list[Table]:
    """Save changes. If names are swapped, use temporary names first, because a name is unique within its chart."""
    taken = {table.name for table in tables.values()}
    trading = [
        table
        for id, table in tables.items()
        if (name := changes[id].get("name")) is not None and name != table.name and name in taken
    ]
    for table in trading:
        Table.objects.filter(pk=table.pk).update(name=table.pk)
    return journal.update_rows((tables[id], fields) for id, fields in changes.items())


def delete_tables(tables: Sequence[Table]) -> list[list[str]]:
    """Delete tables, whose guests then have no table. Return the moves of these guests."""
    if not tables:
        return []
    chart = tables[0].chart
    moves = guest_moves.apply_moves([(guest, None) for guest in chart.guests.filter(table__in=tables)])
    journal.delete_rows(*chart.preferences.filter(table__in=tables))
    journal.delete_rows(*tables)
    return moves


def _check_items(
    items: Sequence[TableInput], remove: Sequence[str], existing: Mapping[str, Table], issues: Issues
) -> None:
    seen: set[str] = set()
    for number, item in enumerate(items):
        id = item.get("id")
        if id is None:
            continue
        if id in seen:
            issues.add(f"items.{number}.id", messages.ITEM_REPEATED)
        elif id not in existing:
            issues.add(f"items.{number}.id", messages.TABLE_NOT_FOUND)
        elif item.get("kind", existing[id].kind) != existing[id].kind:
            issues.add(f"items.{number}.kind", messages.KIND_IS_FIXED)
        if "count" in item:
            issues.add(f"items.{number}.count", messages.COUNT_ONLY_FOR_NEW)
        seen.add(id)
    for number, id in enumerate(remove):
        if id in seen:
            issues.add(f"remove.{number}", messages.ITEM_IS_SAVED)
        elif id not in existing:
            issues.add(f"remove.{number}", messages.TABLE_NOT_FOUND)


def resolve_changes(table: Table, values: TableInput) -> dict[str, Any]:
    """Return the fields that change. A new shape gets its default size if no size is given."""
    fields = {COLUMNS.get(name, name): values[name] for name in values if name not in ("id", "count", "kind")}
    if fields.get("shape", table.shape) != table.shape and not {"width", "depth"} & set(fields):
        seats = fields.get("capacity", table.capacity)
        fields["width"], fields["depth"] = default_size(fields["shape"], seats)
    if not table.is_table:
        fields.pop("capacity", None)
    return fields


def default_size(shape: str, seats: int) -> tuple[float, float]:
    """Return the usual size of rented tables for this number of guests, with 60 cm for each guest."""
    if shape == "round":
        return next(
            ((size, size) for size, most in ((122.0, 6), (152.0, 8), (183.0, 10)) if seats <= most), (213.0, 213.0)
        )
    if shape == "square":
        return (90.0, 90.0) if seats <= 4 else (152.0, 152.0)
    if shape in ("head", "row"):
        return max(183.0, seats * chair_geometry.COMFORTABLE_WIDTH), 76.0
    if shape == "rectangle":
        return (183.0, 76.0) if seats <= 6 else (244.0, 76.0) if seats <= 8 else (seats / 2 * 60.0, 76.0)
    return chair_geometry.DEFAULT_SIZES.get(shape, chair_geometry.LONG_TABLE_SIZE)


def _build_tables(chart: Chart, tables: Sequence[Table], items: Sequence[TableInput], issues: Issues) -> list[Table]:
    standing = list(tables)
    names = {search_key(table.name) for table in tables}
    made: list[Table] = []
    rows: dict[tuple[float, float], float] = {}
    for item in items:
        if item.get("id") is not None:
            continue
        first, count = item.get("name", ""), item.get("count", 1)
        for number in range(count):
            fields = {COLUMNS.get(name, name): item[name] for name in item if name not in ("count", "name")}
            kind = fields.setdefault("kind", TABLE)
            name = first if number == 0 or kind != TABLE else _next_name(first, number)
            if kind == TABLE and not name:
                name = _next_number(names)
            names.add(search_key(name))
            table = _build_table(chart, {**fields, "name": name})
            if not {"x", "y"} & set(item) or number:
                table.x, table.y = find_free_place(chart, standing, table, rows)
            standing.append(table)
            made.append(table)
    ids = sorted(Table._meta.pk.get_default() for _ in made)
    for id, table in zip(ids, made, strict=True):
        table.pk = id
    return made


def _build_table(chart: Chart, fields: dict[str, Any]) -> Table:
    if fields["kind"] != TABLE:
        width, depth = OBJECT_SIZES[fields["kind"]]
        fields = {"width": width, "depth": depth, "shape": "rectangle", **fields, "capacity": 0}
    else:
        seats, shape = fields.get("capacity", DEFAULT_SEATS), fields.get("shape", "round")
        width, depth = default_size(shape, seats)
        fields = {"width": width, "depth": depth, "capacity": seats, "shape": shape, **fields}
    return Table(chart=chart, **fields)


def _next_name(name: str, number: int) -> str:
    """Return `Table 4` after `Table 3`, and `Oak 2` after `Oak`."""
    if not name:
        return ""
    digits = len(name) - len(name.rstrip("0123456789"))
    if digits:
        return f"{name[:-digits]}{int(name[-digits:]) + number}"[:60]
    return f"{name[:55]} {number + 1}"


def _next_number(names: Iterable[str]) -> str:
    taken = {int(name) for name in names if name.isdecimal() and name.isascii() and len(name) < 6}
    return str(next(number for number in range(1, len(taken) + 2) if number not in taken))


def _check_names(
    tables: Sequence[Table], items: Sequence[TableInput], existing: Mapping[str, Table], issues: Issues
) -> None:
    seen: dict[str, Table] = {}
    for table in tables:
        if not table.is_table:
            continue
        path = next(
            (
                f"items.{place}.name"
                for place, item in enumerate(items)
                if item.get("name") == table.name or (item.get("id") and item.get("id") == table.pk)
            ),
            "items",
        )
        if not table.name:
            issues.add(path, messages.TABLE_NAME_NEEDED)
        elif search_key(table.name) in seen:
            issues.add(path, messages.TABLE_NAME_TAKEN(name=table.name))
        seen[search_key(table.name)] = table


def compute_room_size(items: Sequence[TableInput]) -> tuple[float, float]:
    """Return the size of a room for these tables: the default or, if that is too small, a third wider than deep."""
    usual = Chart()
    if sum(item.get("count", 1) for item in items) > MAX_TABLES:
        return usual.width, usual.depth  # the items are rejected later
    area = 0.0
    for item in items:
        fields = {name: item[name] for name in item if name != "count"}
        half_w, half_d = half_extent(_build_table(usual, {"kind": TABLE, **fields}))
        area += 4 * (half_w + 30) * (half_d + 30) * item.get("count", 1)
    room = Chart(width=max(usual.width, _round_up(math.sqrt(area * 4 / 3) + 100)), depth=MAX_ROOM_LENGTH_CM)
    tables = _build_tables(room, [], items, Issues())
    low = max((table.y + half_extent(table)[1] for table in tables), default=0.0)
    return room.width, min(MAX_ROOM_LENGTH_CM, max(usual.depth, _round_up(low + SEARCH_STEP_CM)))


def _round_up(length: float) -> float:
    """Round up to whole meters."""
    return math.ceil(length / 100) * 100.0


def half_extent(table: Table) -> tuple[float, float]:
    """Return half of the width and of the depth of the upright rectangle around a table, its chairs and guests."""
    around = chair_geometry.CHAIR_DISTANCE + chair_geometry.CHAIR_SIZE if table.is_table else 0.0
    width, depth = table.width / 2 + around, table.depth / 2 + around
    return (depth, width) if round(table.rotation / 90) % 2 else (width, depth)


def compute_view_box(chart: Chart, tables: Iterable[Table]) -> str:
    """Return the SVG view box of the whole plan, which includes the room and items beyond its walls."""
    left = top = 0.0
    right, bottom = chart.width, chart.depth
    for table in tables:
        half_w, half_d = half_extent(table)
        left, right = min(left, table.x - half_w), max(right, table.x + half_w)
        top, bottom = min(top, table.y - half_d), max(bottom, table.y + half_d)
    return f"{left:g} {top:g} {right - left:g} {bottom - top:g}"


def find_free_place(
    chart: Chart, placed: Sequence[Table], table: Table, rows: dict[tuple[float, float], float]
) -> tuple[float, float]:
    """Return the first place with an aisle to all other items, row by row, or else a place below all of them.

    `rows` caches, for each table size, the row up to which all places are taken.
    """
    half_w, half_d = half_extent(table)
    aisle = 60.0
    boxes = [(other.x, other.y, *half_extent(other)) for other in placed]
    y = rows.get((half_w, half_d), half_d + SEARCH_STEP_CM)
    while y + half_d <= chart.depth:
        x = half_w + SEARCH_STEP_CM
        while x + half_w <= chart.width:
            hit = next(
                (
                    box
                    for box in boxes
                    if abs(x - box[0]) < half_w + box[2] + aisle / 2 and abs(y - box[1]) < half_d + box[3] + aisle / 2
                ),
                None,
            )
            if hit is None:
                rows[half_w, half_d] = y
                return round(x, 1), round(y, 1)
            x = max(x + SEARCH_STEP_CM, hit[0] + hit[2] + half_w + aisle / 2)
        y += SEARCH_STEP_CM
    rows[half_w, half_d] = y
    bottom = max((box[1] + box[3] for box in boxes), default=0.0)
    return round(half_w + SEARCH_STEP_CM, 1), round(bottom + half_d + aisle, 1)
