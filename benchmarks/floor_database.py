"""Raw `sqlite3` and raw `psycopg` behind one interface, with the durability of the service."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from functools import cache
from typing import Any, Protocol

PRAGMAS = (
    "journal_mode=WAL",
    "temp_store=MEMORY",
    "cache_size=-16000",
    "mmap_size=134217728",
    "secure_delete=ON",
)


class Database(Protocol):
    def fetch_one(self, text: str, values: Sequence[Any]) -> Any: ...

    def all(self, text: str, values: Sequence[Any]) -> list[Any]: ...

    def changed(self, text: str, values: Sequence[Any]) -> int:
        """Run a statement and return the number of rows that it changed."""

    def relaxed(self, text: str, values: Sequence[Any]) -> None:
        """Run a statement in a separate commit, which a power failure may lose if the service allows that."""

    def writing(self) -> Any:
        """Return a transaction for writes."""


def connect(place: str) -> Database:
    return Postgresql(place) if place.startswith("postgres") else Sqlite(place)


class Sqlite:
    def __init__(self, file: str) -> None:
        self.connection = _open(file, "FULL")
        self._relaxed = _open(file, "NORMAL")

    def fetch_one(self, text: str, values: Sequence[Any]) -> Any:
        return self.connection.execute(text, values).fetchone()

    def all(self, text: str, values: Sequence[Any]) -> list[Any]:
        return self.connection.execute(text, values).fetchall()

    def changed(self, text: str, values: Sequence[Any]) -> int:
        return self.connection.execute(text, values).rowcount

    def relaxed(self, text: str, values: Sequence[Any]) -> None:
        self._relaxed.execute(text, values).fetchall()

    @contextmanager
    def writing(self) -> Iterator[None]:
        self.connection.execute("BEGIN IMMEDIATE")
        yield
        self.connection.execute("COMMIT")


def _open(file: str, synchronous: str) -> sqlite3.Connection:
    connection = sqlite3.connect(file, isolation_level=None, cached_statements=128)
    for pragma in (*PRAGMAS, f"synchronous={synchronous}"):
        connection.execute(f"PRAGMA {pragma}").fetchall()
    return connection


class Postgresql:
    def __init__(self, address: str) -> None:
        import psycopg

        self.connection = psycopg.connect(address, autocommit=True)
        self.connection.execute("SET TIME ZONE 'UTC'")

    def fetch_one(self, text: str, values: Sequence[Any]) -> Any:
        return self.connection.execute(_marked(text), values).fetchone()

    def all(self, text: str, values: Sequence[Any]) -> list[Any]:
        return self.connection.execute(_marked(text), values).fetchall()

    def changed(self, text: str, values: Sequence[Any]) -> int:
        return self.connection.execute(_marked(text), values).rowcount

    relaxed = changed

    @contextmanager
    def writing(self) -> Iterator[None]:
        with self.connection.transaction():
            yield


@cache
def _marked(text: str) -> Any:
    return text.replace("?", "%s")
