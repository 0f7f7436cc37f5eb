"""A Django storage that behaves like one on another server, in a folder that several processes can use."""

from __future__ import annotations

import errno
import io
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from django.core.files import File
from django.core.files.storage import Storage

from workspace.storage.files.backends import PieceReader


class FakeRemoteStorage(Storage):
    """A storage whose files have no path. Its streams cannot seek, and no second file gets a taken name.

    With `is_away` it does not answer, and with `is_full` it stores nothing.
    """

    def __init__(self, folder: str) -> None:
        self._folder = Path(folder)
        self._folder.mkdir(exist_ok=True)
        self.is_away = self.is_full = False

    def _find_path(self, name: str) -> Path:
        if self.is_away:
            raise RuntimeError("the client of this service has errors of its own")
        return self._folder / name

    def _open(self, name: str, mode: str = "rb") -> File[bytes]:
        stream: Any = io.BufferedReader(PieceReader(iter([self._find_path(name).read_bytes()])))
        return File(stream, name)

    def _save(self, name: str, content: File[bytes]) -> str:
        path = self._find_path(name)
        if self.is_full:
            raise OSError(errno.ENOSPC, "No space left on device")
        path.write_bytes(b"".join(content.chunks()))
        return name

    def delete(self, name: str) -> None:
        self._find_path(name).unlink()

    def exists(self, name: str) -> bool:
        return self._find_path(name).exists()

    def listdir(self, path: str) -> tuple[list[str], list[str]]:
        return [], sorted(one.name for one in self._find_path(path).iterdir())

    def size(self, name: str) -> int:
        return self._find_path(name).stat().st_size

    def get_modified_time(self, name: str) -> datetime:
        return datetime.fromtimestamp(self._find_path(name).stat().st_mtime, UTC)
