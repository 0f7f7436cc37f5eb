"""The pulse of the database: one thread of a server process that looks whether it answers, when somebody asks.

It works apart from the pool, so that there is an answer even while every thread of the pool waits. On PostgreSQL, what
waits for a server that has stopped answering is told so here, and gives up.
"""

from __future__ import annotations

import asyncio
import logging
import sqlite3
import threading
import time
from collections.abc import Callable
from contextlib import closing
from dataclasses import replace
from pathlib import Path
from typing import Protocol

from django.db import connection

from workspace.lib.service_thread import ServiceThread
from workspace.storage.database.availability import Condition, failed_write
from workspace.storage.database.errors import Trouble, trouble_of

logger = logging.getLogger(__name__)

AGAIN = 0.5  # seconds between two looks at a database that is away
FRESH = 1.0  # seconds for which what was found is told again
LONGEST = 0.8  # seconds that whoever asks waits for a look
LOCKED = 0.3  # seconds that a look waits for a lock of SQLite


class Pulse:
    """A service of the server: `start` once; then `ask` for a look and read `condition`."""

    def __init__(self) -> None:
        self.condition = Condition(at=0.0)
        self.details: dict[str, str] = {}
        self._also: dict[str, Callable[[], str | None]] = {}
        self._wake = threading.Event()
        self._ending = threading.Event()
        self._thread: ServiceThread | None = None

    @property
    def away(self) -> bool:
        """Whether the database was found not to answer at all. False while nobody looks."""
        return self._thread is not None and self.condition.reads is Trouble.AWAY

    def start(self) -> None:
        self._ending.clear()
        self._thread = ServiceThread("pulse", self._run, self._ending)
        self._thread.start()

    def stop(self) -> None:
        thread, self._thread = self._thread, None
        self._ending.set()
        self._wake.set()
        if thread is not None:
            thread.join(5)

    def also(self, name: str, detail: Callable[[], str | None]) -> None:
        """Have each look at a database that answers ask `detail()` too, and keep what it says in `details`."""
        self._also[name] = detail

    def ask(self) -> None:
        """Have it look; returns at once."""
        self._wake.set()

    async def told(self) -> Condition:
        """What there is to say within a second, for the event loop."""
        began = time.monotonic()
        if began - self.condition.at > FRESH:
            self.ask()
            while self.condition.at < began:
                if time.monotonic() - began > LONGEST:
                    return Condition(Trouble.AWAY, Trouble.AWAY)
                await asyncio.sleep(0.01)
        found = self.condition
        return found if found.writes else replace(found, writes=failed_write())

    def _run(self) -> None:
        with closing(_looker()) as looker:
            while not self._ending.is_set():
                before, self.condition = self.condition.reads, looker.look()
                if self.condition.reads is not before:
                    _tell(self.condition.reads)
                if self.condition.reads is None:
                    self._look_further()
                self._wake.wait(AGAIN if self.condition.reads is Trouble.AWAY else None)
                self._wake.clear()

    def _look_further(self) -> None:
        try:
            told = {name: detail() for name, detail in self._also.items()}
            self.details = {name: words for name, words in told.items() if words}
        except Exception as problem:
            if trouble_of(problem) is None:
                logger.exception("A detail of the condition cannot be told")
        finally:
            connection.close()


def _tell(trouble: Trouble | None) -> None:
    if trouble is None:
        logger.warning("The database answers again")
    else:
        logger.error("The database cannot be read (%s): %s", trouble, trouble.detail)


class Looker(Protocol):
    def look(self) -> Condition: ...

    def close(self) -> None: ...


def _looker() -> Looker:
    if connection.vendor == "sqlite":
        return SqliteLooker(str(connection.settings_dict["NAME"]))
    from workspace.storage.database.postgresql.health_probe import PostgresqlLooker  # noqa: PLC0415 - one of two databases

    return PostgresqlLooker()


class SqliteLooker:
    def __init__(self, path: str) -> None:
        self.path = path

    def look(self) -> Condition:
        try:
            # not made anew where it is missing
            with closing(sqlite3.connect(f"{Path(self.path).as_uri()}?mode=rw", LOCKED, uri=True)) as database:
                database.isolation_level = None
                database.execute("SELECT count(*) FROM sqlite_master").fetchone()
                return Condition(writes=self._write(database))
        except sqlite3.Error as problem:
            trouble = trouble_of(problem) or Trouble.BROKEN
            return Condition(trouble, trouble)

    def close(self) -> None:
        """Nothing is kept open."""

    def _write(self, database: sqlite3.Connection) -> Trouble | None:
        from workspace.storage.database.sqlite.base import turn  # noqa: PLC0415 - one of two databases

        if turn.is_writing:
            return None
        try:
            # the smallest true write there is: a number in the file's header that nobody reads
            database.execute("PRAGMA synchronous=OFF")
            database.execute("BEGIN IMMEDIATE")
            (number,) = database.execute("PRAGMA user_version").fetchone()
            database.execute(f"PRAGMA user_version={(number + 1) % 1000}")
            database.execute("COMMIT")
        except sqlite3.Error as problem:
            # our own writers may have come in between, and be at it for longer than a look
            return None if turn.is_writing else trouble_of(problem) or Trouble.BROKEN
        return None


pulse = Pulse()
