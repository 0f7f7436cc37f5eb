"""Changes to exported rows: values of other types, out of bounds, and values that are invalid only in their meaning."""

from __future__ import annotations

import json
from collections.abc import Collection
from copy import deepcopy
from dataclasses import dataclass
from random import Random
from typing import Any

from tests.across.sample_exports import Rows

NUMBERS: list[Any] = [0, -1, 1, 2, 7, 100, 32_768, 2**31, 2**53 + 1, 10**30, 0.5, -0.01, 1e17, 1e308]
TEXTS = [
    "", "x", "zzz", "Mars/Base", "9E+300000", "1e5", "-1", "NaN", "0.00001", "javascript:alert(1)",
    "java\tscript:alert(1)", "//evil.example/", "https://evil.example/", "../../etc/passwd", "x" * 300, "x" * 70_000,
    "two\nlines", "\u202eesrever", "\u0007", "{{7*7}}", "{name} {nothing}", "<script>alert(1)</script>", "%s %d", "{}",
    "[]", "null", "2026-02-31", "9999-12-31T23:59:59Z", "0001-01-01T00:00:00Z", "2026-06-01", "25:61", "[erased]",
    "mailto:a@b.de", "a@b", "tlh", "de", "JPY", "#12345", "\ud83d", "\x00", "<b>", "=1+1", "٣", "| |",
]  # fmt: skip
DEEP: Any = []
for _ in range(60):
    DEEP = [DEEP]
OTHERS: list[Any] = [None, True, False, [], {}, [None], {"a": {"b": 1}}, ["x"] * 3, [[1, 2]], DEEP]


@dataclass(frozen=True)
class Mutation:
    """A row of a table with one changed column."""

    table: str
    place: int  # starting at 0
    column: str
    row: dict[str, Any]

    @property
    def cell(self) -> tuple[str, int, str]:
        return self.table, self.place, self.column

    def __str__(self) -> str:
        return f"{self.table}, line {self.place + 1}: {self.column} = {json.dumps(self.row.get(self.column))[:300]}"


def mutated(rows: Rows, random: Random, table: str, keys: Collection[str]) -> Mutation:
    """Return a change of a row of this table, rarely in its `keys`, since most changes of keys have no effect."""
    place = random.randrange(len(rows[table]))
    row = deepcopy(rows[table][place])
    column = random.choice(list(row))
    if column in keys and random.random() < 0.95:
        column = random.choice([name for name in row if name not in keys] or [column])
    if random.random() < 0.05:
        del row[column]
    else:
        row[column] = _changed(row[column], [one.get(column) for one in rows[table]], random)
    return Mutation(table, place, column, row)


def _changed(value: Any, others: list[Any], random: Random) -> Any:
    if isinstance(value, str) and value[:1] in "{[" and random.random() < 0.8:
        try:
            return json.dumps(_inside(json.loads(value), random))
        except ValueError:
            pass
    if isinstance(value, (dict, list)) and value and random.random() < 0.85:
        return _inside(deepcopy(value), random)
    if random.random() < 0.15:
        return random.choice(others)
    if isinstance(value, bool) or random.random() < 0.1:
        return random.choice([*OTHERS, *NUMBERS, *TEXTS])
    if isinstance(value, (int, float)):
        return random.choice([*NUMBERS, value + 1, value - 1, value * 1000])
    return random.choice(TEXTS)


def _inside(value: Any, random: Random) -> Any:
    """Return the value with one change inside an object or a list."""
    at = value
    while True:
        if not at:
            return random.choice([*OTHERS, *TEXTS, *NUMBERS])
        key: Any = random.choice(list(at)) if isinstance(at, dict) else random.randrange(len(at))
        inner = at[key]
        if isinstance(inner, (dict, list)) and inner and random.random() < 0.8:
            at = inner
            continue
        way = random.random()
        if way < 0.15:
            del at[key]
        elif way < 0.25 and isinstance(at, list):
            at.extend([inner] * random.choice([1, 300]))
        elif way < 0.25:
            at[random.choice(TEXTS)[:80]] = inner
        else:
            at[key] = random.choice([*OTHERS, *NUMBERS]) if random.random() < 0.4 else _changed(inner, [inner], random)
        return value
