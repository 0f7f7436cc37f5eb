"""Storage backends for files: the data folder with SQLite, the database with PostgreSQL, or an S3 bucket."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Protocol

CHUNK_BYTES = 1024 * 1024  # bytes of a large file in memory at a time


class FileBackend(Protocol):
    """A storage backend. Keys must be valid.

    `put` and `put_part` are atomic. They raise OSError or a DatabaseError if there is no space or no response."""

    def put(self, key: str, content: bytes) -> None: ...

    def put_part(self, key: str, path: Path) -> None:
        """Store a file from a path, which may be moved."""

    def get(self, key: str) -> bytes:
        """Return the content of a file. Raise FileNotFoundError."""

    def read_chunks(self, key: str) -> Iterator[bytes]:
        """Return the content of a file in chunks. Raise FileNotFoundError before the first chunk."""

    def delete(self, key: str) -> None: ...

    def list_keys(self, prefix: str = "", *, min_age_seconds: float = 0.0) -> Iterator[str]:
        """Yield keys with a prefix that are older than `min_age_seconds`, if the backend stores the time."""


def iterate_chunks(path: Path) -> Iterator[bytes]:
    with path.open("rb") as file:
        while block := file.read(CHUNK_BYTES):
            yield block
