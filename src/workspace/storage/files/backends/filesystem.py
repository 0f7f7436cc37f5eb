"""Files in a local folder, in subfolders by the last characters of their keys."""

from __future__ import annotations

import fcntl
import os
import re
import secrets
import shutil
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

from workspace.storage.files import partial_files
from workspace.storage.files.backends import iterate_chunks

KEY_PATTERN = re.compile(r"^[A-Za-z0-9_-]{1,120}$")
SETTLED_AFTER_SECONDS = 600.0  # after which no process can still be writing a file


class FilesystemBackend:
    """Files in a local folder.

    `held_folder` exists while a backup is made. Files deleted during the backup, which may already list them, are
    moved there and deleted when it is done."""

    def __init__(self, path: Path) -> None:
        self.path, self.held_folder = path, path.with_name(f"{path.name}-held")

    def put(self, key: str, content: bytes) -> None:
        path = self.path_for(key)
        # written completely under another name first, so that a reader never gets a partial file
        part = path.with_suffix(f".{secrets.token_hex(4)}{partial_files.SUFFIX}")
        path.parent.mkdir(parents=True, exist_ok=True)
        with partial_files.open_partial(part) as file:
            file.write(content)
            file.flush()
            os.fsync(file.fileno())
            part.replace(path)

    def put_part(self, key: str, path: Path) -> None:
        to = self.path_for(key)
        to.parent.mkdir(parents=True, exist_ok=True)
        with path.open("rb") as file:
            os.fsync(file.fileno())
        path.replace(to)

    def get(self, key: str) -> bytes:
        return self.path_for(key).read_bytes()

    def read_chunks(self, key: str) -> Iterator[bytes]:
        path = self.path_for(key)
        path.stat()
        return iterate_chunks(path)

    def delete(self, key: str) -> None:
        path = self.path_for(key)
        if self.held_folder.exists():
            with suppress(FileNotFoundError):
                path.replace(self.held_folder / key)
        path.unlink(missing_ok=True)

    def list_keys(self, prefix: str = "", *, min_age_seconds: float = 0.0) -> Iterator[str]:
        before = time.time() - min_age_seconds
        for path in self.path.glob(f"*/{prefix}*"):
            if KEY_PATTERN.match(path.name) and (not min_age_seconds or _modified_at(path) < before):
                yield path.name

    @contextmanager
    def hold_deletions(self) -> Iterator[None]:
        """Keep files that are deleted during this context. Raise BlockingIOError if another process does the same."""
        with self._exclusive_lock():
            self.held_folder.mkdir(exist_ok=True)
            try:
                yield
            finally:
                shutil.rmtree(self.held_folder)

    def list_files(self) -> Iterator[Path]:
        """Yield each stored file, then each file that was deleted while deletions are held.

        A file may appear twice, and a stored file may be deleted before it is opened."""
        yield from (self.path_for(key) for key in self.list_keys())
        yield from self.held_folder.iterdir()

    def purge_leftovers(self) -> int:
        """Remove the leftovers of processes killed during a write or a backup, and return how many."""
        gone = partial_files.remove_abandoned(self.path.rglob(f"*{partial_files.SUFFIX}"))
        if self.held_folder.exists():
            with suppress(BlockingIOError), self._exclusive_lock():
                gone += len(list(self.held_folder.iterdir()))
                shutil.rmtree(self.held_folder)
        return gone

    def path_for(self, key: str) -> Path:
        if not KEY_PATTERN.match(key):
            raise ValueError(f"{key!r} is no key")
        return self.path / key[-2:] / key

    @contextmanager
    def _exclusive_lock(self) -> Iterator[None]:
        with self.held_folder.with_suffix(".lock").open("w") as lock:
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
            yield


def _modified_at(path: Path) -> float:
    try:
        return path.stat().st_mtime
    except FileNotFoundError:
        return time.time()
