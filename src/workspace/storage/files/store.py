"""Where uploaded bytes rest: one interface, in the data folder beside SQLite, in the database with PostgreSQL, or in a
bucket where one is set. What may be large is written into a file (`open_part`, `put_part`) and read piece by piece
(`read_chunks`), so that nobody holds it whole.

Keys are made by this project (letters, digits, `-`, `_`), never taken from outside. Whoever puts files tells by
`register_prefix` which are still wanted: a process that is killed between a file and its row leaves one that nobody
knows, for `purge_orphans`.
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

from workspace.storage.database.errors import FileStoreUnreachableError
from workspace.storage.database.transactions import is_dry_run, is_sqlite
from workspace.storage.files import partial_files
from workspace.storage.files.backends import FileBackend
from workspace.storage.files.backends.database import DatabaseBackend
from workspace.storage.files.backends.filesystem import SETTLED_AFTER_SECONDS, FilesystemBackend
from workspace.storage.files.backends.s3 import S3Backend
from workspace.storage.row_tasks import run_rows

logger = logging.getLogger(__name__)

KnownKeys = Callable[[list[str]], Iterable[str]]
ORPHAN_AGE_SECONDS = 3600.0  # seconds after which the row of a file would have been committed
MAX_ORPHANS = 20  # files without a row, or half of all
MAX_MOVED_FILES = 200  # files that came to rest beside the bucket, in one go
_BATCH_SIZE = 500
_known_by_prefix: dict[str, KnownKeys] = {}


def put(key: str, content: bytes) -> None:
    """Keep the bytes under a key; a rehearsal keeps none.

    Raises OSError, or a DatabaseError, when there is no room for them; then there is nothing of them. Within a
    transaction nobody waits for a bucket: it gets them afterwards."""
    if is_dry_run():
        return
    here = current_backend()
    if isinstance(here, S3Backend) and connection.in_atomic_block:
        local_backend().put(key, content)
        transaction.on_commit(partial(_move_to_bucket, here, key))
    else:
        here.put(key, content)


@contextmanager
def open_part() -> Iterator[Path]:
    """An empty file to write into, gone afterwards where `put_part` has not taken it; on the disk of the others, where
    they rest on one."""
    here = current_backend()
    if isinstance(here, FilesystemBackend):
        here.path.mkdir(parents=True, exist_ok=True)
    folder = here.path if isinstance(here, FilesystemBackend) else Path(tempfile.gettempdir())
    path = folder / f"{secrets.token_hex(8)}{partial_files.SUFFIX}"
    with partial_files.open_partial(path, 0o600):
        yield path


def put_part(key: str, path: Path) -> None:
    """Keep what was written into a `open_part` under a key, never holding it whole. Raises as `put` does."""
    if not is_dry_run():
        current_backend().put_part(key, path)


def get(key: str) -> bytes:
    """Raises FileNotFoundError when nothing rests under the key."""
    return current_backend().get(key)


def read_chunks(key: str) -> Iterator[bytes]:
    """The same piece by piece. Raises FileNotFoundError at once."""
    return current_backend().read_chunks(key)


def delete(key: str) -> None:
    if is_dry_run():
        return
    here = current_backend()
    if isinstance(here, S3Backend) and connection.in_atomic_block:
        transaction.on_commit(partial(here.delete, key))
    else:
        here.delete(key)


def _move_to_bucket(bucket: S3Backend, key: str) -> None:
    try:
        bucket.move_here(key)
    except (FileStoreUnreachableError, FileNotFoundError) as problem:
        logger.warning("A file waits for the bucket: %s", problem)  # and is found where it is


def current_backend() -> FileBackend:
    """Where files are put."""
    return s3_backend() if settings.S3["BUCKET"] else local_backend()


@functools.cache
def s3_backend() -> S3Backend:
    return S3Backend(settings.S3["BUCKET"], local_backend)


def local_backend() -> FileBackend:
    """Where files rest that are not elsewhere."""
    if not is_sqlite():
        return DatabaseBackend()
    return FilesystemBackend(Path(settings.DATA) / "files")


def register_prefix(prefix: str, known: KnownKeys) -> None:
    """Have `purge_orphans` ask `known(keys)` which of the keys that begin so are still wanted.

    What begins otherwise stays."""
    _known_by_prefix[prefix] = known


def purge_orphans() -> int:
    """Housekeeping: remove what a killed process or a full disk has left behind; the number of files.

    Nothing that is being written is touched."""
    swept = sum(_purge_prefix(prefix, known) for prefix, known in _known_by_prefix.items())
    here = local_backend()
    if settings.S3["BUCKET"]:
        resting = list(islice(here.list_keys(rested=SETTLED_AFTER_SECONDS), MAX_MOVED_FILES))
        run_rows("storage.move_files_to_bucket", resting, partial(_move_to_bucket, s3_backend()))
    # keys and files on their way to or from the bucket are written there
    swept += partial_files.remove_old(Path(settings.DATA).glob(f"*{partial_files.SUFFIX}"), SETTLED_AFTER_SECONDS)
    return swept + (here.purge_leftovers() if isinstance(here, FilesystemBackend) else 0)


def _purge_prefix(prefix: str, known: KnownKeys) -> int:
    found, all_keys = 0, current_backend().list_keys(prefix, rested=ORPHAN_AGE_SECONDS)
    left: list[str] = []
    while keys := list(islice(all_keys, _BATCH_SIZE)):
        found += len(keys)
        left += set(keys) - set(known(keys))
    if len(left) > max(MAX_ORPHANS, found // 2):
        # no crash leaves so many: rather an empty database was put beside the files of another
        logger.error(
            "%d of %d files %s… belong to nothing in this database, and are left alone", len(left), found, prefix
        )
        return 0
    return run_rows(f"storage.delete_leftover_files {prefix}", left, _delete_orphan)


def _delete_orphan(key: str) -> bool:
    delete(key)
    return True
