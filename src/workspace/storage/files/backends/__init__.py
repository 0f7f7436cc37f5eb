"""Django storages for files by key: the data folder with SQLite, the database with PostgreSQL, or an S3 bucket.

Another storage needs `open`, `save`, `delete`, `exists`, `size`, `listdir` and `get_modified_time`, but no `path`.
"""

from __future__ import annotations

import io
import re
from collections.abc import Callable, Iterator
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING, ClassVar

from django.core.files import File
from django.core.files.storage import Storage

if TYPE_CHECKING:
    from _typeshed import WriteableBuffer

    _File = File[bytes]
else:
    _File = File

CHUNK_BYTES = 1024 * 1024  # bytes of a large file that are in memory at a time
KEY_PATTERN = re.compile(r"[A-Za-z0-9_-]{1,120}")


class KeyStorage(Storage):
    """A storage of this project.

    The name of a file is its key, and a saved file atomically replaces the previous one.
    """

    is_transactional: ClassVar = False  # whether files are written and deleted with the database transaction

    def get_available_name(self, name: str, max_length: int | None = None) -> str:
        """Return the key itself, because a saved file replaces the previous one.

        Raise ValueError if it is not a key.
        """
        check_key(name)
        return name

    def read_chunks(self, key: str) -> Iterator[bytes]:
        """Return the content of a file in chunks.

        If the file is missing, raise FileNotFoundError before the first chunk.
        """
        return ChunkReader(self.open(key))

    def list_keys(self, prefix: str = "") -> Iterator[str]:
        """Yield the keys with a prefix."""
        raise NotImplementedError

    def listdir(self, path: str) -> tuple[list[str], list[str]]:
        """Return an empty list of folders, and all keys."""
        return [], list(self.list_keys())


class MovableFile(_File):
    """A file at a path, which a storage on the same disk can move and need not copy."""

    def __init__(self, path: Path) -> None:
        """Open the file at a path."""
        super().__init__(path.open("rb"))
        self._path = path

    def temporary_file_path(self) -> str:
        """Return the path of the file, so that a storage can move it."""
        return str(self._path)


class ChunkReader(Iterator[bytes]):
    """The content of an open file in chunks. The file is closed at its end, or when the reader is no longer used."""

    def __init__(self, file: File[bytes], read: Callable[[int], bytes] | None = None) -> None:
        """Read an open file. If `read` is given, call it with a number of bytes."""
        self._file: File[bytes] | None = file
        self._read = read or file.read

    def __next__(self) -> bytes:
        """Return the next chunk, and close the file after the last one."""
        if self._file is not None and (chunk := self._read(CHUNK_BYTES)):
            return chunk
        self.close()
        raise StopIteration

    def close(self) -> None:
        """Close the file. After that, there are no more chunks."""
        file, self._file = self._file, None
        if file is not None:
            file.close()

    def __del__(self) -> None:
        """Close a file that was not read to its end."""
        with suppress(Exception):  # of a lost connection
            self.close()


class PieceReader(io.RawIOBase):
    """A readable stream of pieces."""

    def __init__(self, pieces: Iterator[bytes]) -> None:
        """Read pieces of any size, which are fetched when they are needed."""
        self._pieces, self._rest = pieces, memoryview(b"")

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: WriteableBuffer, /) -> int:
        """Fill the buffer with the rest of a piece. Return the number of bytes, or 0 at the end."""
        while not self._rest:
            piece = next(self._pieces, None)
            if piece is None:
                return 0
            self._rest = memoryview(piece)
        target = memoryview(buffer).cast("B")
        size = min(len(target), len(self._rest))
        target[:size], self._rest = self._rest[:size], self._rest[size:]
        return size


def check_key(key: str) -> None:
    """Raise ValueError if the text cannot be a key. Keys contain no folder separators."""
    if not KEY_PATTERN.fullmatch(key):
        raise ValueError(f"{key!r} is not a key")


def list_keys(storage: Storage, prefix: str = "") -> Iterator[str]:
    """Yield the keys with a prefix. Other files in the storage are omitted."""
    if isinstance(storage, KeyStorage):
        yield from storage.list_keys(prefix)
        return
    try:
        names = storage.listdir("")[1]
    except FileNotFoundError:  # the folder of Django's FileSystemStorage does not exist before its first file
        return
    yield from (name for name in names if name.startswith(prefix) and KEY_PATTERN.fullmatch(name))
