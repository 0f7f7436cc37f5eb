"""`move`: migrating an instance with its files between SQLite and PostgreSQL, completely or not at all."""

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

from workspace.environment import COMMAND, parse_postgresql_url, read_setting
from workspace.interfaces.admin_cli.backups import running_instance
from workspace.interfaces.admin_cli.backups.backup import list_key_files
from workspace.interfaces.admin_cli.backups.table_stores import Column, PostgresStore, SqliteStore, TableStore
from workspace.interfaces.admin_cli.serve import is_migrated
from workspace.storage.database.transactions import is_sqlite
from workspace.storage.files import store
from workspace.storage.files.backends import CHUNK_BYTES
from workspace.storage.files.backends.filesystem import LocalFileStorage
from workspace.storage.models import Blob, BlobPiece

_MIGRATIONS_TABLE = "django_migrations"
# filled by a migration: an empty database has rows in these tables, which are replaced
_DJANGO_TABLES = ("django_content_type", "auth_permission")
_FILE_TABLES = (Blob._meta.db_table, BlobPiece._meta.db_table)


def migrate_instance(target_url: str) -> None:
    """Migrate the instance.

    If it raises click.ClickException, the target is as empty as before. The source is never changed.
    """
    running_instance.check_stopped("Data that is written during the move would be lost. Nothing was changed")
    if not is_migrated():
        raise click.ClickException(f"The database is not up to date. Run `{COMMAND} migrate` first")
    if is_sqlite() != target_url.startswith(("postgresql://", "postgres://")):
        raise click.ClickException(
            "Enter the target, such as postgresql://user:password@host/name"
            if is_sqlite()
            else "This instance uses PostgreSQL. Enter the new data folder for SQLite"
        )
    try:
        if is_sqlite():
            _move_to_postgresql(target_url)
            click.echo(
                "Set WORKSPACE_DATABASE_URL to the new database and start the service. The data folder stays unchanged."
            )
        else:
            _move_to_folder(Path(target_url).resolve())
            click.echo(f"Start the service with WORKSPACE_DATA={target_url} and without WORKSPACE_DATABASE_URL.")
    except (psycopg.Error, ValueError) as problem:
        raise click.ClickException(f"Nothing was moved: {str(problem).strip()}") from None


def _move_to_postgresql(url: str) -> None:
    parse_postgresql_url(url)  # raises a readable error for an invalid URL
    with closing(PostgresStore(url)) as target:
        is_new = _check_target_empty(target)
    if is_new:
        _run_migrations(WORKSPACE_DATABASE_URL=url)
    home = store.local_storage()
    assert isinstance(home, LocalFileStorage)
    with (
        closing(SqliteStore(Path(settings.DATABASES["default"]["NAME"]))) as source,
        closing(PostgresStore(url)) as target,
    ):
        _check_target_empty(target)
        row_counts = _copy_rows(source, target)
        keys = sorted(home.list_keys())
        blobs, pieces = (_list_columns(model) for model in (Blob, BlobPiece))
        target.insert_rows(_FILE_TABLES[0], blobs, ((key, next(home.read_chunks(key), b"")) for key in keys))
        target.insert_rows(
            _FILE_TABLES[1], [column for column in pieces if column.name != "id"], _list_file_parts(home, keys)
        )
        _compare_counts({"files": len(keys)}, {"files": target.count_rows(_FILE_TABLES[0])})
        target.commit()
    _print_summary(row_counts, len(keys))


def _move_to_folder(folder: Path) -> None:
    folder.mkdir(parents=True, exist_ok=True)
    database = folder / "workspace.sqlite3"
    place = LocalFileStorage(folder / "files")
    if next(place.list_keys(), None):
        raise click.ClickException(f"{place.folder} contains files. Choose another folder. Nothing was changed")
    is_new = not database.exists()
    if not is_new:
        with closing(SqliteStore(database)) as target:
            is_new = _check_target_empty(target)
    with tempfile.TemporaryDirectory(prefix="moving-", dir=folder) as staged:
        copy = Path(staged, database.name)
        if is_new:
            _run_migrations(WORKSPACE_DATABASE_URL="", WORKSPACE_DATA=staged)
        else:
            shutil.copy2(database, copy)
        into = LocalFileStorage(Path(staged, "files"))
        into.folder.mkdir()
        with (
            closing(PostgresStore(read_setting("WORKSPACE_DATABASE_URL"))) as source,
            closing(SqliteStore(copy)) as target,
        ):
            row_counts = _copy_rows(source, target)
            count = _write_files(source, into)
            _compare_counts({"files": source.count_rows(_FILE_TABLES[0])}, {"files": len(list(into.list_keys()))})
            target.commit()
        for name in list_key_files():
            if not (folder / name).exists():
                shutil.copy2(Path(settings.DATA) / name, folder / name)
        shutil.rmtree(place.folder, ignore_errors=True)  # empty folders
        into.folder.rename(place.folder)
        copy.rename(database)  # last, because the database file makes the folder an instance
    _print_summary(row_counts, count)


