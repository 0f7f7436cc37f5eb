"""Many rows in few statements."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import islice
from typing import Any

from django.db.backends.utils import CursorWrapper

_ROWS = 400  # in a statement: 32 columns each stay far below SQLite's 32,766 parameters


def insert(
    cursor: CursorWrapper, table: str, columns: Sequence[str], rows: Iterable[tuple[Any, ...]], tail: str = ""
) -> list[tuple[Any, ...]]:
    """One INSERT for every few hundred rows. `tail`: what follows the values, such as ON CONFLICT; what it returns is
    returned. Names and tail are the caller's own words, values are parameters."""
    names, line = ", ".join(columns), f"({', '.join(['%s'] * len(columns))})"
    returned: list[tuple[Any, ...]] = []
    remaining = iter(rows)
    while chunk := list(islice(remaining, _ROWS)):
        lines = ", ".join([line] * len(chunk))
        cursor.execute(
            f"INSERT INTO {table} ({names}) VALUES {lines} {tail}",  # noqa: S608
            [value for row in chunk for value in row],
        )
        if "RETURNING" in tail:
            returned += cursor.fetchall()
    return returned
