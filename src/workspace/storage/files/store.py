"""Where uploaded bytes rest: one interface, in the data folder beside SQLite, in the database with PostgreSQL, or in a
bucket where one is set. What may be large is written into a file (`part`, `put_part`) and read piece by piece
(`reading`), so that nobody holds it whole.

Keys are made by this project (letters, digits, `-`, `_`), never taken from outside. Whoever puts files tells by `keep`
which are still wanted: a process that is killed between a file and its row leaves one that nobody knows, for `sweep`.
"""

from __future__ import annotations

import functools
import logging
import secrets
import tempfile
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from functools import partial
from itertools import islice
from pathlib import Path

from django.conf import settings
from django.db import connection, transaction

from workspace.storage.database.errors import FilesAway
from workspace.storage.database.transactions import is_sqlite, rehearsing
from workspace.storage.files import partial_files
from workspace.storage.files.backends import Place
from workspace.storage.files.backends.database import Tables
from workspace.storage.files.backends.filesystem import RESTED, Folder
from workspace.storage.files.backends.s3 import Bucket
from workspace.storage.row_tasks import run_rows

logger = logging.getLogger(__name__)

Known = Callable[[list[str]], Iterable[str]]
LEFT_FILE = 3600.0  # seconds after which the row of a file would have been committed
MOST_LEFT = 20  # files without a row, or half of all
MOST_PASSED_ON = 200  # files that came to rest beside the bucket, in one go
_BATCH = 500
_keepers: dict[str, Known] = {}


def put(key: str, content: bytes) -> None:
    """Keep the bytes under a key; a rehearsal keeps none. Raises OSError, or a DatabaseError, when there is no room for
    them; then there is nothing of them. Within a transaction nobody waits for a bucket: it gets them afterwards."""
    if rehearsing():
        return
    here = place()
    if isinstance(here, Bucket) and connection.in_atomic_block:
        home().put(key, content)
        transaction.on_commit(partial(_pass_on, here, key))
    else:
        here.put(key, content)


@contextmanager
def part() -> Iterator[Path]:
    """An empty file to write into, gone afterwards where `put_part` has not taken it; on the disk of the others, where
    they rest on one."""
    here = place()
    if isinstance(here, Folder):
        here.path.mkdir(parents=True, exist_ok=True)
    folder = here.path if isinstance(here, Folder) else Path(tempfile.gettempdir())
    path = folder / f"{secrets.token_hex(8)}{partial_files.SUFFIX}"
    with partial_files.writing(path, 0o600):
        yield path


def put_part(key: str, path: Path) -> None:
    """Keep what was written into a `part` under a key, never holding it whole. Raises as `put` does."""
    if not rehearsing():
        place().put_part(key, path)


def get(key: str) -> bytes:
    """Raises FileNotFoundError when nothing rests under the key."""
    return place().get(key)


def reading(key: str) -> Iterator[bytes]:
    """The same piece by piece. Raises FileNotFoundError at once."""
    return place().reading(key)


def delete(key: str) -> None:
    if rehearsing():
        return
    here = place()
    if isinstance(here, Bucket) and connection.in_atomic_block:
        transaction.on_commit(partial(here.delete, key))
    else:
        here.delete(key)


def _pass_on(bucket: Bucket, key: str) -> None:
    try:
        bucket.take(key)
    except (FilesAway, FileNotFoundError) as problem:
        logger.warning("A file waits for the bucket: %s", problem)  # and is found where it is


def place() -> Place:
    """Where files are put."""
    return bucket() if settings.S3["BUCKET"] else home()


@functools.cache
def bucket() -> Bucket:
    return Bucket(settings.S3["BUCKET"], home)


def home() -> Place:
    """Where files rest that are not elsewhere."""
    if not is_sqlite():
        return Tables()
    return Folder(Path(settings.DATA) / "files")


def keep(prefix: str, known: Known) -> None:
    """Have `sweep` ask `known(keys)` which of the keys that begin so are still wanted. What begins otherwise stays."""
    _keepers[prefix] = known


def sweep() -> int:
    """Housekeeping: remove what a killed process or a full disk has left behind; the number of files. Nothing that is
    being written is touched."""
    swept = sum(_sweep(prefix, known) for prefix, known in _keepers.items())
    here = home()
    if settings.S3["BUCKET"]:
        resting = list(islice(here.keys(rested=RESTED), MOST_PASSED_ON))
        run_rows("storage.move_files_to_bucket", resting, partial(_pass_on, bucket()))
    # keys and files on their way to or from the bucket are written there
    swept += partial_files.remove_old(Path(settings.DATA).glob(f"*{partial_files.SUFFIX}"), RESTED)
    return swept + (here.sweep() if isinstance(here, Folder) else 0)


def _sweep(prefix: str, known: Known) -> int:
    found, all_keys = 0, place().keys(prefix, rested=LEFT_FILE)
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
    return run_rows(f"storage.delete_leftover_files {prefix}", left, _delete_left)


def _delete_left(key: str) -> bool:
    delete(key)
    return True
