"""Checks whether an instance already exists, and whether it is running."""

from __future__ import annotations

import sqlite3
from contextlib import closing
from pathlib import Path

import click
from django.conf import settings
from django.db import Error, connection

from workspace.accounts.models import Person
from workspace.interfaces.admin_cli.backups import postgresql_dump
from workspace.interfaces.server.granian_server import PortInUseError, check_port
from workspace.storage.database.transactions import is_sqlite
from workspace.storage.files import store
from workspace.storage.files.backends.filesystem import LocalFileStorage


def instance_exists() -> bool:
    """Return whether this instance has any accounts or files."""
    home = store.local_storage()
    if isinstance(home, LocalFileStorage) and next(home.list_keys(), None):
        return True
    if is_sqlite() and not Path(settings.DATABASES["default"]["NAME"]).exists():
        return False
    try:
        if Person._meta.db_table not in connection.introspection.table_names():
            return False
        return Person.objects.exists()
    except Error:
        if is_sqlite():  # not a readable database, but still someone's data
            return True
        raise
    finally:
        connection.close()


def check_stopped(operation: str) -> None:
    """Raise click.ClickException if a server or worker of this instance is running."""
    try:
        check_port(settings.SERVER_HOST, settings.SERVER_PORT)
    except PortInUseError:
        raise click.ClickException(
            f"Port {settings.SERVER_PORT} is in use, perhaps by this service. Stop it first. {operation}"
        ) from None
    if is_sqlite():
        is_used = _is_database_open(Path(settings.DATABASES["default"]["NAME"]))
    else:
        is_used = postgresql_dump.count_connections() > 0
        connection.close()
    if is_used:
        raise click.ClickException(
            f"A server, a worker or another program uses the database. Stop it first. {operation}"
        )


def _is_database_open(path: Path) -> bool:
    if not path.exists():
        return False
    connection.close()
    with closing(sqlite3.connect(path, timeout=1)) as database:
        try:
            # works only with a single connection, and leaves the whole database in one file
            database.execute("PRAGMA journal_mode=DELETE")
        except sqlite3.OperationalError as problem:
            return (problem.sqlite_errorcode & 0xFF) in (sqlite3.SQLITE_BUSY, sqlite3.SQLITE_LOCKED)
        except sqlite3.DatabaseError:
            return False  # a damaged database, which is a reason to replace it
    return False
