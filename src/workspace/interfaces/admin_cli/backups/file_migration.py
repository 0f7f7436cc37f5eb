"""`files move` and `files restore`: files move to the bucket while the service runs, and back."""

from __future__ import annotations

import os
import tempfile
from pathlib import Path

import click
from django.conf import settings

from workspace.interfaces.admin_cli.backups import running_instance
from workspace.storage.files import store
from workspace.storage.files.backends import FileBackend
from workspace.storage.files.backends.s3 import S3Backend


def move_files_to_bucket() -> None:
    """Move files to the bucket.

    A local file is deleted only after it is completely in the bucket. Until then, requests find it in either place.
    """
    bucket, home = _open_stores()
    bucket.probe()
    moved = count = 0
    for key in list(home.list_keys()):
        try:
            moved, count = moved + bucket.move_here(key), count + 1
        except FileNotFoundError:  # deleted since it was listed
            continue
    click.echo(f"{count:,} files are in the bucket now ({moved:,} bytes), and none is left here.")


def restore_files_from_bucket() -> None:
    """Copy files from the bucket, which keeps its own. Raise click.ClickException if the service runs."""
    running_instance.check_stopped("What comes meanwhile would stay in the bucket. Nothing was changed")
    bucket, home = _open_stores()
    moved = count = 0
    for key in list(bucket.list_keys()):
        try:
            moved, count = moved + _copy_file(bucket, home, key), count + 1
        except FileNotFoundError:
            continue
    click.echo(
        f"{count:,} files are here as well now ({moved:,} bytes). Take WORKSPACE_S3_BUCKET out and start the service."
    )


def _open_stores() -> tuple[S3Backend, FileBackend]:
    if not settings.S3["BUCKET"]:
        raise click.ClickException("No bucket is set: WORKSPACE_S3_BUCKET, see docs/settings.md")
    return store.s3_backend(), store.local_backend()


def _copy_file(source: S3Backend, target: FileBackend, key: str) -> int:
    """Copy a file and return its size in bytes."""
    handle, name = tempfile.mkstemp(".part", dir=settings.DATA)
    path = Path(name)
    try:
        with os.fdopen(handle, "wb") as file:
            for piece in source.read_object(key)[1]:
                file.write(piece)
            size = file.tell()
        target.put_part(key, path)
    finally:
        path.unlink(missing_ok=True)
    return size
