"""A check whether the database accepts writes, using a write that is rolled back."""

from __future__ import annotations

import sqlite3
from contextlib import closing

from django.db import Error, connection

from workspace.storage.database.transactions import dry_run_transaction, is_sqlite
from workspace.storage.models import InstanceFact

BYTES = 1_000_000  # for which SQLite must have space
PATIENCE = 5.0  # seconds to wait for another writer


def find_write_fault() -> str | None:
    """Return the reason, as reported by the driver, that the database cannot be written to, or None."""
    try:
        if is_sqlite():
            _write_and_roll_back(str(connection.settings_dict["NAME"]))
        else:
            with dry_run_transaction():
                InstanceFact.set_value("write-test", {"text": "x" * 10_000})
    except (Error, sqlite3.Error) as problem:
        return driver_reason(problem)
    return None


def _write_and_roll_back(path: str) -> None:
    with closing(sqlite3.connect(path, PATIENCE, isolation_level=None)) as database:
        database.execute("PRAGMA cache_size=1")  # so that it writes before the transaction ends
        database.execute("BEGIN IMMEDIATE")
        try:
            database.execute("CREATE TABLE write_test (content)")
            database.execute("INSERT INTO write_test VALUES (zeroblob(?))", [BYTES])
        finally:
            if database.in_transaction:
                database.execute("ROLLBACK")


def driver_reason(problem: BaseException) -> str:
    """Return the first line of the driver's message, with its error code if it has one."""
    cause = problem.__cause__ or problem
    code = getattr(cause, "sqlite_errorname", None) or getattr(cause, "sqlstate", None)
    lines = str(cause).strip().splitlines()
    text = lines[0] if lines else type(cause).__name__
    return f"{text} ({code})" if code else text
