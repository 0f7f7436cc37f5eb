"""`files move` and `files restore`: moving files to the bucket or another storage while the service runs, and back."""

from __future__ import annotations

import os
import tempfile
from pathlib import Path

import click
from django.conf import settings

from workspace.interfaces.admin_cli.backups import running_instance
from workspace.lib.text import format_count
from workspace.storage.files import store
from workspace.storage.files.backends import KeyStorage, MovableFile
from workspace.storage.files.remote_files import RemoteFiles


def move_files_to_bucket() -> None:
    """Move files to the bucket.

    A local file is deleted only after it is completely in the bucket. Until then, requests find it in one of the two.
    """
    remote, home = _open_storages()
    remote.probe()
    moved = count = 0
    for key in list(home.list_keys()):
        try:
            moved, count = moved + remote.move_here(key), count + 1
        except FileNotFoundError:  # deleted since it was listed
            continue
    click.echo(
        f"Moved {format_count(count, 'file')} to {remote.title} ({moved:,} bytes). No files are left on this server."
    )


def restore_files_from_bucket() -> None:
    """Copy files back from the bucket, but keep them there. Raise click.ClickException if the service is running."""
    running_instance.check_stopped("New files would stay in the bucket. Nothing was changed")
    remote, home = _open_storages()
    moved = count = 0
    for key in list(remote.list_keys()):
        try:
            moved, count = moved + _copy_file(remote, home, key), count + 1
        except FileNotFoundError:
            continue
    click.echo(
        f"Copied {format_count(count, 'file')} to this server ({moved:,} bytes). "
        f"Remove {remote.setting} and start the service."
    )


def _open_storages() -> tuple[RemoteFiles, KeyStorage]:
    remote = store.remote_files()
    if remote is None:
        raise click.ClickException("No bucket is configured. Set WORKSPACE_S3_BUCKET (docs/settings.md)")
    return remote, store.local_storage()


def _copy_file(source: RemoteFiles, target: KeyStorage, key: str) -> int:
    """Copy a file. Return its size in bytes."""
    handle, name = tempfile.mkstemp(".part", dir=settings.DATA)
    path = Path(name)
    try:
        with os.fdopen(handle, "wb") as file:
            for piece in source.read_remote_chunks(key):
                file.write(piece)
            size = file.tell()
        with MovableFile(path) as part:
            target.save(key, part)
    finally:
        path.unlink(missing_ok=True)
    return size
