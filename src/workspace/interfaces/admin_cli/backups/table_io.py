"""The two sides of a move: a database's rows, told and taken in the form in which SQLite has them. A row is then the
same on both: moments as text in UTC, JSON as text, UUIDs as hexadecimal digits, yes and no as 1 and 0."""

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
_AT_ONCE = 500  # rows


@dataclass(frozen=True, slots=True)
class Column:
    """`kind`: Django's word for the type."""

    name: str
    kind: str

    @property
    def is_numbered(self) -> bool:
        return self.kind in ("AutoField", "BigAutoField")


class Side(Protocol):
    def tables(self) -> set[str]: ...

    def count(self, table: str) -> int: ...

    def rows(self, table: str, columns: list[Column]) -> Iterator[Row]: ...

    def fill(self, table: str, columns: list[Column], rows: Iterable[Row]) -> None: ...

    def empty(self, table: str) -> None: ...

    def last_number(self, table: str, column: str) -> int:
        """The highest number that was given to a row of the table, whether it is still there or not."""

    def go_on_after(self, table: str, column: str, number: int) -> None:
        """Give the next row a higher one."""


class Lite:
    """An SQLite file, in one transaction until `commit`."""

    def __init__(self, path: Path) -> None:
        self._file = sqlite3.connect(path, isolation_level=None)
        self._file.execute("BEGIN")
        self._file.execute("PRAGMA defer_foreign_keys=ON")

    def tables(self) -> set[str]:
        found = self._file.execute("SELECT name FROM sqlite_master WHERE type = 'table' AND name NOT LIKE 'sqlite_%'")
        return {name for (name,) in found}

    def count(self, table: str) -> int:
        return int(self._file.execute(f'SELECT count(*) FROM "{table}"').fetchone()[0])  # noqa: S608 - a table's name

    def rows(self, table: str, columns: list[Column]) -> Iterator[Row]:
        return self._file.execute(f'SELECT {self._names(columns)} FROM "{table}" ORDER BY 1')  # noqa: S608

    def fill(self, table: str, columns: list[Column], rows: Iterable[Row]) -> None:
        places = ", ".join("?" * len(columns))
        self._file.executemany(f'INSERT INTO "{table}" ({self._names(columns)}) VALUES ({places})', rows)  # noqa: S608

    def empty(self, table: str) -> None:
        self._file.execute(f'DELETE FROM "{table}"')  # noqa: S608

    def last_number(self, table: str, column: str) -> int:
        found = self._file.execute("SELECT seq FROM sqlite_sequence WHERE name = ?", [table]).fetchone()
        return int(found[0]) if found else 0

    def go_on_after(self, table: str, column: str, number: int) -> None:
        self._file.execute("DELETE FROM sqlite_sequence WHERE name = ?", [table])
        self._file.execute("INSERT INTO sqlite_sequence (name, seq) VALUES (?, ?)", [table, number])

    def commit(self) -> None:
        if wrong := self._file.execute("PRAGMA foreign_key_check").fetchone():
            raise ValueError(f"A row of {wrong[0]} belongs to a row of {wrong[2]} that is not there")
        self._file.execute("COMMIT")

    def close(self) -> None:
        self._file.close()

    def _names(self, columns: list[Column]) -> str:
        return ", ".join(f'"{column.name}"' for column in columns)


class Postgres:
    """A PostgreSQL database, in one transaction until `commit`, which sees nothing of what others do meanwhile."""

    def __init__(self, url: str) -> None:
        self.link = psycopg.connect(url)
        self.link.isolation_level = psycopg.IsolationLevel.REPEATABLE_READ
        self.link.execute("SET LOCAL TIME ZONE 'UTC'")

    def tables(self) -> set[str]:
        found = self.link.execute(
            "SELECT table_name FROM information_schema.tables WHERE table_schema = current_schema() "
            "AND table_type = 'BASE TABLE'"
        )
        return {name for (name,) in found}

    def count(self, table: str) -> int:
        found = self.link.execute(sql.SQL("SELECT count(*) FROM {}").format(sql.Identifier(table))).fetchone()
        return int(found[0]) if found else 0

    def rows(self, table: str, columns: list[Column]) -> Iterator[Row]:
        asked = [sql.SQL(_ASKED.get(one.kind, "{}")).format(sql.Identifier(one.name)) for one in columns]
        converters = [_CONVERTED.get(one.kind, _same) for one in columns]
        with self.link.cursor(f"all of {table}"[:60]) as cursor:  # one of the server's, which holds few rows at once
            cursor.itersize = _AT_ONCE
            cursor.execute(
                sql.SQL("SELECT {} FROM {} ORDER BY 1").format(sql.SQL(", ").join(asked), sql.Identifier(table))
            )
            for row in cursor:
                yield tuple(
                    None if value is None else convert(value) for convert, value in zip(converters, row, strict=True)
                )

    def fill(self, table: str, columns: list[Column], rows: Iterable[Row]) -> None:
        moments = [at for at, column in enumerate(columns) if column.kind == "DateTimeField"]
        names = sql.SQL(", ").join([sql.Identifier(column.name) for column in columns])
        words = sql.SQL("COPY {} ({}) FROM STDIN").format(sql.Identifier(table), names)
        with self.link.cursor() as cursor, cursor.copy(words) as copy:
            for row in rows:
                values = list(row)
                for at in moments:
                    if values[at] is not None:
                        values[at] += "+00"
                copy.write_row(values)

    def empty(self, table: str) -> None:
        self.link.execute(sql.SQL("DELETE FROM {}").format(sql.Identifier(table)))

    def last_number(self, table: str, column: str) -> int:
        asked = sql.SQL("SELECT CASE WHEN is_called THEN last_value ELSE 0 END FROM {}")
        found = self.link.execute(asked.format(self._sequence(table, column))).fetchone()
        return int(found[0]) if found else 0

    def go_on_after(self, table: str, column: str, number: int) -> None:
        self.link.execute("SELECT setval(pg_get_serial_sequence(%s, %s), %s)", [f'"{table}"', column, number])

    def commit(self) -> None:
        self.link.execute("SET CONSTRAINTS ALL IMMEDIATE")  # so that what is wrong is told here
        self.link.commit()

    def close(self) -> None:
        self.link.close()

    def _sequence(self, table: str, column: str) -> sql.Composable:
        found = self.link.execute("SELECT pg_get_serial_sequence(%s, %s)", [f'"{table}"', column]).fetchone()
        assert found is not None
        return sql.SQL(found[0])


def _same(value: Any) -> Any:
    return value


_ASKED = {"JSONField": "{}::text", "GenericIPAddressField": "host({})"}
_CONVERTED: dict[str, Callable[[Any], Any]] = {
    "BooleanField": int,
    "DateField": str,
    "DateTimeField": lambda value: str(value.replace(tzinfo=None)),
    "JSONField": lambda text: json.dumps(json.loads(text)),
    "UUIDField": lambda value: value.hex,
}
