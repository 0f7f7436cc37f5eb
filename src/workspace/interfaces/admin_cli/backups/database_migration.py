"""`move`: an installation is carried from SQLite to PostgreSQL, or back, with its files: whole, or not at all."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import click
import psycopg
from django.apps import apps
from django.conf import settings
from django.db.models import Model

from workspace.environment import COMMAND, postgresql, read
from workspace.interfaces.admin_cli.backups import running_instance
from workspace.interfaces.admin_cli.backups.backup import key_files
from workspace.interfaces.admin_cli.backups.table_io import Column, Lite, Postgres, Side
from workspace.interfaces.admin_cli.serve import is_migrated
from workspace.storage.database.transactions import is_sqlite
from workspace.storage.files import store
from workspace.storage.files.backends import PIECE
from workspace.storage.files.backends.filesystem import Folder
from workspace.storage.models import Blob, BlobPiece

_MIGRATIONS = "django_migrations"
# what a migration fills by itself: it is there in an empty database, and goes for what is carried
_MADE = ("django_content_type", "auth_permission")
_FILES = (Blob._meta.db_table, BlobPiece._meta.db_table)


def move(to: str) -> None:
    """Raises click.ClickException; then the target is as empty as it was, and the source is never changed."""
    running_instance.refuse_while_serving("What is written while it is carried over would be lost. Nothing was changed")
    if not is_migrated():
        raise click.ClickException(f"The database is not up to date: run `{COMMAND} migrate` first")
    if is_sqlite() != to.startswith(("postgresql://", "postgres://")):
        raise click.ClickException(
            "Name where to, such as postgresql://user:password@host/name"
            if is_sqlite()
            else "This installation is on PostgreSQL: name the data folder that it is to have on SQLite"
        )
    try:
        if is_sqlite():
            _to_postgresql(to)
            click.echo(
                "Set WORKSPACE_DATABASE_URL to it and start the service. What is in the data folder stays there."
            )
        else:
            _to_folder(Path(to).resolve())
            click.echo(f"Start the service with WORKSPACE_DATA={to} and without WORKSPACE_DATABASE_URL.")
    except (psycopg.Error, ValueError) as problem:
        raise click.ClickException(f"Nothing was carried over: {str(problem).strip()}") from None


def _to_postgresql(url: str) -> None:
    postgresql(url)  # ends with a plain word where it is no address
    with closing(Postgres(url)) as target:
        is_new = _refuse_what_is_not_empty(target)
    if is_new:
        _migrate(WORKSPACE_DATABASE_URL=url)
    home = store.home()
    assert isinstance(home, Folder)
    with closing(Lite(Path(settings.DATABASES["default"]["NAME"]))) as source, closing(Postgres(url)) as target:
        _refuse_what_is_not_empty(target)
        told = _carry(source, target)
        keys = sorted(home.keys())
        blobs, pieces = (_columns(model) for model in (Blob, BlobPiece))
        target.fill(_FILES[0], blobs, ((key, next(iter(home.reading(key)), b"")) for key in keys))
        target.fill(_FILES[1], [column for column in pieces if column.name != "id"], _later_pieces(home, keys))
        _compare({"files": len(keys)}, {"files": target.count(_FILES[0])})
        target.commit()
    _tell(told, len(keys))


def _to_folder(folder: Path) -> None:
    folder.mkdir(parents=True, exist_ok=True)
    database = folder / "workspace.sqlite3"
    place = Folder(folder / "files")
    if next(place.keys(), None):
        raise click.ClickException(f"{place.path} holds files already: name another folder. Nothing was changed")
    is_new = not database.exists()
    if not is_new:
        with closing(Lite(database)) as target:
            is_new = _refuse_what_is_not_empty(target)
    with tempfile.TemporaryDirectory(prefix="moving-", dir=folder) as staged:
        copy = Path(staged, database.name)
        if is_new:
            _migrate(WORKSPACE_DATABASE_URL="", WORKSPACE_DATA=staged)
        else:
            shutil.copy2(database, copy)
        into = Folder(Path(staged, "files"))
        into.path.mkdir()
        with closing(Postgres(read("WORKSPACE_DATABASE_URL"))) as source, closing(Lite(copy)) as target:
            told = _carry(source, target)
            count = _write_files(source, into)
            _compare({"files": source.count(_FILES[0])}, {"files": len(list(into.keys()))})
            target.commit()
        for name in key_files():
            if not (folder / name).exists():
                shutil.copy2(Path(settings.DATA) / name, folder / name)
        shutil.rmtree(place.path, ignore_errors=True)  # empty folders
        into.path.rename(place.path)
        copy.rename(database)  # last: it is what makes an installation of a folder
    _tell(told, count)


def _carry(source: Side, target: Side) -> dict[str, int]:
    """All rows but those of files; how many each table has."""
    for table in reversed(_MADE):
        target.empty(table)
    told = {}
    for model in _models():
        table, columns = model._meta.db_table, _columns(model)
        if table in _FILES:
            continue
        target.fill(table, columns, source.rows(table, columns))
        told[table] = source.count(table)
        for column in columns:
            if column.is_numbered and (last := source.last_number(table, column.name)):
                target.go_on_after(table, column.name, last)
    _compare(told, {table: target.count(table) for table in told})
    return told


def _later_pieces(home: Folder, keys: list[str]) -> Iterator[tuple[str, int, bytes]]:
    for key in keys:
        if home.at(key).stat().st_size > PIECE:
            pieces = home.reading(key)
            next(pieces)
            for place, content in enumerate(pieces):
                yield key, place, content


def _write_files(source: Postgres, into: Folder) -> int:
    keys = [row[0] for row in source.link.execute("SELECT key FROM storage_blob ORDER BY key")]
    for key in keys:
        path = into.at(key)
        path.parent.mkdir(exist_ok=True)
        with path.open("wb") as file:
            for (content,) in source.link.execute("SELECT content FROM storage_blob WHERE key = %s", [key]):
                file.write(content)
            places = source.link.execute("SELECT id FROM storage_blobpiece WHERE blob_id = %s ORDER BY place", [key])
            for (piece,) in places.fetchall():
                for (content,) in source.link.execute("SELECT content FROM storage_blobpiece WHERE id = %s", [piece]):
                    file.write(content)
    return len(keys)


def _refuse_what_is_not_empty(target: Side) -> bool:
    """Whether there is no table at all; else all are ours, and without a row. Raises click.ClickException."""
    tables = target.tables()
    ours = {model._meta.db_table for model in _models()} | {_MIGRATIONS}
    if strange := sorted(tables - ours):
        raise click.ClickException(f"There are other tables in it ({strange[0]}): name an empty database")
    if full := [table for table in sorted(tables) if table not in (*_MADE, _MIGRATIONS) and target.count(table)]:
        raise click.ClickException(f"It is not empty: {full[0]} has rows. Name an empty database. Nothing was changed")
    if tables and tables != ours:
        raise click.ClickException("It was migrated by another version: name an empty database. Nothing was changed")
    return not tables


def _models() -> list[type[Model]]:
    found = {model._meta.db_table: model for model in apps.get_models(include_auto_created=True)}
    return [found[table] for table in sorted(found)]


def _columns(model: type[Model]) -> list[Column]:
    return [Column(str(field.column), field.get_internal_type()) for field in model._meta.concrete_fields]


def _compare(before: dict[str, int], after: dict[str, int]) -> None:
    if wrong := [name for name in before if before[name] != after[name]]:
        name = wrong[0]
        raise ValueError(f"{name}: there were {before[name]:,} and {after[name]:,} have arrived")


def _migrate(**environment: str) -> None:
    command = [sys.executable, "-m", "workspace.interfaces.admin_cli", "migrate"]
    env = {**os.environ, "WORKSPACE_SECRET_KEY": settings.SECRET_KEY, **environment}
    done = subprocess.run(command, env=env, capture_output=True, text=True)  # noqa: S603 - this very command
    if done.returncode:
        raise click.ClickException(done.stderr.strip()[-800:])


def _tell(told: dict[str, int], count: int) -> None:
    for table, rows in told.items():
        if rows:
            click.echo(f"{rows:>12,}  {table}")
    click.echo(f"Carried over: {sum(told.values()):,} rows of {len(told)} tables, {count:,} files. All counts agree.")
