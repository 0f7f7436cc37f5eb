"""Looking after an installation."""

from __future__ import annotations

import json
import shutil
import sqlite3
import sys
from pathlib import Path

import click
from django.conf import settings
from django.db import DatabaseError, connection
from django.db.migrations.executor import MigrationExecutor

from workspace.interfaces.catalogue import CATALOGUE
from workspace.storage import sealing_keys, secrets
from workspace.storage.database import is_sqlite


def check() -> None:
    problems, remarks = [], []
    try:
        executor = MigrationExecutor(connection)
        if executor.migration_plan(executor.loader.graph.leaf_nodes()):
            problems.append("The database is not up to date: run `bin/workspace migrate`")
    except Exception as error:
        problems.append(f"The database does not answer: {type(error).__name__}")
    remembered = Path(settings.DATA) / "base-url"
    if remembered.exists() and remembered.read_text().strip() != settings.BASE_URL:
        problems.append(
            f"WORKSPACE_BASE_URL was {remembered.read_text().strip()} and is {settings.BASE_URL}: agents must connect "
            "anew, and codes that are printed already need the old host to go on working"
        )
    elif not remembered.exists():
        remembered.write_text(settings.BASE_URL)
    if not settings.SECURE and not settings.LOOPBACK:
        remarks.append("The base URL is not https: passwords and keys travel readable")
    if not settings.SMTP_HOST:
        remarks.append("No mail server (WORKSPACE_SMTP_HOST): mail stays in the outbox")
    if not settings.GEO_DATABASE:
        remarks.append("No city database (WORKSPACE_GEO_DATABASE): places are Unknown")
    elif not Path(settings.GEO_DATABASE).is_file():
        problems.append(f"WORKSPACE_GEO_DATABASE names no file: {settings.GEO_DATABASE}")
    if not settings.OPERATOR_EMAIL:
        remarks.append("No WORKSPACE_OPERATOR_EMAIL: reports of abuse are only listed by `bin/workspace reports`")
    try:
        if missing := secrets.missing_keys():
            problems.append(
                f"Secrets were sealed with keys that are not there ({', '.join(missing)}): put {sealing_keys.path()} "
                "back from a backup, or have the owners enter their secrets again"
            )
    except sealing_keys.KeysUnreadable as unreadable:
        problems.append(f"{unreadable.why}: put it back from a backup")
    except DatabaseError:
        pass  # told above
    if is_sqlite() and settings.SERVER_WORKERS > 1:
        remarks.append("WORKSPACE_WORKERS is ignored on SQLite, which has one server process")
    for line in problems:
        click.echo(f"PROBLEM  {line}")
    for line in remarks:
        click.echo(f"remark   {line}")
    if not problems:
        click.echo("Nothing is wrong.")
    sys.exit(1 if problems else 0)


def backup(folder: str) -> None:
    if not is_sqlite():
        raise click.ClickException(
            "With PostgreSQL, back up the database with pg_dump (uploads rest in it too) and keep a copy of secret-key "
            "and sealing-keys from the data folder"
        )
    target = Path(folder)
    if target.exists() and any(target.iterdir()):
        raise click.ClickException(f"{folder} is not empty: name a new folder")
    target.mkdir(parents=True, exist_ok=True)
    # SQLite's own online backup: a consistent copy while others write
    source = sqlite3.connect(settings.DATABASES["default"]["NAME"])
    copy = sqlite3.connect(target / "workspace.sqlite3")
    with copy:
        source.backup(copy)
    copy.close()
    source.close()
    data = Path(settings.DATA)
    if (data / "files").exists():
        shutil.copytree(data / "files", target / "files")
    for name in ("secret-key", sealing_keys.FILE):
        if (data / name).exists():
            shutil.copy2(data / name, target / name)
    click.echo(f"Copied to {target}. To restore, let WORKSPACE_DATA name that folder.")


def rotate_keys() -> None:
    try:
        if settings.SEALING_KEYS:
            click.echo(
                "Put this key first in WORKSPACE_SEALING_KEYS, before the others, and start every server anew:\n"
            )
            click.echo(f"  {sealing_keys.new_key()}\n\nThen call this again: it seals with the first key that is set.")
        else:
            sealing_keys.add()
        renewed = secrets.renew_all()
    except sealing_keys.KeysUnreadable as unreadable:
        raise click.ClickException(f"{unreadable.why}: put the sealing keys back from a backup") from None
    click.echo(f"{renewed} secrets were sealed anew. Keep earlier keys as long as you keep old backups.")


def print_catalogue() -> None:
    click.echo(json.dumps({"tools": CATALOGUE.describe()}, ensure_ascii=False, indent=1, sort_keys=True))
