"""Django's command.

A database in which nothing is yet is made by our executor, in a fourth of the time; one that holds somebody's data is
taken on by Django's own."""

from __future__ import annotations

from typing import Any

from django.core.management.commands import migrate
from django.db.backends.base.base import BaseDatabaseWrapper
from django.db.migrations.executor import MigrationExecutor

from workspace.storage.database.migration_executor import NarrowExecutor


def choose_executor(connection: BaseDatabaseWrapper, progress: Any = None) -> MigrationExecutor:
    narrow = NarrowExecutor(connection, progress)
    return MigrationExecutor(connection, progress) if narrow.loader.applied_migrations else narrow


migrate.MigrationExecutor = choose_executor  # type: ignore[attr-defined]
Command = migrate.Command
