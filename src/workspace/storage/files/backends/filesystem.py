"""Files in a local folder, in subfolders by the last characters of their keys."""

from __future__ import annotations

import fcntl
import os
import secrets
import shutil
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

from django.core.files import File
from django.core.files.storage import FileSystemStorage

from workspace.storage.files import backends, partial_files
from workspace.storage.files.backends import KEY_PATTERN, KeyStorage, check_key


class LocalFileStorage(KeyStorage, FileSystemStorage):
    """Files in a local folder, which is `MEDIA_ROOT` if no `location` is given.

    When a file is saved, it is complete and on the disk. `held_folder` exists while a backup is made. Files deleted
    during the backup, which may already list them, are moved there and deleted when it is done.
    """

    @property
    def folder(self) -> Path:
        """The folder of all files."""
        return Path(self.location)

    @property
    def held_folder(self) -> Path:
        return self.folder.with_name(f"{self.folder.name}-held")

    def path(self, name: str) -> str:
        return str(self.path_for(name))

    def path_for(self, key: str) -> Path:
        """Return the path of a file. Raise ValueError if the key could refer to another folder."""
        check_key(key)
        return self.folder / key[-2:] / key

    def _save(self, name: str, content: File[bytes]) -> str:
        path = self.path_for(name)
        path.parent.mkdir(parents=True, exist_ok=True)
        if hasattr(content, "temporary_file_path"):
            source = Path(content.temporary_file_path())
            with source.open("rb") as file:
                os.fsync(file.fileno())
            source.replace(path)
            return name
        # written completely under another name first, so that a reader never gets a partial file
        part = path.with_suffix(f".{secrets.token_hex(4)}{partial_files.SUFFIX}")
        with partial_files.open_partial(part) as file:
            for chunk in content.chunks():
                file.write(chunk)
            file.flush()
            os.fsync(file.fileno())
            part.replace(path)
        return name

    def read_chunks(self, key: str) -> Iterator[bytes]:
        path = self.path_for(key)
        path.stat()
        return _iterate_chunks(path)  # opened for the first chunk, because some files are never read

    def delete(self, name: str) -> None:
        """Delete a file or, during a backup, hold the deleted file."""
        path = self.path_for(name)
        if self.held_folder.exists():
            with suppress(FileNotFoundError):
                path.replace(self.held_folder / name)
        path.unlink(missing_ok=True)

    def list_keys(self, prefix: str = "") -> Iterator[str]:
        for path in self.folder.glob(f"*/{prefix}*"):
            if KEY_PATTERN.fullmatch(path.name):
                yield path.name

    @contextmanager
    def hold_deletions(self) -> Iterator[None]:
        """Hold files that are deleted inside the context.

        Raise BlockingIOError if another process is doing the same.
        """
        with self._exclusive_lock():
            self.held_folder.mkdir(exist_ok=True)
            try:
                yield
            finally:
                shutil.rmtree(self.held_folder)

    def list_files(self) -> Iterator[Path]:
        """Yield all stored files, then all files that were deleted while deletions are held.

        A file may appear twice, and a stored file may be deleted before it is opened.
        """
        yield from (self.path_for(key) for key in self.list_keys())
        yield from self.held_folder.iterdir()

    def purge_leftovers(self) -> int:
        """Remove the leftovers of processes that were killed during a write or a backup.

        Return how many were removed.
        """
        gone = partial_files.remove_abandoned(self.folder.rglob(f"*{partial_files.SUFFIX}"))
        if self.held_folder.exists():
            with suppress(BlockingIOError), self._exclusive_lock():
                gone += len(list(self.held_folder.iterdir()))
                shutil.rmtree(self.held_folder)
        return gone

    @contextmanager
    def _exclusive_lock(self) -> Iterator[None]:
        with self.held_folder.with_suffix(".lock").open("w") as lock:
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
            yield


def _iterate_chunks(path: Path) -> Iterator[bytes]:
    with path.open("rb") as file:
        while chunk := file.read(backends.CHUNK_BYTES):
            yield chunk
