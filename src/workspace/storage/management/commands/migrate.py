"""Django's migrate command.

Our executor creates a new database in a quarter of the time. A database with data is migrated by Django's executor.
"""

from __future__ import annotations

from typing import Any

from django.core.management import CommandError
from django.core.management.commands import migrate
from django.db.backends.base.base import BaseDatabaseWrapper
from django.db.migrations.executor import MigrationExecutor

from workspace.storage.database.former_database import FormerDatabaseError, check_database
from workspace.storage.database.migration_executor import NarrowExecutor


def choose_executor(connection: BaseDatabaseWrapper, progress: Any = None) -> MigrationExecutor:
    """Return our executor for an empty database, and Django's for any other."""
    narrow = NarrowExecutor(connection, progress)
    return MigrationExecutor(connection, progress) if narrow.loader.applied_migrations else narrow


migrate.MigrationExecutor = choose_executor  # type: ignore[attr-defined]


class Command(migrate.Command):
    """Migrates the database, unless a former version created it."""

    def execute(self, *args: Any, **options: Any) -> str | None:
        """Reject a database of a former version before Django's checks open it."""
        try:
            check_database()
        except FormerDatabaseError as error:
            raise CommandError(str(error)) from None
        return super().execute(*args, **options)
