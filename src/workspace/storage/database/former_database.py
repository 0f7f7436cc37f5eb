"""Detecting a database created before each app had a single migration, and rejecting it before anything is written.

This version cannot upgrade such a database, because tables and columns had other names. Its accounts can be moved by
export and import.
"""

from __future__ import annotations

import sqlite3
from contextlib import closing, suppress
from pathlib import Path

from django.db import Error, connection
from django.db.migrations.recorder import MigrationRecorder

from workspace.environment import COMMAND

# every database of former versions has applied it, and no other database has
FORMER_MIGRATION = ("accounts", "0002_pairing")
_LAST_UPGRADE = (
    "SELECT max(applied) FROM django_migrations "
    "HAVING EXISTS (SELECT 1 FROM django_migrations WHERE app = ? AND name = ?)"
)


class FormerDatabaseError(Exception):
    """The database was created by a former version. The message explains how to move its accounts."""


def check_database() -> None:
    """Raise FormerDatabaseError for a database of a former version.

    Ignore a database that does not exist or does not respond. Run one query, and leave an SQLite file unchanged.
    """
    if connection.vendor == "sqlite":
        path = Path(connection.settings_dict["NAME"])
        day, place, target = _read_sqlite(path), f"The data folder {path.parent}", "data folder"
    else:
        day, place, target = _read_postgresql(), f"The database {connection.settings_dict['NAME']}", "database"
    if day:
        raise FormerDatabaseError(
            f"{place} was created by a version of Workspace Tools before 0.1.0 (last upgraded on {day}), which this "
            "version can't open. Nothing was changed. Export its accounts with that version: "
            f"`{COMMAND} account export --all FOLDER`. Start this version with an empty {target}. Then import them: "
            f"`{COMMAND} account import --all FOLDER`. See docs/export-and-import.md."
        )


def is_former(migrations: list[list[str]]) -> bool:
    """Return whether these applied migrations, given as pairs of app and name, belong to a former version."""
    return list(FORMER_MIGRATION) in migrations


def _read_sqlite(path: Path) -> str:
    """Return the day of the last upgrade by a former version, or "" for any other database.

    First open the file as immutable, which creates no other files, even after a crash. Then open it normally, which
    also reads the write-ahead log of a running server.
    """
    if not path.is_file():
        return ""
    options = ["mode=ro&immutable=1"]
    wal = path.with_name(f"{path.name}-wal")
    if wal.is_file() and wal.stat().st_size:
        options.append("mode=ro")
    for option in options:
        with (
            suppress(sqlite3.Error),  # no database, or no migrations, which the next connection reports
            closing(sqlite3.connect(f"{path.resolve().as_uri()}?{option}", timeout=1, uri=True)) as file,
        ):
            if found := file.execute(_LAST_UPGRADE, FORMER_MIGRATION).fetchone():
                return str(found[0])[:10]
    return ""


def _read_postgresql() -> str:
    was_open = connection.connection is not None
    try:
        applied = MigrationRecorder(connection).applied_migrations()
        if FORMER_MIGRATION not in applied:
            return ""
        return f"{max(migration.applied for migration in applied.values()):%Y-%m-%d}"
    except Error:
        return ""  # it does not answer, which the next connection reports
    finally:
        if not was_open:
            connection.close()
