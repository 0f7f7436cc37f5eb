"""Files that are being written. Each is locked by its writer, so an unlocked one was left by a killed process."""

from __future__ import annotations

import fcntl
import os
import time
from collections.abc import Iterable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import BinaryIO

SUFFIX = ".part"


@contextmanager
def open_partial(path: Path, mode: int = 0o666) -> Iterator[BinaryIO]:
    """Open a new partial file and lock it.

    The caller moves it when it is complete. Otherwise, it is removed.
    """
    file = _open_locked(path, mode)
    try:
        yield file
    finally:
        with suppress(OSError):
            path.unlink(missing_ok=True)
        file.close()


def _open_locked(path: Path, mode: int) -> BinaryIO:
    while True:
        file = os.fdopen(os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, mode), "wb")
        fcntl.flock(file, fcntl.LOCK_EX)
        with suppress(FileNotFoundError):
            if path.stat().st_ino == os.fstat(file.fileno()).st_ino:
                return file
        file.close()  # `remove_abandoned` removed it before it was locked


def remove_abandoned(paths: Iterable[Path]) -> int:
    """Remove partial files that no one is writing. Return how many were removed."""
    return sum(map(_remove_if_abandoned, paths))


def remove_old(paths: Iterable[Path], seconds: float) -> int:
    """Remove unlocked partial files that have not changed for some seconds. Return how many were removed."""
    before, gone = time.time() - seconds, 0
    for path in paths:
        with suppress(FileNotFoundError):
            if path.stat().st_mtime < before:
                path.unlink()
                gone += 1
    return gone


def _remove_if_abandoned(path: Path) -> bool:
    with suppress(FileNotFoundError), path.open("rb") as file:
        try:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            return False
        path.unlink()
        return True
    return False
