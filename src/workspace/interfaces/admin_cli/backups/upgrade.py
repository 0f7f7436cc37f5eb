"""`upgrade`: backing up, migrating and checking the database. If it fails, the next step is printed."""

from __future__ import annotations

import json
from itertools import chain, count
from pathlib import Path

import click
from django.conf import settings
from django.db import connection
from django.db.migrations.recorder import MigrationRecorder

from workspace.accounts.models import Account, Person
from workspace.environment import COMMAND
from workspace.interfaces.admin_cli import checks, serve
from workspace.interfaces.admin_cli.backups import running_instance
from workspace.interfaces.admin_cli.backups.backup import create_backup
from workspace.lib import clock
from workspace.storage.database.transactions import is_sqlite


def upgrade_instance(into: str | None) -> None:
    """Upgrade the instance. Raise click.ClickException if a step fails."""
    if not running_instance.instance_exists():
        raise click.ClickException(f"No instance found. To create one, run `{COMMAND} serve`")
    if serve.is_migrated():
        _upgrade_marker_path().unlink(missing_ok=True)
        click.echo("The database is up to date.")
        return
    running_instance.check_stopped("Nothing was changed")
    # an upgrade does not change files: they remain where they are, even if the backup is restored
    copy = Path(into) if into else _build_backup_path(settings.DATA / "backups")
    create_backup(copy, with_files=False)
    click.echo(f"Copied the database and the keys to {copy}.")
    way_back = _find_restore_copy(copy)
    before = _count_rows()
    try:
        serve.migrate()
        if before != (after := _count_rows()):
            raise ValueError(f"{before} accounts and people before, {after} after")
        _check_foreign_keys()
    except Exception as problem:
        raise click.ClickException(
            f"The upgrade failed: {type(problem).__name__}: {problem}\n\nNothing is lost. To go back, do"
            f" this before anyone uses the service:\n  1. {COMMAND} restore {way_back} --over\n  2. "
            "Install your previous version and start it.\nPlease report the error above with your "
            "previous version."
        ) from problem
    _upgrade_marker_path().unlink(missing_ok=True)
    found = [one.text for one in checks.run_checks() if isinstance(one, checks.Problem)]
    for text in found:
        click.echo(f"PROBLEM  {text}")
    click.echo(
        "The database is up to date. Start the service."
        if not found
        else (
            f"The database is up to date, but see the problems above. `{COMMAND} check` reports whether they are "
            "solved."
        )
    )


def _upgrade_marker_path() -> Path:
    return Path(settings.DATA) / "upgrade.json"


def _build_backup_path(folder: Path) -> Path:
    """Return a name for the backup that contains the time. Add a number if two upgrades start in the same second."""
    name = f"before-upgrade-{clock.now():%Y%m%d-%H%M%S}"
    names = chain([name], (f"{name}-{number}" for number in count(2)))
    return next(path for path in (folder / f"{one}.tar" for one in names) if not path.exists())


def _find_restore_copy(copy: Path) -> Path:
    """Return the backup that the earlier version can use.

    It is this one, unless an interrupted upgrade has already changed the database. In that case, it is that upgrade's
    backup, which a file records until an upgrade succeeds.
    """
    applied = sorted(map(list, MigrationRecorder(connection).applied_migrations()))
    marker = _upgrade_marker_path()
    try:
        given = json.loads(marker.read_text())
        earlier, was = Path(given["copy"]), given["applied"]
    except (OSError, ValueError, KeyError, TypeError):
        earlier, was = copy, applied
    if was != applied and earlier.is_file():
        click.echo(
            f"An earlier upgrade was interrupted. Only its copy {earlier} works with your previous version. The "
            "new copy contains a partly upgraded database."
        )
        return earlier
    part = marker.with_suffix(".part")
    part.write_text(json.dumps({"copy": str(copy), "applied": applied}))
    part.replace(marker)
    return copy


def _count_rows() -> tuple[int, int]:
    # in SQL, because models have columns that an older database lacks
    with connection.cursor() as cursor:
        counts = []
        for table in (Account._meta.db_table, Person._meta.db_table):
            cursor.execute(f"SELECT count(*) FROM {table}")  # noqa: S608 - our own table names
            counts.append(int(cursor.fetchone()[0]))
    return counts[0], counts[1]


def _check_foreign_keys() -> None:
    if is_sqlite():  # PostgreSQL always enforces them
        connection.check_constraints()
