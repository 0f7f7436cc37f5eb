"""A start runs the missing migrations, and reads none if all are applied."""

from __future__ import annotations

import pytest
from django.db import connection
from django.db.migrations.executor import MigrationExecutor
from django.db.migrations.recorder import MigrationRecorder

from workspace.interfaces.admin_cli.serve import is_migrated

pytestmark = pytest.mark.django_db


def test_each_unapplied_migration_is_detected() -> None:
    assert is_migrated()
    for app, name in MigrationExecutor(connection).loader.graph.leaf_nodes():
        MigrationRecorder(connection).record_unapplied(app, name)
        assert not is_migrated(), f"{app} {name} would never be run"
        MigrationRecorder(connection).record_applied(app, name)
