"""The lower bound of a call's time: its SQL statements, run again with the module `sqlite3`."""

from __future__ import annotations

import itertools
import random
import re
import secrets
import sqlite3
import string
import time
from collections.abc import Callable
from typing import Any

from django.conf import settings
from django.db import connection

from workspace.accounts.models import ApiKey

WRITES = ("INSERT", "UPDATE", "DELETE", "REPLACE")
_ID = re.compile(r"\b[a-z]{2,6}_[0-9a-z]{26}\b")
_LITERAL = re.compile(r"'((?:[^']|'')*)'|(?<![\w.\"])(-?\d+(?:\.\d+)?)(?![\w\"])|(?<=[(,] )(NULL)|(?<=\()(NULL)")
_INSERT = re.compile(r'INSERT (?:OR \w+ )?INTO "?(\w+)"? \(([^)]*)\)')
_FLOOR_PRAGMAS = ("journal_mode=WAL", "synchronous=FULL", "temp_store=MEMORY", "secure_delete=ON", "busy_timeout=20000")


class Statements:
    """The SQL statements of a call, with their values."""

    def __init__(self, texts: list[str], times: list[float]) -> None:
        """Store the statements in the order in which SQLite ran them, with their start times.

        The statement that leases calls of a quota is left out, since one call of twenty runs it.
        """
        kept = [
            (text.strip(), at) for text, at in zip(texts, times, strict=True) if "rate_limits_callquota" not in text
        ]
        self.texts, self.times = [text for text, _ in kept], [at for _, at in kept]
        self.words = [text.split(None, 1)[0].upper() for text in self.texts]

    @property
    def commits(self) -> int:
        """Transactions, and single writes outside of one."""
        alone, inside = 0, False
        for word in self.words:
            inside = (inside or word == "BEGIN") and word not in ("COMMIT", "ROLLBACK")
            alone += word == "COMMIT" or (word in WRITES and not inside)
        return alone

    @property
    def hold_milliseconds(self) -> float:
        """Milliseconds of processor time for which transactions held the write lock, until their COMMIT started."""
        began, held = 0.0, 0.0
        for word, at in zip(self.words, self.times, strict=True):
            if word == "BEGIN":
                began = at
            elif word in ("COMMIT", "ROLLBACK"):
                held += at - began
        return held * 1000

    @property
    def count(self) -> int:
        """Statements except those that begin and end transactions. Rows of one `executemany` count as one."""
        heads = [text.partition(" VALUES ")[0] if " VALUES " in text else "" for text in self.texts]
        return sum(
            word in (*WRITES, "SELECT", "WITH") and not (head and head == former)
            for word, head, former in zip(self.words, heads, ["", *heads], strict=False)
        )

    @property
    def writes(self) -> bool:
        """True if rows other than those of rate limits are written."""
        return any(
            word in WRITES and "rate_limits_" not in text for word, text in zip(self.words, self.texts, strict=True)
        )

    def list_of(self, *words: str) -> list[tuple[str, list[Any]]]:
        """Return the statements that start with these words, with their values as parameters."""
        return [_split_values(text) for word, text in zip(self.words, self.texts, strict=True) if word in words]


def _split_values(text: str) -> tuple[str, list[Any]]:
    values: list[Any] = []

    def replace_literal(found: re.Match[str]) -> str:
        if found[1] is not None:
            values.append(found[1].replace("''", "'"))
        elif found[2] is None:
            values.append(None)
        else:
            values.append(float(found[2]) if "." in found[2] else int(found[2]))
        return "?"

    return _LITERAL.sub(replace_literal, text), values


def trace(work: Callable[[], object]) -> Statements:
    """Run `work` and return the SQL statements that it caused."""
    texts: list[str] = []
    times: list[float] = []

    def record_text(text: str) -> None:
        if texts and text == texts[-1] and text.startswith(WRITES):
            return  # SQLite reports a write again after its trigger
        if "rate_limits_callquota" in text:
            return  # only one call in twenty writes it
        texts.append(text)
        times.append(time.thread_time())

    connection.ensure_connection()
    connection.connection.set_trace_callback(record_text)
    try:
        work()
    finally:
        connection.connection.set_trace_callback(None)
    return Statements(texts, times)


def newest_id() -> str:
    """Return the random part of a new id, which sorts after all earlier ones."""
    return str(ApiKey._meta.pk.get_default()).partition("_")[2]


