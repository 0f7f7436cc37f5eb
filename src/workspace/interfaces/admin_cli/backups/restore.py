"""`restore`: replacing an instance with a backup, completely or not at all."""

from __future__ import annotations

import shutil
import tempfile
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import Any

import click
from django.apps import apps
from django.conf import settings
from django.db import connection
from django.db.migrations.loader import MigrationLoader

from workspace.environment import COMMAND, read_setting
from workspace.interfaces.admin_cli.backups import archive, postgresql_dump, running_instance
from workspace.interfaces.admin_cli.backups.archive import FILES_FOLDER, POSTGRESQL_FILE, SQLITE_FILE
from workspace.lib import clock
from workspace.storage import encryption_keys
from workspace.storage.database import former_database
from workspace.storage.database.transactions import is_sqlite
from workspace.storage.files import store
from workspace.storage.files.backends import KEY_PATTERN
from workspace.storage.files.backends.filesystem import LocalFileStorage

_KEY_FILES = {"secret-key": "WORKSPACE_SECRET_KEY", encryption_keys.FILE_NAME: "WORKSPACE_ENCRYPTION_KEYS"}


def restore_backup(backup_path: str, *, replace_existing: bool, sha256: str = "") -> None:
    """Restore the backup.

    If it raises click.ClickException or OSError, nothing has changed. `sha256` is the hash that `backup` printed.
    """
    data = Path(settings.DATA)
    if not Path(backup_path).is_file():
        raise click.ClickException(f"File not found: {backup_path}")
    running_instance.check_stopped("Nothing was changed")
    there = running_instance.instance_exists()
    if there and not replace_existing:
        raise click.ClickException(
            f"{(data if is_sqlite() else 'this database')} already contains an instance with accounts or files. To"
            " replace it with the backup, add --over. Nothing was changed"
        )
    with tempfile.TemporaryDirectory(prefix="restoring-", dir=data) as folder:
        staged = Path(folder)
        about = archive.extract_archive(Path(backup_path), staged, sha256)
        _check_compatible(about)
        kept = _replace_instance(staged, data, with_files=about["files"])
    click.echo(f"Restored from {backup_path}: the instance at {about['base_url']}, as of {about['made']}.")
    if kept and there:
        click.echo(f"The previous data was moved to {kept}. Delete it when you no longer need it.")
    elif kept:
        shutil.rmtree(kept)
    if missing := [
        given
        for backup_path, given in _KEY_FILES.items()
        if not read_setting(given) and not (data / backup_path).exists()
    ]:
        click.echo(f"The backup has no key for {' and '.join(missing)}. Set the key that you stored with it.")
    if not about["files"]:
        click.echo("The backup has no uploads. The uploads on this server are unchanged.")
    if about["base_url"] != settings.BASE_URL:
        click.echo(f"WORKSPACE_BASE_URL was {about['base_url']} and is {settings.BASE_URL} here.")
    click.echo(f"Start the service. It migrates first. `{COMMAND} check` finds problems.")


def _check_compatible(manifest: dict[str, Any]) -> None:
    if former_database.is_former(manifest["migrations"]):
        raise click.ClickException(
            f"This is a backup of Workspace Tools before 0.1.0, created {manifest['made']}. This version cannot "
            f"restore it. Restore it with that version, export its accounts there (`{COMMAND} account export --all"
            f" FOLDER`), and import them here (`{COMMAND} account import --all FOLDER`). See "
            "docs/export-and-import.md. Nothing was changed"
        )
    if manifest["database"] != connection.vendor:
        said = "without WORKSPACE_DATABASE_URL" if manifest["database"] == "sqlite" else "into PostgreSQL"
        raise click.ClickException(
            f"This is a backup of an instance on {manifest['database']}. Restore it {said}, and then run "
            f"`{COMMAND} move`. Nothing was changed"
        )
    known = set(MigrationLoader(None, ignore_no_migrations=True).disk_migrations or {})
    ours = {config.label for config in apps.get_app_configs()}
    if unknown := [name for app, name in manifest["migrations"] if app in ours and (app, name) not in known]:
        raise click.ClickException(
            f"This backup was created by a later version of Workspace Tools ({unknown[0]}). Install that version "
            "first. Nothing was changed"
        )


def _replace_instance(staged: Path, data: Path, *, with_files: bool) -> Path | None:
    """Replace the instance. Return the folder with the former data, or None if there was none.

    A backup without files leaves the existing files.
    """
    moves = [
        (staged / name, data / name)
        for name, given in _KEY_FILES.items()
        if (staged / name).exists() and not read_setting(given)
    ]
    gone = []
    place = store.local_storage()
    remote = store.remote_files()
    if with_files and isinstance(place, LocalFileStorage) and remote is None:
        _arrange_files(staged / FILES_FOLDER)
        moves.append((staged / "spread", place.folder))
    if is_sqlite():
        database = Path(settings.DATABASES["default"]["NAME"])
        moves.append((staged / SQLITE_FILE, database))
        gone = [database.with_name(database.name + end) for end in ("-wal", "-shm", "-journal")]
    kept = data / f"before-restore-{clock.now():%Y%m%d-%H%M%S}"
    done: list[tuple[Path, Path]] = []  # pairs of the former and the current path
    try:
        # first, because no row may lack its file; surplus files there are purged later
        if remote:
            _store_files(staged, remote.upload_file)
        _swap_files(moves, gone, kept, done)
        if not is_sqlite():
            postgresql_dump.restore_database(staged / POSTGRESQL_FILE)
        if place.is_transactional and remote is None:
            _store_files(staged, store.put_part)
    except BaseException:
        for before, now in reversed(done):
            now.rename(before)
        with suppress(OSError):
            kept.rmdir()
        raise
    return kept if kept.exists() else None


def _swap_files(
    moves: list[tuple[Path, Path]], old_files: list[Path], backup_folder: Path, done: list[tuple[Path, Path]]
) -> None:
    """Move existing files to `backup_folder`, and new files to their places. `done` records the progress."""
    for path in [*(to for _, to in moves), *old_files]:
        if path.exists():
            backup_folder.mkdir(exist_ok=True)
            path.rename(backup_folder / path.name)
            done.append((path, backup_folder / path.name))
    for source, to in moves:
        source.rename(to)
        done.append((source, to))


def _store_files(staged: Path, store_file: Callable[[str, Path], None]) -> None:
    for path in (staged / FILES_FOLDER).glob("*"):
        store_file(path.name, path)


def _arrange_files(source: Path) -> None:
    """Move files from a flat folder into the layout of the file storage."""
    into = LocalFileStorage(source.with_name("spread"))
    into.folder.mkdir()
    for path in source.iterdir() if source.exists() else ():
        if KEY_PATTERN.fullmatch(path.name):
            into.path_for(path.name).parent.mkdir(exist_ok=True)
            path.rename(into.path_for(path.name))
