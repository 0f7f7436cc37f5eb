"""Files in a Django storage on another machine, in addition to the local one.

A file that is missing there is looked up in the local storage, where it may wait to be moved. The storage needs no
`path`, and must not give a second file a name that is taken.
"""

from __future__ import annotations

import logging
import tempfile
import time
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from typing import Any

from django.core.files import File
from django.core.files.base import ContentFile
from django.core.files.storage import Storage

from workspace.lib import clock
from workspace.storage.database.errors import FileStoreUnreachableError
from workspace.storage.files import backends
from workspace.storage.files.backends import ChunkReader, KeyStorage
from workspace.storage.files.backends.s3 import BucketStorage
from workspace.storage.files.outage_guard import OutageGuard

logger = logging.getLogger(__name__)

MAX_CLOCK_DIFFERENCE_SECONDS = 600.0  # between this machine and the storage


class RemoteFiles:
    """Files in `storage`. Files that it does not have yet are in `local`.

    Methods raise FileStoreUnreachableError if the storage does not respond.
    """

    def __init__(self, storage: Storage, local: KeyStorage) -> None:
        self.storage, self._local = storage, local
        self.guard = OutageGuard()

    @property
    def title(self) -> str:
        """The storage's name as shown to administrators, such as "the bucket"."""
        return "the bucket" if isinstance(self.storage, BucketStorage) else type(self.storage).__name__

    @property
    def setting(self) -> str:
        """The setting that defines the storage."""
        return "WORKSPACE_S3_BUCKET" if isinstance(self.storage, BucketStorage) else "WORKSPACE_FILE_STORAGE"

    def put(self, key: str, content: bytes) -> None:
        """Store a file under a key, replacing the previous one."""
        self._save(key, ContentFile(content))
        self._local.delete(key)  # an earlier version that was not moved yet

    def put_part(self, key: str, path: Path) -> None:
        """Store a copy of the file at a path, without reading it into memory."""
        with path.open("rb") as file:
            self._save(key, File(file, key))
        self._local.delete(key)

    def read_chunks(self, key: str) -> Iterator[bytes]:
        """Return the content of a file in chunks.

        If the file is missing, raise FileNotFoundError before the first chunk.
        """
        try:
            return self.read_remote_chunks(key)
        except FileNotFoundError:
            return self._local.read_chunks(key)

    def read_remote_chunks(self, key: str) -> Iterator[bytes]:
        """Return the content of a file in the storage itself. Raise FileNotFoundError if it is missing."""
        with self.guard.guard_request():
            file = self.storage.open(key)

        def read_guarded(size: int) -> bytes:
            with self.guard.guard_request():
                content: bytes = file.read(size)
                return content

        return ChunkReader(file, read_guarded)

    def get_size(self, key: str) -> int | None:
        """Return the size of a file in the storage, or None if it is not there."""
        with self.guard.guard_request():
            try:
                return self.storage.size(key) if self.storage.exists(key) else None
            except FileNotFoundError:
                return None

    def is_older(self, key: str, seconds: float) -> bool:
        """Return whether a file was written more than some seconds ago."""
        with self.guard.guard_request():
            return self.storage.get_modified_time(key).timestamp() < time.time() - seconds

    def delete(self, key: str) -> None:
        """Delete a file. If the storage cannot be reached, the file is orphaned and deleted later."""
        self._local.delete(key)
        try:
            self._delete_remote(key)
        except FileStoreUnreachableError as away:
            logger.warning("A file will be deleted later: %s", away)

    def move_here(self, key: str) -> int:
        """Move a file from the local storage here. Return its size.

        If FileStoreUnreachableError or FileNotFoundError is raised, the file is still in the local storage.
        """
        with tempfile.NamedTemporaryFile(suffix=".part") as file:
            for chunk in self._local.read_chunks(key):
                file.write(chunk)
            size = file.tell()
            file.flush()
            if self.get_size(key) != size:  # otherwise it was already moved
                self.upload_file(key, Path(file.name))
        self._local.delete(key)
        return size

    def upload_file(self, key: str, path: Path) -> None:
        """Store a file that is missing or incomplete in the storage itself. If that fails, leave no partial file."""
        try:
            with path.open("rb") as file:
                self._save(key, File(file, key))
            if self.get_size(key) != path.stat().st_size:
                raise FileStoreUnreachableError(f"{key} arrived incomplete")
        except BaseException:
            with suppress(OSError):
                self._delete_remote(key)
            raise

    def list_keys(self, prefix: str = "") -> Iterator[str]:
        """Yield the keys with a prefix that are in the storage itself."""
        with self.guard.guard_request():
            keys = backends.list_keys(self.storage, prefix)
        while True:
            with self.guard.guard_request():  # a page of keys
                key = next(keys, None)
            if key is None:
                return
            yield key

    def probe(self) -> None:
        """Check that the storage can store, return, list and delete a file.

        Raise FileStoreUnreachableError if it cannot.
        """
        key = f"check_{clock.now():%Y%m%d%H%M%S%f}"
        self.put(key, b"probe")
        try:
            self._check_file(key, b"probe")
        except FileNotFoundError:
            raise FileStoreUnreachableError("it does not return what was stored") from None
        except NotImplementedError as missing:
            raise FileStoreUnreachableError(f"its class is incomplete: {missing}") from None
        finally:
            self._delete_remote(key)

    def _check_file(self, key: str, content: bytes) -> None:
        if b"".join(self.read_remote_chunks(key)) != content:
            raise FileStoreUnreachableError("it returns other content than was stored")
        if self.get_size(key) != len(content) or key not in self.list_keys(key):
            raise FileStoreUnreachableError("it does not list what was stored")
        if self.is_older(key, MAX_CLOCK_DIFFERENCE_SECONDS) or not self.is_older(key, -MAX_CLOCK_DIFFERENCE_SECONDS):
            raise FileStoreUnreachableError("its clock is wrong, or it does not report when a file was written")

    def _save(self, key: str, content: File[Any]) -> None:
        with self.guard.guard_request():
            name = self.storage.save(key, content)
            if name == key:
                return
            # Django's storages give another name to a file whose name is taken
            self._discard(key)
            content.seek(0)
            found = self.storage.save(key, content)
            self._discard(name)
            if found != key:
                self._discard(found)
                raise FileStoreUnreachableError(f"{key} is stored as {found}")

    def _delete_remote(self, key: str) -> None:
        with self.guard.guard_request():
            self._discard(key)

    def _discard(self, name: str) -> None:
        with suppress(FileNotFoundError):  # some storages raise it for a file that is already deleted
            self.storage.delete(name)
