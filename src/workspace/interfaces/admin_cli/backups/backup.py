"""`create_backup`: one archive with the database and the files of a running service."""

from __future__ import annotations

import json
import sqlite3
import tempfile
from contextlib import closing, suppress
from pathlib import Path
from typing import Any

import click
from django.conf import settings
from django.db import connection
from django.db.migrations.recorder import MigrationRecorder

from workspace.environment import COMMAND, read_setting
from workspace.interfaces.admin_cli import setting_changes
from workspace.interfaces.admin_cli.backups import archive, postgresql_dump
from workspace.interfaces.admin_cli.backups.archive import (
    ABOUT_FILE,
    FILES_FOLDER,
    POSTGRESQL_FILE,
    SQLITE_FILE,
    ArchiveWriter,
)
from workspace.lib import clock
from workspace.storage import encryption_keys
from workspace.storage.database.transactions import is_sqlite
from workspace.storage.files import store
from workspace.storage.files.backends import KeyStorage
from workspace.storage.files.backends.filesystem import LocalFileStorage
from workspace.storage.files.remote_files import RemoteFiles


def create_backup(target: Path, *, with_files: bool = True) -> str:
    """Write the archive, whose name must end in .tar or .tar.gz. Return the SHA-256 of its manifest.

    Raise click.ClickException if it cannot be written.
    """
    if not target.name.endswith((".tar", ".tar.gz", ".tgz")):
        raise click.ClickException(f"Choose a file that ends with .tar or .tar.gz, such as {target}.tar")
    if target.exists():
        raise click.ClickException(f"{target} already exists. Choose a new file")
    target.parent.mkdir(parents=True, exist_ok=True)
    place = store.remote_files() or store.local_storage()
    if isinstance(place, LocalFileStorage):
        try:
            # before the database is read, so that no file it refers to is deleted until both are copied
            with place.hold_deletions():
                return _write_archive(target, place, with_files)
        except BlockingIOError:
            raise click.ClickException("Another backup is running. Wait until it has finished") from None
    return _write_archive(target, place, with_files)


def run_backup(name: str, *, with_files: bool) -> None:
    target = Path(name)
    digest = create_backup(target, with_files=with_files)
    click.echo(f"Copied to {target} ({target.stat().st_size:,} bytes).\n\n{_format_readme(target.name)}", nl=False)
    click.echo(
        f"\nSHA-256 of its manifest: {digest}\nStore it in another place. `{COMMAND} restore {target.name} "
        f"--sha256 {digest}` refuses a changed backup."
    )


def _write_archive(target: Path, place: KeyStorage | RemoteFiles, with_files: bool) -> str:
    with (
        tempfile.TemporaryDirectory(prefix=".backup-", dir=target.parent) as folder,
        archive.open_writer(target) as made,
    ):
        copy = Path(folder, SQLITE_FILE if is_sqlite() else POSTGRESQL_FILE)
        if is_sqlite():
            # SQLite's online backup: a consistent copy while others write
            here = settings.DATABASES["default"]["NAME"]
            with closing(sqlite3.connect(here)) as source, closing(sqlite3.connect(copy)) as into:
                source.backup(into)
        else:
            postgresql_dump.dump_database(copy)
        made.add_text(ABOUT_FILE, json.dumps(_build_manifest(with_files), indent=1))
        made.add_text("README.txt", _format_readme(target.name))
        made.add_file(copy.name, copy)
        for name in list_key_files():
            made.add_file(name, Path(settings.DATA) / name)
        if with_files:
            _add_files(made, place)
    return made.digest


def _add_files(archive: ArchiveWriter, place: KeyStorage | RemoteFiles) -> None:
    """Add the files that are not stored in the database, which was copied before."""
    if isinstance(place, LocalFileStorage):
        for path in place.list_files():
            if FILES_FOLDER + path.name not in archive:
                try:
                    archive.add_file(FILES_FOLDER + path.name, path)
                except FileNotFoundError:
                    continue  # deleted in the meantime: it is among the files whose deletion is delayed
    elif isinstance(place, RemoteFiles):
        for key in list(place.list_keys()):
            size = place.get_size(key)
            if size is None:
                continue  # deleted since it was listed, and nothing delays deletions there
            with suppress(FileNotFoundError):  # likewise
                archive.add_chunks(FILES_FOLDER + key, size, place.read_remote_chunks(key))


def _build_manifest(with_files: bool) -> dict[str, Any]:
    return {
        "format": archive.FORMAT_VERSION,
        "made": clock.to_iso(clock.now()),
        "base_url": settings.BASE_URL,
        "database": connection.vendor,
        "files": with_files,
        "migrations": sorted([app, name] for app, name in MigrationRecorder(connection).applied_migrations()),
    }


def _format_readme(name: str) -> str:
    """Return instructions for people who find the backup years later."""
    lines = [f"A backup of the instance at {settings.BASE_URL}, created {clock.to_iso(clock.now())}."]
    lines += [
        f"QR codes created before {one['until'][:10]} contain {one['url']}."
        for one in setting_changes.list_earlier_base_urls()
    ]
    lines += [f"To restore it, stop the service, run `{COMMAND} restore {name}`, and start the service."]
    return "\n".join([*lines, *_format_key_notes(list_key_files())]) + "\n"


def _format_key_notes(names: list[str]) -> list[str]:
    """Describe which key files the backup contains, and which keys must be stored with it."""
    lines = []
    if names:
        are = "is" if len(names) == 1 else "are"
        lines.append(
            f"{' and '.join(names)} {are} in this backup. Store it safely, because it gives access to everything."
        )
    if given := [name for name in ("WORKSPACE_SECRET_KEY", "WORKSPACE_ENCRYPTION_KEYS") if read_setting(name)]:
        lines.append(f"Store {' and '.join(given)} with this backup. Without them, encrypted data cannot be read.")
    return lines


def list_key_files() -> list[str]:
    """Return the key files that exist and are not replaced by environment variables."""
    given = {"secret-key": "WORKSPACE_SECRET_KEY", encryption_keys.FILE_NAME: "WORKSPACE_ENCRYPTION_KEYS"}
    return [name for name, by in given.items() if not read_setting(by) and (Path(settings.DATA) / name).exists()]
