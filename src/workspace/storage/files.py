"""Where uploaded bytes rest: one interface, in the data folder beside SQLite, in the database with PostgreSQL. What may
be large is written into a file (`part`, `put_part`) and read piece by piece (`reading`), so that nobody holds it whole.

Keys are made by this project (letters, digits, `-`, `_`), never taken from outside. Whoever puts files tells by `keep`
which are still wanted: a process that is killed between a file and its row leaves one that nobody knows, for `sweep`.
"""

from __future__ import annotations

import logging
import os
import re
import secrets
import tempfile
import time
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager, suppress
from itertools import islice
from pathlib import Path

from django.conf import settings

from workspace.storage.database import is_sqlite, rehearsing, writing
from workspace.storage.models import Blob, BlobPiece

logger = logging.getLogger(__name__)

Known = Callable[[list[str]], Iterable[str]]
LEFT_PART = 600.0  # seconds after which nobody can still be writing a part
LEFT_FILE = 3600.0  # and after which the row of a file would have been committed
MOST_LEFT = 20  # files without a row, or half of all
PIECE = 1024 * 1024  # bytes that are held at once of what is large
_BATCH = 500
_PART = ".part"
_keepers: dict[str, Known] = {}
_KEY = re.compile(r"^[A-Za-z0-9_-]{1,120}$")


def put(key: str, content: bytes) -> None:
    """Keep the bytes under a key; a rehearsal keeps none. Raises OSError, or a DatabaseError, when there is no room for
    them; then there is nothing of them."""
    if rehearsing():
        return
    if not is_sqlite():
        blob, is_new = Blob.objects.update_or_create(key=key, defaults={"content": content})
        if not is_new:
            blob.pieces.all().delete()
        return
    path = _path(key)
    # written whole under another name first: a reader never meets half a file
    part = path.with_suffix(f".{secrets.token_hex(4)}{_PART}")
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        with part.open("wb") as file:
            file.write(content)
            file.flush()
            os.fsync(file.fileno())
        part.replace(path)
    except BaseException:
        with suppress(OSError):
            part.unlink(missing_ok=True)
        raise


@contextmanager
def part() -> Iterator[Path]:
    """An empty file to write into, gone afterwards where `put_part` has not taken it; on the disk of the others, where
    they rest on one."""
    if is_sqlite():
        _folder().mkdir(parents=True, exist_ok=True)
    handle, name = tempfile.mkstemp(_PART, dir=_folder() if is_sqlite() else None)
    os.close(handle)
    path = Path(name)
    try:
        yield path
    finally:
        path.unlink(missing_ok=True)


def put_part(key: str, path: Path) -> None:
    """Keep what was written into a `part` under a key, never holding it whole. Raises as `put` does."""
    if rehearsing():
        return
    if is_sqlite():
        to = _path(key)
        to.parent.mkdir(parents=True, exist_ok=True)
        with path.open("rb") as file:
            os.fsync(file.fileno())
        path.replace(to)
        return
    with path.open("rb") as file, writing():
        BlobPiece.objects.filter(blob=key).delete()
        Blob.objects.update_or_create(key=key, defaults={"content": file.read(PIECE)})
        place = 0
        while content := file.read(PIECE):
            BlobPiece.objects.create(blob_id=key, place=place, content=content)
            place += 1


def get(key: str) -> bytes:
    """Raises FileNotFoundError when nothing rests under the key."""
    return _path(key).read_bytes() if is_sqlite() else b"".join(_pieces(key))


def reading(key: str) -> Iterator[bytes]:
    """The same piece by piece. Raises FileNotFoundError at once."""
    if not is_sqlite():
        return _pieces(key)
    path = _path(key)
    path.stat()
    return _blocks(path)


def _blocks(path: Path) -> Iterator[bytes]:
    with path.open("rb") as file:
        while block := file.read(PIECE):
            yield block


def _pieces(key: str) -> Iterator[bytes]:
    blob = Blob.objects.filter(key=key).first()
    if blob is None:
        raise FileNotFoundError(key)
    places = BlobPiece.objects.filter(blob=key).order_by("place").values_list("pk", flat=True)
    return _each(bytes(blob.content), list(places))


def _each(first: bytes, places: list[int]) -> Iterator[bytes]:
    yield first
    for place in places:
        yield bytes(BlobPiece.objects.values_list("content", flat=True).get(pk=place))


def delete(key: str) -> None:
    if rehearsing():
        return
    if is_sqlite():
        _path(key).unlink(missing_ok=True)
    else:
        Blob.objects.filter(key=key).delete()


def keep(prefix: str, known: Known) -> None:
    """Have `sweep` ask `known(keys)` which of the keys that begin so are still wanted. What begins otherwise stays."""
    _keepers[prefix] = known


def sweep() -> int:
    """Housekeeping: remove what a killed process or a full disk has left behind; the number of files. Nothing that is
    being written is touched."""
    return sum(_sweep(prefix, known) for prefix, known in _keepers.items()) + _sweep_parts()


def _sweep(prefix: str, known: Known) -> int:
    found, all_keys = 0, _keys(prefix)
    left: list[str] = []
    while keys := list(islice(all_keys, _BATCH)):
        found += len(keys)
        left += set(keys) - set(known(keys))
    if len(left) > max(MOST_LEFT, found // 2):
        # no crash leaves so many: rather an empty database was put beside the files of another
        logger.error(
            "%d of %d files %s… belong to nothing in this database, and are left alone", len(left), found, prefix
        )
        return 0
    for key in left:
        delete(key)
    return len(left)


def _keys(prefix: str) -> Iterator[str]:
    """Keys that have rested for long enough."""
    if not is_sqlite():
        # a blob comes with its row in one transaction, or after it
        yield from list(Blob.objects.filter(key__startswith=prefix).values_list("key", flat=True))
        return
    before = time.time() - LEFT_FILE
    for path in _folder().glob(f"*/{prefix}*"):
        if _KEY.match(path.name) and _touched(path) < before:
            yield path.name


def _sweep_parts() -> int:
    before, gone = time.time() - LEFT_PART, 0
    for left in _folder().rglob(f"*{_PART}"):
        if _touched(left) < before:
            left.unlink(missing_ok=True)
            gone += 1
    return gone


def _touched(path: Path) -> float:
    try:
        return path.stat().st_mtime
    except FileNotFoundError:
        return time.time()


def _folder() -> Path:
    return Path(settings.DATA) / "files"


def _path(key: str) -> Path:
    if not _KEY.match(key):
        raise ValueError(f"{key!r} is no key")
    return _folder() / key[-2:] / key
