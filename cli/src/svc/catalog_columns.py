"""The columns that the catalog defines for a list, fitted to the available width."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import Any

from svc.table_columns import COLUMN_GAP, Row, widen_columns

MIN_TEXT_WIDTH = 8  # characters; text is cut to at least this width before its column is omitted
_UNCUT_NAMES = ("id", "slug", "state", "status", "reason", "code")
_TIME = re.compile(r"(\d{4}-\d\d-\d\d)T(\d\d:\d\d)(?::\d\d)?(?:\.\d+)?(Z?)(?:[+-]\d\d:\d\d)?")


def filter_filled_columns(rows: Sequence[Row], names: Sequence[str]) -> list[str]:
    """Return those of the named columns that have a value in any row."""
    return [name for name in names if any(row.get(name) not in (None, "", [], {}) for row in rows)]


def fit_columns(rows: Sequence[Row], names: Sequence[str], natural: Mapping[str, int], width: int) -> dict[str, int]:
    """Return the width of each column. The first and the last column, which identify a row, are fitted first."""
    floors = {name: _min_width(name, [row.get(name) for row in rows], natural[name]) for name in names}
    sizes: dict[str, int] = {}
    for name in [*names[:1], *names[-1:], *names[1:-1]]:
        if name not in sizes and sum(sizes.values()) + floors[name] + COLUMN_GAP * len(sizes) <= width:
            sizes[name] = floors[name]
    sizes = {name: sizes[name] for name in names if name in sizes} or {names[0]: width}
    widen_columns(sizes, natural, width)
    return sizes


def format_short_time(text: str) -> str:
    """Format a time, to the minute, in the local time of its zone. Return any other text unchanged."""
    found = _TIME.fullmatch(text)
    return f"{found[1]} {found[2]}{found[3]}" if found else text


def _min_width(name: str, values: Sequence[Any], natural: int) -> int:
    is_text = all(isinstance(value, (str, list)) or value is None for value in values)
    is_whole = name.rpartition("_")[2] in _UNCUT_NAMES or any(
        isinstance(value, str) and _TIME.fullmatch(value) for value in values
    )
    return min(natural, MIN_TEXT_WIDTH) if is_text and not is_whole else natural
