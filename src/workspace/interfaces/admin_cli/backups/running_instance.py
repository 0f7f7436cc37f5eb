"""Whether there is an installation already, and whether it serves."""

from __future__ import annotations

import sqlite3
from contextlib import closing
from pathlib import Path

import click
from django.conf import settings
from django.db import Error, connection

from workspace.accounts.models import Person
from workspace.interfaces.admin_cli.backups import pg_programs
from workspace.interfaces.server.granian_server import PortInUseError, check_port
from workspace.storage.database.transactions import is_sqlite
from workspace.storage.files import store
from workspace.storage.files.backends.filesystem import FilesystemBackend


def instance_exists() -> bool:
    """Whether anybody has an account here, or a file."""
    home = store.local_backend()
    if isinstance(home, FilesystemBackend) and next(home.list_keys(), None):
        return True
    if is_sqlite() and not Path(settings.DATABASES["default"]["NAME"]).exists():
        return False
    try:
        if Person._meta.db_table not in connection.introspection.table_names():
            return False
        return Person.objects.exists()
    except Error:
        if is_sqlite():  # what stands there is no database that can be read: it is somebody's all the same
            return True
        raise
    finally:
        connection.close()


def check_stopped(what: str) -> None:
    """Raises click.ClickException while a server or a worker of this installation runs."""
    try:
        check_port(settings.SERVER_HOST, settings.SERVER_PORT)
    except PortInUseError:
        raise click.ClickException(
            f"Something listens on port {settings.SERVER_PORT}, as this service would: end it first. {what}"
        ) from None
    if is_sqlite():
        is_used = _is_database_open(Path(settings.DATABASES["default"]["NAME"]))
    else:
        is_used = pg_programs.count_connections() > 0
        connection.close()
    if is_used:
        raise click.ClickException(f"A server, a worker or another program uses the database: end it first. {what}")


def _is_database_open(path: Path) -> bool:
    if not path.exists():
        return False
    connection.close()
    with closing(sqlite3.connect(path, timeout=1)) as database:
        try:
            # which only the one connection there is may do, and which leaves the whole database in its one file
            database.execute("PRAGMA journal_mode=DELETE")
        except sqlite3.OperationalError as problem:
            return (problem.sqlite_errorcode & 0xFF) in (sqlite3.SQLITE_BUSY, sqlite3.SQLITE_LOCKED)
        except sqlite3.DatabaseError:
            return False  # it is damaged, which is a reason to put another in its place
    return False
