"""Where uploaded bytes rest: one interface, in the data folder beside SQLite, in the database with PostgreSQL.

Keys are made by this project (letters, digits, `-`, `_`), never taken from outside.
"""

from __future__ import annotations

import os
import re
from pathlib import Path

from django.conf import settings

from workspace.storage.database import is_sqlite, rehearsing
from workspace.storage.models import Blob

_KEY = re.compile(r"^[A-Za-z0-9_-]{1,120}$")


def put(key: str, content: bytes) -> None:
    """Keep the bytes under a key; a rehearsal keeps none."""
    if rehearsing():
        return
    if not is_sqlite():
        Blob.objects.update_or_create(key=key, defaults={"content": content})
        return
    path = _path(key)
    path.parent.mkdir(parents=True, exist_ok=True)
    # written whole under another name first: a reader never meets half a file
    part = path.with_suffix(".part")
    with part.open("wb") as file:
        file.write(content)
        file.flush()
        os.fsync(file.fileno())
    part.replace(path)


def get(key: str) -> bytes:
    """Raises FileNotFoundError when nothing rests under the key."""
    if is_sqlite():
        return _path(key).read_bytes()
    blob = Blob.objects.filter(key=key).first()
    if blob is None:
        raise FileNotFoundError(key)
    return bytes(blob.content)


def delete(key: str) -> None:
    if rehearsing():
        return
    if is_sqlite():
        _path(key).unlink(missing_ok=True)
    else:
        Blob.objects.filter(key=key).delete()


def _path(key: str) -> Path:
    if not _KEY.match(key):
        raise ValueError(f"{key!r} is no key")
    return Path(settings.DATA) / "files" / key[-2:] / key
