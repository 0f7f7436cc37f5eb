"""Many rows in few statements."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import islice
from typing import Any

from django.db import DEFAULT_DB_ALIAS, connection
from django.db.backends.utils import CursorWrapper
from django.db.models import Model

_BATCH_SIZE = 400  # in a statement: 32 columns each stay far below SQLite's 32,766 parameters


def insert_rows(
    cursor: CursorWrapper, table: str, columns: Sequence[str], rows: Iterable[tuple[Any, ...]], tail: str = ""
) -> list[tuple[Any, ...]]:
    """`tail`: what follows the values, such as ON CONFLICT; what it returns is returned, in any order.

    Table, columns and tail are the caller's own words, values are parameters."""
    line = f"({', '.join(['%s'] * len(columns))})"
    head = f"INSERT INTO {table} ({', '.join(columns)}) VALUES "  # noqa: S608
    if "RETURNING" not in tail and connection.vendor == "sqlite":
        # one statement that SQLite keeps prepared: reading a long one takes it longer than the rows
        cursor.executemany(f"{head} {line} {tail}", list(rows))
        return []
    returned: list[tuple[Any, ...]] = []
    remaining = iter(rows)
    while chunk := list(islice(remaining, _BATCH_SIZE)):
        lines = ", ".join([line] * len(chunk))
        cursor.execute(f"{head} {lines} {tail}", [value for row in chunk for value in row])
        if "RETURNING" in tail:
            returned += cursor.fetchall()
    return returned


def create_rows(rows: Sequence[Model]) -> None:
    """New rows of one model, whose fields hold values and no expressions: written as `bulk_create` does, in half of its
    time, since nothing is asked of each value anew. A key that the database counts is not read back."""
    if not rows:
        return
    meta = rows[0]._meta
    fields = [field for field in meta.local_concrete_fields if field is not meta.auto_field]
    lines = [tuple(field.get_db_prep_save(field.pre_save(row, True), connection) for field in fields) for row in rows]
    with connection.cursor() as cursor:
        insert_rows(cursor, meta.db_table, [f'"{field.column}"' for field in fields], lines)
    for row in rows:
        row._state.adding, row._state.db = False, DEFAULT_DB_ALIAS
