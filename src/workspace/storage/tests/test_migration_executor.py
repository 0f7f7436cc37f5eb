"""Our migration executor runs exactly the same SQL as Django's."""

from __future__ import annotations

import os
import sqlite3
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from django.core.management import get_commands, load_command_class
from django.core.management.commands import migrate
from django.db import connection, migrations, models
from django.db.migrations.executor import MigrationExecutor
from django.db.migrations.recorder import MigrationRecorder
from django.db.migrations.state import ProjectState
from django.db.models.functions import Upper

from workspace.storage.database.migration_executor import NarrowExecutor
from workspace.storage.management.commands.migrate import choose_executor
from workspace.testing import prepared_database

pytestmark = pytest.mark.django_db(transaction=True)

KEY = models.CharField(max_length=10, primary_key=True)
LINK: Any = {"on_delete": models.CASCADE}

FIRST = [
    migrations.CreateModel("Owner", [("id", KEY), ("code", models.CharField(max_length=5, unique=True))]),
    migrations.CreateModel("Label", [("id", models.BigAutoField(primary_key=True)), ("word", models.TextField())]),
    migrations.CreateModel(
        "Page",
        [
            ("id", models.BigAutoField(primary_key=True)),
            ("owner", models.ForeignKey("trial.owner", **LINK)),
            ("of_code", models.ForeignKey("trial.owner", to_field="code", related_name="+", **LINK)),
            ("parent", models.ForeignKey("trial.page", null=True, **LINK)),
            ("labels", models.ManyToManyField("trial.label")),
            ("title", models.CharField(max_length=20)),
        ],
    ),
    # its key is a foreign key: a change of the owner's key changes this one, and keys that refer to it
    migrations.CreateModel(
        "Profile",
        [("owner", models.OneToOneField("trial.owner", primary_key=True, **LINK)), ("about", models.TextField())],
    ),
    migrations.CreateModel(
        "Visit",
        [("id", models.BigAutoField(primary_key=True)), ("profile", models.ForeignKey("trial.profile", **LINK))],
    ),
]
STEPS: dict[str, list[Any]] = {
    "a key that others point to": [
        migrations.AlterField("owner", "id", models.CharField(max_length=40, primary_key=True))
    ],
    "a unique column that others point to": [
        migrations.AlterField("owner", "code", models.CharField(max_length=12, unique=True))
    ],
    "a key that is counted": [migrations.AlterField("label", "id", models.CharField(max_length=9, primary_key=True))],
    "a column": [
        migrations.AddField("page", "seen", models.IntegerField(default=3)),
        migrations.AlterField("page", "title", models.CharField(max_length=90, null=True)),
        migrations.RemoveField("page", "parent"),
        migrations.RenameField("page", "seen", "looked_at"),
    ],
    "a link": [
        migrations.AddField("visit", "page", models.ForeignKey("trial.page", null=True, **LINK)),
        migrations.AlterField("page", "owner", models.ForeignKey("trial.owner", null=True, on_delete=models.SET_NULL)),
        migrations.RemoveField("page", "labels"),
    ],
    "indexes and constraints": [
        migrations.AddIndex("page", models.Index(Upper("title"), name="by_title")),
        migrations.AddConstraint("page", models.UniqueConstraint(fields=["owner", "title"], name="one_title")),
        migrations.AddConstraint("page", models.CheckConstraint(condition=~models.Q(title=""), name="has_title")),
        migrations.RemoveConstraint("page", "one_title"),
        migrations.RemoveIndex("page", "by_title"),
        migrations.AlterUniqueTogether("page", {("owner", "title")}),
    ],
    "whole tables": [
        migrations.RenameModel("Visit", "Call"),
        migrations.DeleteModel("Call"),
        migrations.AlterModelOptions("page", {"ordering": ["title"]}),
    ],
}


@pytest.mark.parametrize("steps", STEPS.values(), ids=STEPS)
def test_each_operation_runs_the_same_sql_as_in_django(steps: list[Any]) -> None:
    said = [_collect_sql(kind, steps) for kind in (MigrationExecutor, NarrowExecutor)]
    # the order of dependent tables is random, because they are in a set
    assert sorted(said[0]) == sorted(said[1])
    assert len(said[0]) > 10


def test_the_command_uses_our_executor_for_a_new_database_and_djangos_for_others() -> None:
    assert get_commands()["migrate"] == "workspace.storage"
    assert load_command_class("workspace.storage", "migrate")
    assert migrate.MigrationExecutor is choose_executor
    assert type(choose_executor(connection)) is MigrationExecutor
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(MigrationRecorder, "applied_migrations", lambda recorder: {})
        assert type(choose_executor(connection)) is NarrowExecutor


@pytest.mark.skipif("TEST_ALL_MIGRATIONS" not in os.environ, reason="A minute of work: set TEST_ALL_MIGRATIONS=1")
@pytest.mark.timeout(1800)
def test_all_migrations_create_the_same_database_as_django(tmp_path: Path) -> None:
    assert _dump(tmp_path / "ours", "NarrowExecutor") == _dump(tmp_path / "django", "MigrationExecutor")


def _collect_sql(kind: type[MigrationExecutor], steps: list[Any]) -> list[str]:
    """Return the SQL of a few tables and their changes, without running it."""
    migration = type("Migration", (migrations.Migration,), {"operations": [*FIRST, *steps]})("0001_trial", "trial")
    applying, said = kind(connection), []

    class Listening(connection.SchemaEditorClass):  # type: ignore[name-defined, misc]
        def execute(self, sql: Any, params: Any = ()) -> None:
            said.append(f"{sql} {params}")
            super().execute(sql, params)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(connection, "SchemaEditorClass", Listening)
        patch.setattr(applying, "record_migration", lambda migration: None)
        applying.apply_migration(ProjectState(), migration)
        tables = [name for name in connection.introspection.table_names() if name.startswith("trial_")]
        with connection.cursor() as cursor, connection.constraint_checks_disabled():
            for table in tables:
                cursor.execute(f'DROP TABLE "{table}"' + (" CASCADE" if prepared_database.server() else ""))
    return said


def _dump(folder: Path, kind: str) -> list[str]:
    folder.mkdir()
    address = prepared_database.new_database()
    program = (
        "import django; django.setup()\n"
        "from django.core.management import call_command\n"
        "from django.core.management.commands import migrate\n"
        "from django.db.migrations.executor import MigrationExecutor\n"
        "from workspace.storage.management.commands.migrate import NarrowExecutor\n"
        f"migrate.MigrationExecutor = {kind}\n"
        "call_command('migrate', verbosity=0)\n"
    )
    env = {name: value for name, value in os.environ.items() if not name.startswith("WORKSPACE_")}
    env |= {"WORKSPACE_DATA": str(folder), "WORKSPACE_DATABASE_URL": address}
    env["DJANGO_SETTINGS_MODULE"] = "workspace.settings"
    subprocess.run([sys.executable, "-c", program], env=env, check=True, timeout=900)
    if address:
        pg_dump = max(Path("/usr/lib/postgresql").glob("*/bin/pg_dump"))
        text = subprocess.run([pg_dump, "--inserts", address], capture_output=True, text=True, check=True).stdout
        lines = text.splitlines()
    else:
        lines = list(sqlite3.connect(folder / "workspace.sqlite3").iterdump())
    # the times of the migrations, and the secret that pg_dump adds, always differ
    return [line for line in lines if "django_migrations" not in line and not line.startswith("\\")]
