"""`files move` and `files bring-back`: into the bucket, and out of it, while the service serves."""

from __future__ import annotations

import tempfile
from pathlib import Path

import click
from django.conf import settings

from workspace.environment import COMMAND
from workspace.storage import files
from workspace.storage.places import Place
from workspace.storage.places.bucket import Bucket


def move() -> None:
    """A file is deleted where it was once it is in the bucket, whole; who asks meanwhile finds it in either place."""
    bucket, home = _both()
    bucket.probe()
    moved = count = 0
    for key in list(home.keys()):
        try:
            size = _copy(home, bucket, key)
        except FileNotFoundError:  # deleted meanwhile
            continue
        if bucket.size(key) != size:
            raise click.ClickException(f"{key} did not arrive whole: call this again. {count:,} files are moved")
        home.delete(key)
        moved, count = moved + size, count + 1
    click.echo(f"{count:,} files are in the bucket now ({moved:,} bytes), and none is left here.")


def bring_back() -> None:
    """The bucket keeps its own, which the service goes on using until its setting is taken out."""
    bucket, home = _both()
    moved = count = 0
    for key in list(bucket.keys()):
        try:
            moved, count = moved + _copy(bucket, home, key), count + 1
        except FileNotFoundError:
            continue
    click.echo(
        f"{count:,} files are here as well now ({moved:,} bytes). Take WORKSPACE_S3_BUCKET out and start the service "
        f"anew; what came meanwhile is brought by calling `{COMMAND} files bring-back` once more before."
    )


def _both() -> tuple[Bucket, Place]:
    if not settings.S3["BUCKET"]:
        raise click.ClickException("No bucket is set: WORKSPACE_S3_BUCKET, see docs/settings.md")
    return files.bucket(), files.home()


def _copy(source: Place, target: Place, key: str) -> int:
    """How many bytes it has."""
    pieces = source.reading_here(key)[1] if isinstance(source, Bucket) else source.reading(key)
    with tempfile.NamedTemporaryFile(dir=settings.DATA, suffix=".part", delete=False) as file:
        path = Path(file.name)
        try:
            for piece in pieces:
                file.write(piece)
            size = file.tell()
            file.flush()
            target.put_part(key, path)
        finally:
            path.unlink(missing_ok=True)
    return size
