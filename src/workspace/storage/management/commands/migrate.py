"""Django's command, with our executor."""

from __future__ import annotations

from django.core.management.commands import migrate

from workspace.storage.migrating import NarrowExecutor

migrate.MigrationExecutor = NarrowExecutor  # type: ignore[attr-defined]
Command = migrate.Command
