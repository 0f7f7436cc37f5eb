"""Files in a folder of this machine, spread over folders by their keys' last letters."""

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
from workspace.storage.files.backends import blocks

KEY = re.compile(r"^[A-Za-z0-9_-]{1,120}$")
RESTED = 600.0  # seconds after which nobody can still be writing a file


class Folder:
    """`held` beside it is there while a backup is made, which may name a file that is deleted meanwhile: that one is
    put there then, and goes when the backup is done."""

    def __init__(self, path: Path) -> None:
        self.path, self.held = path, path.with_name(f"{path.name}-held")

    def put(self, key: str, content: bytes) -> None:
        path = self.at(key)
        # written whole under another name first: a reader never meets half a file
        part = path.with_suffix(f".{secrets.token_hex(4)}{partial_files.SUFFIX}")
        path.parent.mkdir(parents=True, exist_ok=True)
        with partial_files.writing(part) as file:
            file.write(content)
            file.flush()
            os.fsync(file.fileno())
            part.replace(path)

    def put_part(self, key: str, path: Path) -> None:
        to = self.at(key)
        to.parent.mkdir(parents=True, exist_ok=True)
        with path.open("rb") as file:
            os.fsync(file.fileno())
        path.replace(to)

    def get(self, key: str) -> bytes:
        return self.at(key).read_bytes()

    def reading(self, key: str) -> Iterator[bytes]:
        path = self.at(key)
        path.stat()
        return blocks(path)

    def delete(self, key: str) -> None:
        path = self.at(key)
        if self.held.exists():
            with suppress(FileNotFoundError):
                path.replace(self.held / key)
        path.unlink(missing_ok=True)

    def keys(self, prefix: str = "", *, rested: float = 0.0) -> Iterator[str]:
        before = time.time() - rested
        for path in self.path.glob(f"*/{prefix}*"):
            if KEY.match(path.name) and (not rested or _touched(path) < before):
                yield path.name

    @contextmanager
    def holding(self) -> Iterator[None]:
        """Lose nothing to a deletion meanwhile. Raises BlockingIOError where somebody else does."""
        with self._alone():
            self.held.mkdir(exist_ok=True)
            try:
                yield
            finally:
                shutil.rmtree(self.held)

    def everything(self) -> Iterator[Path]:
        """While holding: each file that rests, and then each that was deleted meanwhile. One may be there twice, and
        one of the first may go before it is opened."""
        yield from (self.at(key) for key in self.keys())
        yield from self.held.iterdir()

    def sweep(self) -> int:
        """Remove what was left by those who were killed while they wrote a part or held deletions back; how many."""
        gone = partial_files.remove_left(self.path.rglob(f"*{partial_files.SUFFIX}"))
        if self.held.exists():
            with suppress(BlockingIOError), self._alone():
                gone += len(list(self.held.iterdir()))
                shutil.rmtree(self.held)
        return gone

    def at(self, key: str) -> Path:
        if not KEY.match(key):
            raise ValueError(f"{key!r} is no key")
        return self.path / key[-2:] / key

    @contextmanager
    def _alone(self) -> Iterator[None]:
        with self.held.with_suffix(".lock").open("w") as lock:
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
            yield


def _touched(path: Path) -> float:
    try:
        return path.stat().st_mtime
    except FileNotFoundError:
        return time.time()