def _copy_rows(source: TableStore, target: TableStore) -> dict[str, int]:
    """Copy all rows except those of files. Return the number of rows of each table."""
    for table in reversed(_DJANGO_TABLES):
        target.delete_rows(table)
    row_counts = {}
    for model in _list_models():
        table, columns = model._meta.db_table, _list_columns(model)
        if table in _FILE_TABLES:
            continue
        target.insert_rows(table, columns, source.read_rows(table, columns))
        row_counts[table] = source.count_rows(table)
        for column in columns:
            if column.is_numbered and (last := source.last_number(table, column.name)):
                target.set_last_number(table, column.name, last)
    _compare_counts(row_counts, {table: target.count_rows(table) for table in row_counts})
    return row_counts


def _list_file_parts(home: LocalFileStorage, keys: list[str]) -> Iterator[tuple[str, int, bytes]]:
    for key in keys:
        if home.path_for(key).stat().st_size > CHUNK_BYTES:
            pieces = home.read_chunks(key)
            next(pieces)
            for place, content in enumerate(pieces):
                yield key, place, content


def _write_files(source: PostgresStore, into: LocalFileStorage) -> int:
    keys = [row[0] for row in source.connection.execute("SELECT key FROM storage_blob ORDER BY key")]
    for key in keys:
        path = into.path_for(key)
        path.parent.mkdir(exist_ok=True)
        with path.open("wb") as file:
            for (content,) in source.connection.execute("SELECT content FROM storage_blob WHERE key = %s", [key]):
                file.write(content)
            places = source.connection.execute(
                "SELECT id FROM storage_blobpiece WHERE blob_id = %s ORDER BY position", [key]
            )
            for (piece,) in places.fetchall():
                for (content,) in source.connection.execute(
                    "SELECT content FROM storage_blobpiece WHERE id = %s", [piece]
                ):
                    file.write(content)
    return len(keys)


def _check_target_empty(target: TableStore) -> bool:
    """Return True if there are no tables, or False if there are only our tables without rows.

    Raise click.ClickException otherwise.
    """
    tables = target.list_tables()
    ours = {model._meta.db_table for model in _list_models()} | {_MIGRATIONS_TABLE}
    if strange := sorted(tables - ours):
        raise click.ClickException(f"The database has other tables ({strange[0]}). Choose an empty database")
    if full := [
        table
        for table in sorted(tables)
        if table not in (*_DJANGO_TABLES, _MIGRATIONS_TABLE) and target.count_rows(table)
    ]:
        raise click.ClickException(
            f"The database is not empty: {full[0]} has rows. Choose an empty database. Nothing was changed"
        )
    if tables and tables != ours:
        raise click.ClickException(
            "The database was migrated by another version. Choose an empty database. Nothing was changed"
        )
    return not tables


def _list_models() -> list[type[Model]]:
    found = {model._meta.db_table: model for model in apps.get_models(include_auto_created=True)}
    return [found[table] for table in sorted(found)]


def _list_columns(model: type[Model]) -> list[Column]:
    return [Column(str(field.column), field.get_internal_type()) for field in model._meta.concrete_fields]


def _compare_counts(before: dict[str, int], after: dict[str, int]) -> None:
    if wrong := [name for name in before if before[name] != after[name]]:
        name = wrong[0]
        raise ValueError(f"{name}: {before[name]:,} in the source, {after[name]:,} in the target")


def _run_migrations(**environment: str) -> None:
    command = [sys.executable, "-m", "workspace.interfaces.admin_cli", "migrate"]
    env = {**os.environ, "WORKSPACE_SECRET_KEY": settings.SECRET_KEY, **environment}
    done = subprocess.run(command, env=env, capture_output=True, text=True)  # noqa: S603 - this command itself
    if done.returncode:
        raise click.ClickException(done.stderr.strip()[-800:])


def _print_summary(counts: dict[str, int], count: int) -> None:
    for table, rows in counts.items():
        if rows:
            click.echo(f"{rows:>12,}  {table}")
    click.echo(f"Moved {sum(counts.values()):,} rows of {len(counts)} tables and {count:,} files. All counts match.")
