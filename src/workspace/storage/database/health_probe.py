"""The health probe of the database: a thread of a server process that checks the database on request.

It does not depend on the thread pool, so that there is a result even while all threads of the pool are waiting. With
PostgreSQL, connections that wait for an unresponsive server use its result to give up.
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
from workspace.storage.database.availability import DatabaseCondition, last_write_failure
from workspace.storage.database.errors import StorageFailure, find_storage_failure

logger = logging.getLogger(__name__)

RETRY_DELAY_SECONDS = 0.5  # between two checks of an unreachable database
MAX_AGE_SECONDS = 1.0  # for which a result is reused
MAX_WAIT_SECONDS = 0.8  # that a caller waits for a check
LOCK_TIMEOUT_SECONDS = 0.3  # that a check waits for a lock of SQLite


class HealthProbe:
    """A service of the server.

    Call `start` once, call `request_check` for each check, and read `condition`.
    """

    def __init__(self) -> None:
        self.condition = DatabaseCondition(at=0.0)
        self.details: dict[str, str] = {}
        self._detail_checks: dict[str, Callable[[], str | None]] = {}
        self._wake_event = threading.Event()
        self._stop_event = threading.Event()
        self._thread: ServiceThread | None = None

    @property
    def is_away(self) -> bool:
        """True if the database was found to be unreachable. False while the probe is not running."""
        return self._thread is not None and self.condition.reads is StorageFailure.UNREACHABLE

    def start(self) -> None:
        self._stop_event.clear()
        self._thread = ServiceThread("health probe", self._run, self._stop_event)
        self._thread.start()

    def stop(self) -> None:
        thread, self._thread = self._thread, None
        self._stop_event.set()
        self._wake_event.set()
        if thread is not None:
            thread.join(5)

    def add_detail(self, name: str, detail: Callable[[], str | None]) -> None:
        """Register a function whose result is stored in `details` after each check of a reachable database."""
        self._detail_checks[name] = detail

    def request_check(self) -> None:
        """Request a check without waiting for it."""
        self._wake_event.set()

    async def get_condition(self) -> DatabaseCondition:
        """Return the condition within a second, without blocking the event loop."""
        began = time.monotonic()
        if began - self.condition.at > MAX_AGE_SECONDS:
            self.request_check()
            while self.condition.at < began:
                if time.monotonic() - began > MAX_WAIT_SECONDS:
                    return DatabaseCondition(StorageFailure.UNREACHABLE, StorageFailure.UNREACHABLE)
                await asyncio.sleep(0.01)
        found = self.condition
        return found if found.writes else replace(found, writes=last_write_failure())

    def _run(self) -> None:
        with closing(_create_probe()) as looker:
            while not self._stop_event.is_set():
                before, self.condition = self.condition.reads, looker.check()
                if self.condition.reads is not before:
                    _log_state(self.condition.reads)
                if self.condition.reads is None:
                    self._collect_details()
                self._wake_event.wait(
                    RETRY_DELAY_SECONDS if self.condition.reads is StorageFailure.UNREACHABLE else None
                )
                self._wake_event.clear()

    def _collect_details(self) -> None:
        try:
            details = {name: detail() for name, detail in self._detail_checks.items()}
            self.details = {name: words for name, words in details.items() if words}
        except Exception as problem:
            if find_storage_failure(problem) is None:
                logger.exception("A detail of the health check failed")
        finally:
            connection.close()


def _log_state(trouble: StorageFailure | None) -> None:
    if trouble is None:
        logger.warning("The database answers again")
    else:
        logger.error("The database cannot be read (%s): %s", trouble, trouble.detail)


class DatabaseProbe(Protocol):
    def check(self) -> DatabaseCondition: ...

    def close(self) -> None: ...


def _create_probe() -> DatabaseProbe:
    if connection.vendor == "sqlite":
        return SqliteProbe(str(connection.settings_dict["NAME"]))
    from workspace.storage.database.postgresql.health_probe import PostgresqlProbe  # noqa: PLC0415 - one of two databases

    return PostgresqlProbe()


class SqliteProbe:
    def __init__(self, path: str) -> None:
        self.path = path

    def check(self) -> DatabaseCondition:
        try:
            # a missing database is not created
            with closing(
                sqlite3.connect(f"{Path(self.path).as_uri()}?mode=rw", LOCK_TIMEOUT_SECONDS, uri=True)
            ) as database:
                database.isolation_level = None
                database.execute("SELECT count(*) FROM sqlite_master").fetchone()
                return DatabaseCondition(writes=self._try_write(database))
        except sqlite3.Error as problem:
            trouble = find_storage_failure(problem) or StorageFailure.BROKEN
            return DatabaseCondition(trouble, trouble)

    def close(self) -> None:
        """Do nothing, because no connection stays open."""

    def _try_write(self, database: sqlite3.Connection) -> StorageFailure | None:
        from workspace.storage.database.sqlite.base import write_lock  # noqa: PLC0415 - one of two databases

        if write_lock.is_writing:
            return None
        try:
            # the smallest possible write: a number in the file's header that has no other use
            database.execute("PRAGMA synchronous=OFF")
            database.execute("BEGIN IMMEDIATE")
            (number,) = database.execute("PRAGMA user_version").fetchone()
            database.execute(f"PRAGMA user_version={(number + 1) % 1000}")
            database.execute("COMMIT")
        except sqlite3.Error as problem:
            # our own writers may have started in between, and take longer than a check
            return None if write_lock.is_writing else find_storage_failure(problem) or StorageFailure.BROKEN
        return None


database_probe = HealthProbe()
