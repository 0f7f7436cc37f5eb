"""Where files rest: in the data folder beside SQLite, in the database with PostgreSQL, or in a bucket elsewhere."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Protocol

CHUNK_BYTES = 1024 * 1024  # bytes that are held at once of what is large


class FileBackend(Protocol):
    """Keys are well formed.

    `put` and `put_part` leave all of a file or nothing; they raise OSError or a DatabaseError where there is no room,
    or nobody answers."""

    def put(self, key: str, content: bytes) -> None: ...

    def put_part(self, key: str, path: Path) -> None:
        """`path` may be gone afterwards."""

    def get(self, key: str) -> bytes:
        """Raises FileNotFoundError."""

    def read_chunks(self, key: str) -> Iterator[bytes]:
        """Raises FileNotFoundError at once."""

    def delete(self, key: str) -> None: ...

    def list_keys(self, prefix: str = "", *, rested: float = 0.0) -> Iterator[str]:
        """Those that begin so and have rested for so many seconds, as far as the place can tell."""


def iterate_chunks(path: Path) -> Iterator[bytes]:
    with path.open("rb") as file:
        while block := file.read(CHUNK_BYTES):
            yield block
