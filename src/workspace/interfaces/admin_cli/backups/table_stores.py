"""Reading and writing rows of a database in SQLite's format.

Rows are then the same on both sides: times as text in UTC, JSON as text, UUIDs as hexadecimal digits, and booleans as 1
and 0.
"""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Protocol

import psycopg
from psycopg import sql

Row = tuple[Any, ...]
_BATCH_SIZE = 500  # rows


@dataclass(frozen=True, slots=True)
class Column:
    """A column of a table. `kind` is Django's internal type."""

    name: str
    kind: str

    @property
    def is_numbered(self) -> bool:
        return self.kind in ("AutoField", "BigAutoField")


class TableStore(Protocol):
    def list_tables(self) -> set[str]: ...

    def count_rows(self, table: str) -> int: ...

    def read_rows(self, table: str, columns: list[Column]) -> Iterator[Row]: ...

    def insert_rows(self, table: str, columns: list[Column], rows: Iterable[Row]) -> None: ...

    def delete_rows(self, table: str) -> None: ...

    def last_number(self, table: str, column: str) -> int:
        """Return the highest number ever assigned to a row of the table, including deleted rows."""

    def set_last_number(self, table: str, column: str, number: int) -> None:
        """Ensure that the next row gets a higher number."""


class SqliteStore:
    """An SQLite file, in one transaction until `commit`."""

    def __init__(self, path: Path) -> None:
        self._file = sqlite3.connect(path, isolation_level=None)
        self._file.execute("BEGIN")
        self._file.execute("PRAGMA defer_foreign_keys=ON")

    def list_tables(self) -> set[str]:
        found = self._file.execute("SELECT name FROM sqlite_master WHERE type = 'table' AND name NOT LIKE 'sqlite_%'")
        return {name for (name,) in found}

    def count_rows(self, table: str) -> int:
        return int(self._file.execute(f'SELECT count(*) FROM "{table}"').fetchone()[0])  # noqa: S608 - a table's name

    def read_rows(self, table: str, columns: list[Column]) -> Iterator[Row]:
        return self._file.execute(f'SELECT {self._column_list(columns)} FROM "{table}" ORDER BY 1')  # noqa: S608

    def insert_rows(self, table: str, columns: list[Column], rows: Iterable[Row]) -> None:
        places = ", ".join("?" * len(columns))
        self._file.executemany(f'INSERT INTO "{table}" ({self._column_list(columns)}) VALUES ({places})', rows)  # noqa: S608

    def delete_rows(self, table: str) -> None:
        self._file.execute(f'DELETE FROM "{table}"')  # noqa: S608

    def last_number(self, table: str, column: str) -> int:
        found = self._file.execute("SELECT seq FROM sqlite_sequence WHERE name = ?", [table]).fetchone()
        return int(found[0]) if found else 0

    def set_last_number(self, table: str, column: str, number: int) -> None:
        self._file.execute("DELETE FROM sqlite_sequence WHERE name = ?", [table])
        self._file.execute("INSERT INTO sqlite_sequence (name, seq) VALUES (?, ?)", [table, number])

    def commit(self) -> None:
        if wrong := self._file.execute("PRAGMA foreign_key_check").fetchone():
            raise ValueError(f"A row of {wrong[0]} refers to a missing row of {wrong[2]}")
        self._file.execute("COMMIT")

    def close(self) -> None:
        self._file.close()

    def _column_list(self, columns: list[Column]) -> str:
        return ", ".join(f'"{column.name}"' for column in columns)


class PostgresStore:
    """A PostgreSQL database, in one transaction until `commit`, isolated from concurrent changes."""

    def __init__(self, url: str) -> None:
        self.connection = psycopg.connect(url)
        self.connection.isolation_level = psycopg.IsolationLevel.REPEATABLE_READ
        self.connection.execute("SET LOCAL TIME ZONE 'UTC'")

    def list_tables(self) -> set[str]:
        found = self.connection.execute(
            "SELECT table_name FROM information_schema.tables WHERE table_schema = current_schema() "
            "AND table_type = 'BASE TABLE'"
        )
        return {name for (name,) in found}

    def count_rows(self, table: str) -> int:
        found = self.connection.execute(sql.SQL("SELECT count(*) FROM {}").format(sql.Identifier(table))).fetchone()
        return int(found[0]) if found else 0

    def read_rows(self, table: str, columns: list[Column]) -> Iterator[Row]:
        expressions = [
            sql.SQL(_SELECT_EXPRESSIONS.get(one.kind, "{}")).format(sql.Identifier(one.name)) for one in columns
        ]
        converters = [_CONVERTERS.get(one.kind, _unchanged_value) for one in columns]
        with self.connection.cursor(
            f"all of {table}"[:60]
        ) as cursor:  # a server-side cursor, which loads few rows at once
            cursor.itersize = _BATCH_SIZE
            cursor.execute(
                sql.SQL("SELECT {} FROM {} ORDER BY 1").format(sql.SQL(", ").join(expressions), sql.Identifier(table))
            )
            for row in cursor:
                yield tuple(
                    None if value is None else convert(value) for convert, value in zip(converters, row, strict=True)
                )

    def insert_rows(self, table: str, columns: list[Column], rows: Iterable[Row]) -> None:
        moments = [at for at, column in enumerate(columns) if column.kind == "DateTimeField"]
        names = sql.SQL(", ").join([sql.Identifier(column.name) for column in columns])
        words = sql.SQL("COPY {} ({}) FROM STDIN").format(sql.Identifier(table), names)
        with self.connection.cursor() as cursor, cursor.copy(words) as copy:
            for row in rows:
                values = list(row)
                for at in moments:
                    if values[at] is not None:
                        values[at] += "+00"
                copy.write_row(values)

    def delete_rows(self, table: str) -> None:
        self.connection.execute(sql.SQL("DELETE FROM {}").format(sql.Identifier(table)))

    def last_number(self, table: str, column: str) -> int:
        query = sql.SQL("SELECT CASE WHEN is_called THEN last_value ELSE 0 END FROM {}")
        found = self.connection.execute(query.format(self._sequence_name(table, column))).fetchone()
        return int(found[0]) if found else 0

    def set_last_number(self, table: str, column: str, number: int) -> None:
        self.connection.execute("SELECT setval(pg_get_serial_sequence(%s, %s), %s)", [f'"{table}"', column, number])

    def commit(self) -> None:
        self.connection.execute("SET CONSTRAINTS ALL IMMEDIATE")  # so that violations are reported here
        self.connection.commit()

    def close(self) -> None:
        self.connection.close()

    def _sequence_name(self, table: str, column: str) -> sql.Composable:
        found = self.connection.execute("SELECT pg_get_serial_sequence(%s, %s)", [f'"{table}"', column]).fetchone()
        assert found is not None
        return sql.SQL(found[0])


def _unchanged_value(value: Any) -> Any:
    return value


_SELECT_EXPRESSIONS = {"JSONField": "{}::text", "GenericIPAddressField": "host({})"}
_CONVERTERS: dict[str, Callable[[Any], Any]] = {
    "BooleanField": int,
    "DateField": str,
    "DateTimeField": lambda value: str(value.replace(tzinfo=None)),
    "JSONField": lambda text: json.dumps(json.loads(text)),
    "UUIDField": lambda value: value.hex,
}
