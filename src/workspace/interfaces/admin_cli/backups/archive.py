"""The backup of an instance as a tar file.

Its last member lists the SHA-256 of all others. A truncated or changed archive is rejected.
"""

from __future__ import annotations

import hashlib
import io
import json
import os
import re
import shutil
import tarfile
import time
import zlib
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, BinaryIO, cast

import click

FORMAT_VERSION = 1
ABOUT_FILE, CHECKSUMS_FILE, FILES_FOLDER = "about.json", "sha256.json", "files/"
SQLITE_FILE, POSTGRESQL_FILE = "workspace.sqlite3", "postgresql.dump"
_KNOWN_MEMBERS = re.compile(
    rf"{re.escape(ABOUT_FILE)}|README\.txt|{re.escape(SQLITE_FILE)}|{re.escape(POSTGRESQL_FILE)}|secret-key|encryption-keys|files/[A-Za-z0-9_-]{{1,120}}"
)
_READ_ERRORS = (tarfile.TarError, EOFError, zlib.error, ValueError, KeyError)


class ArchiveError(click.ClickException):
    pass


class ArchiveWriter:
    """A writer that hashes members as they are written.

    Once the manifest is written, `digest` is its SHA-256.
    """

    def __init__(self, tar: tarfile.TarFile) -> None:
        self._tar, self._checksums, self.digest = tar, dict[str, str](), ""

    def __contains__(self, name: str) -> bool:
        return name in self._checksums

    def add_text(self, name: str, text: str) -> None:
        self.add_chunks(name, len(text.encode()), [text.encode()])

    def add_file(self, name: str, path: Path) -> None:
        """Add a file. Raise FileNotFoundError, without writing anything, if it does not exist."""
        with path.open("rb") as file:
            self._add_member(name, os.fstat(file.fileno()).st_size, _HashingReader(file))

    def add_chunks(self, name: str, size: int, content: Iterable[bytes]) -> None:
        self._add_member(name, size, _HashingReader(_ChunkReader(iter(content))))

    def finish(self) -> None:
        sums = json.dumps(self._checksums, indent=0).encode()
        self.digest = hashlib.sha256(sums).hexdigest()
        self._tar.addfile(_member_info(CHECKSUMS_FILE, len(sums)), io.BytesIO(sums))

    def _add_member(self, name: str, size: int, content: _HashingReader) -> None:
        self._tar.addfile(_member_info(name, size), cast(BinaryIO, content))  # addfile only reads from it
        self._checksums[name] = content.hash.hexdigest()


@contextmanager
def open_writer(path: Path) -> Iterator[ArchiveWriter]:
    """Open an archive for writing.

    It appears under its name only when it is complete, and is compressed if the name ends in `.gz`.
    """
    part = path.with_name(f".{path.name}.part")
    try:
        with part.open("wb") as file:
            with tarfile.open(fileobj=file, mode="w|gz" if path.suffix in (".gz", ".tgz") else "w|") as tar:
                writer = ArchiveWriter(tar)
                yield writer
                writer.finish()
            file.flush()
            os.fsync(file.fileno())
        part.rename(path)
    finally:
        part.unlink(missing_ok=True)


def extract_archive(path: Path, folder: Path, sha256: str = "") -> dict[str, Any]:
    """Extract the members into the folder.

    Return the archive's description. Raise ArchiveError if the archive is invalid, or OSError if it cannot be read.

    `sha256` is the manifest's hash, if known. Without it, a manipulated backup with matching checksums is not detected.
    """
    sums: dict[str, str] = {}
    checksums: dict[str, str] | None = None
    digest = ""
    try:
        with tarfile.open(path, "r|*") as tar:
            for member in tar:
                content = tar.extractfile(member) if member.isfile() else None
                if content is None or checksums is not None or member.name in sums:
                    raise ValueError(member.name)
                if member.name == CHECKSUMS_FILE:
                    manifest = content.read()
                    checksums, digest = json.loads(manifest), hashlib.sha256(manifest).hexdigest()
                    continue
                if not _KNOWN_MEMBERS.fullmatch(member.name):
                    raise ValueError(member.name)
                sums[member.name] = _write_member(content, member.size, folder / member.name)
        if sums != checksums:
            raise ValueError("sums")
        if sha256 and sha256.strip().lower() != digest:
            raise ArchiveError(f"The SHA-256 of {path} differs from the one in its manifest, {digest}")
        about: dict[str, Any] = json.loads((folder / ABOUT_FILE).read_text())
    except _READ_ERRORS:
        raise ArchiveError(
            f"{path} is not a complete backup. It may be truncated, modified or a different type of file"
        ) from None
    if about["format"] > FORMAT_VERSION:
        raise ArchiveError(f"{path} was created by a later version of Workspace Tools. Install that version first")
    return about


def _write_member(content: Any, size: int, path: Path) -> str:
    path.parent.mkdir(exist_ok=True)
    hashed = _HashingReader(content)
    with path.open("xb") as file:
        shutil.copyfileobj(hashed, file, 1024 * 1024)
        if file.tell() != size:
            raise EOFError
        file.flush()
        os.fsync(file.fileno())
    return hashed.hash.hexdigest()


def _member_info(name: str, size: int) -> tarfile.TarInfo:
    found = tarfile.TarInfo(name)
    found.size, found.mode, found.mtime = size, 0o600, int(time.time())
    return found


class _HashingReader:
    def __init__(self, source: BinaryIO | Any) -> None:
        self._source, self.hash = source, hashlib.sha256()

    def read(self, size: int = -1) -> bytes:
        content: bytes = self._source.read(size)
        self.hash.update(content)
        return content


class _ChunkReader:
    """A file-like object that reads from an iterator of chunks."""

    def __init__(self, pieces: Iterator[bytes]) -> None:
        self._pieces, self._remainder = pieces, b""

    def read(self, size: int) -> bytes:
        while len(self._remainder) < size and (piece := next(self._pieces, None)) is not None:
            self._remainder += piece
        content, self._remainder = self._remainder[:size], self._remainder[size:]
        return content