def time_reads(statements: Statements, times: int) -> list[float]:
    """Run the same SELECT statements this many times without Django. Return milliseconds of processor time."""
    raw, selects = _open_raw(), statements.list_of("SELECT", "WITH")
    return [_run(raw, selects) for _ in range(times)]


def time_writes(statements: Statements, marker: str, times: int) -> list[float]:
    """Write the same rows again this many times, with new ids and new values in unique columns.

    `marker` is older than the ids of the rows. Rows of a table with triggers, which compare them with other rows, are
    deleted before they are written again.
    """
    raw, writes = _open_raw(), statements.list_of(*WRITES)
    old, numbers = _find_unique_values(writes, marker)
    checked = {name for (name,) in raw.execute("SELECT tbl_name FROM sqlite_master WHERE type = 'trigger'")}
    removals = [
        (f'DELETE FROM "{inserted[1]}" WHERE id IN ({", ".join("?" * len(values))})', values)
        for text, values in writes
        if (inserted := _INSERT.match(text)) and inserted[1] in checked
    ]
    spent = []
    new: dict[str, str] = {}
    for turn in range(1, times + 1):
        for text, values in removals:
            raw.execute(text, [_replace(value, new) for value in values])
        new = {value: _similar(value) for value in sorted(old, key=len, reverse=True)}
        ready = [
            (
                text,
                [
                    value + 1000 * turn if (place, index) in numbers else _replace(value, new)
                    for index, value in enumerate(values)
                ],
            )
            for place, (text, values) in enumerate(writes)
        ]
        spent.append(_run(raw, [("BEGIN IMMEDIATE", []), *ready, ("COMMIT", [])]))
    return spent


def _find_unique_values(writes: list[tuple[str, list[Any]]], marker: str) -> tuple[set[str], set[tuple[int, int]]]:
    """Return the texts to replace, and the numbers to increase by their statement and their place in it."""
    unique, texts, numbers = _unique_columns(), set(), set()
    for place, (text, values) in enumerate(writes):
        for value in values:
            if isinstance(value, str):
                texts |= {id for id in _ID.findall(value) if id.partition("_")[2] > marker}
        if inserted := _INSERT.match(text):
            columns = [name.strip(' "') for name in inserted[2].split(",")]
            for index, (name, value) in enumerate(zip(itertools.cycle(columns), values, strict=False)):
                if (inserted[1], name) not in unique:
                    continue
                if isinstance(value, str) and len(value) > 5 and not _ID.fullmatch(value):
                    texts.add(value)
                elif isinstance(value, int) and not name.endswith("_id"):
                    numbers.add((place, index))
    return texts, numbers


def _run(raw: sqlite3.Connection, statements: list[tuple[str, list[Any]]]) -> float:
    began = time.thread_time()
    for text, values in statements:
        raw.execute(text, values).fetchall()
    return (time.thread_time() - began) * 1000


def _open_raw() -> sqlite3.Connection:
    raw = sqlite3.connect(settings.DATABASES["default"]["NAME"], isolation_level=None, cached_statements=256)
    for pragma in _FLOOR_PRAGMAS:
        raw.execute(f"PRAGMA {pragma}").fetchall()
    return raw


def _unique_columns() -> set[tuple[str, str]]:
    found = set()
    with connection.cursor() as cursor:
        for table in connection.introspection.table_names(cursor):
            for index in cursor.execute(f'PRAGMA index_list("{table}")').fetchall():
                if index[2]:
                    found |= {(table, row[2]) for row in cursor.execute(f'PRAGMA index_info("{index[1]}")').fetchall()}
    return found


def _similar(value: str) -> str:
    if _ID.fullmatch(value):
        kind = value.partition("_")[0]
        return f"{kind}_{''.join(random.choices('0123456789abcdefghjkmnpqrstvwxyz', k=26))}"
    if re.fullmatch(r"[0-9a-f]+", value):
        return secrets.token_hex(len(value))[: len(value)]
    return "".join(random.choices(string.ascii_lowercase, k=len(value)))


def _replace(value: Any, new: dict[str, str]) -> Any:
    if not isinstance(value, str):
        return value
    if value in new:
        return new[value]
    for old, other in new.items():
        if old in value:
            value = value.replace(old, other)
    return value
