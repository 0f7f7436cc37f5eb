"""Streaming many stored files as one ZIP without holding it in memory or on disk."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from datetime import datetime
from zipfile import ZIP_DEFLATED, ZipFile, ZipInfo

from workspace.storage.files import store

MIN_YEAR = 1980  # the minimum in a ZIP


@dataclass(frozen=True, slots=True)
class ZipMember:
    """A file of `storage.files` with the key `key`, its `name` in the ZIP, and its local time."""

    name: str
    key: str
    at: datetime


def stream_zip(entries: Iterable[ZipMember]) -> Iterator[bytes]:
    """Yield a ZIP of the files. It is not compressed, because photos and PDFs already are.

    Missing files are left out.
    """
    out = _ZipBuffer()
    with ZipFile(out, "w") as pack:
        for one in entries:
            moment = (max(one.at.year, MIN_YEAR), one.at.month, one.at.day, one.at.hour, one.at.minute, one.at.second)
            try:
                pieces = store.read_chunks(one.key)
            except FileNotFoundError:
                continue
            info = ZipInfo(one.name, moment)
            info.compress_type, info._compresslevel = ZIP_DEFLATED, 0  # type: ignore[attr-defined]
            with pack.open(info, "w") as entry:
                for piece in pieces:
                    entry.write(piece)
                    yield out.pop()
    yield out.pop()


def unique_name(name: str, used_names: set[str]) -> str:
    """Return the name, with a number added if it is already taken, ignoring case."""
    stem, dot, ending = name.rpartition(".")
    found, number = name, 1
    while found.casefold() in used_names:
        number += 1
        found = f"{stem} ({number}){dot}{ending}" if stem else f"{name} ({number})"
    used_names.add(found.casefold())
    return found


class _ZipBuffer:
    """A write buffer for a ZIP that is emptied while the ZIP is written."""

    def __init__(self) -> None:
        self._parts: list[bytes] = []

    def write(self, part: bytes) -> int:
        self._parts.append(bytes(part))
        return len(part)

    def flush(self) -> None: ...

    def close(self) -> None: ...

    def pop(self) -> bytes:
        found = b"".join(self._parts)
        self._parts.clear()
        return found
