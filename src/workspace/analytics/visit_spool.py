"""Visits that were answered before they were written to the database.

Each visit is synced to a file before the guest gets a response, so that none is lost if the process is killed or the
power fails. The next process writes them to the database.

A spool has one file, `visits/NAME.spool` in the data folder, which its process keeps locked. The file is empty whenever
the database has all visits. The database also stores the number of the last visit from the file, so that nothing is
counted twice.
"""

from __future__ import annotations

import fcntl
import json
import logging
import os
import threading
from collections.abc import Iterator
from dataclasses import asdict
from datetime import datetime
from pathlib import Path

from django.conf import settings

from workspace.analytics.ingest import IncomingVisit, write_visits
from workspace.analytics.visitor import Visitor
from workspace.lib.ids import new_id
from workspace.storage.database.transactions import write_transaction
from workspace.storage.models import InstanceFact

logger = logging.getLogger(__name__)

SUFFIX = ".spool"


class VisitSpool:
    """The spool of a process. Visits have increasing numbers and reach the database in that order."""

    def __init__(self) -> None:
        self.name = new_id("vis")
        self._guard = threading.Lock()  # guards the following attributes
        self._lines: dict[int, str] = {}  # not in the file yet
        self._last = self._through = 0
        self._disk = threading.Lock()  # guards the file
        self._file: int | None = None

    @property
    def is_empty(self) -> bool:
        return self._last <= self._through

    def add(self, number: int, arrival: IncomingVisit) -> None:
        """Store a visit in the file, unless the database already has it.

        Concurrent calls share one sync. Raise OSError if the file cannot be written.
        """
        line = _format_line(number, arrival)
        with self._guard:
            if number <= self._through:
                return
            self._lines[number], self._last = line, max(self._last, number)
        with self._disk:
            with self._guard:
                lines = [line for one, line in self._lines.items() if one > self._through]
                written = set(self._lines)
            if lines:
                self._write("".join(lines).encode())
            with self._guard:
                self._lines = {one: line for one, line in self._lines.items() if one not in written}

    def mark_written(self, through: int) -> None:
        """Record that the database has all visits up to this number. If the file has no later ones, empty it."""
        with self._guard:
            was_empty, self._through = self.is_empty, max(self._through, through)
            if was_empty or not self.is_empty:
                return
        with self._disk:
            if self._file is not None and self.is_empty:
                os.ftruncate(self._file, 0)

    def close(self) -> None:
        """Close the spool after the last call of `add`. If the file is not empty, it is left for the next process."""
        with self._disk:
            if self._file is None:
                return
            if self.is_empty:
                _spool_path(self.name).unlink(missing_ok=True)
                InstanceFact.delete_value(self.name)
            os.close(self._file)
            self._file = None

    def _write(self, content: bytes) -> None:
        if self._file is None:
            self._file = _create_file(_spool_path(self.name))
        while content:
            content = content[os.write(self._file, content) :]
        os.fsync(self._file)


def write_leftover_visits(limit: int) -> None:
    """Write visits that earlier processes responded to but could not write, at most `limit` per transaction."""
    for one in open_leftover_spools():
        found = one.read_visits()
        for start in range(0, len(found), limit):
            piece = found[start : start + limit]
            with write_transaction():
                write_visits([arrival for _, arrival in piece])
                record_spool_progress(one.name, piece[-1][0])
        one.remove()
        if found:
            logger.warning("%d visits that an earlier process had answered are written now", len(found))


def open_leftover_spools() -> Iterator[LeftoverSpool]:
    """Yield the files of earlier processes. A file is locked until the next one is requested."""
    for path in sorted(_spool_folder().glob(f"*{SUFFIX}")):
        try:
            file = os.open(path, os.O_RDWR)
        except FileNotFoundError:
            continue
        try:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
            if os.fstat(file).st_nlink:  # otherwise another process was first
                yield LeftoverSpool(path)
        except BlockingIOError:
            continue  # its process is still running
        finally:
            os.close(file)


class LeftoverSpool:
    """A spool file of an earlier process."""

    def __init__(self, path: Path) -> None:
        self.path, self.name = path, path.stem

    def read_visits(self) -> list[tuple[int, IncomingVisit]]:
        """Return the visits that the database does not have, with their numbers.

        A truncated line belongs to a guest who got no response."""
        through = (InstanceFact.get_value(self.name) or {}).get("through", 0)
        found = {}
        for line in self.path.read_text("utf-8", "replace").splitlines():
            try:
                number, arrival = _parse_line(line)
            except (ValueError, KeyError, TypeError):
                continue
            if number > through:
                found[number] = arrival
        return sorted(found.items())

    def remove(self) -> None:
        self.path.unlink(missing_ok=True)
        InstanceFact.delete_value(self.name)


def record_spool_progress(name: str, through: int) -> None:
    """Record the number of the last visit of this spool that the database has.

    Call it in the transaction that writes the visits.
    """
    InstanceFact.set_value(name, {"through": through})


def _format_line(number: int, arrival: IncomingVisit) -> str:
    given = {**asdict(arrival), "at": arrival.at.isoformat(), "number": number}
    return "\n" + json.dumps(given) + "\n"


def _parse_line(line: str) -> tuple[int, IncomingVisit]:
    given = json.loads(line)
    number = int(given.pop("number"))
    at, visitor = datetime.fromisoformat(given.pop("at")), Visitor(**given.pop("visitor"))
    return number, IncomingVisit(at=at, visitor=visitor, **given)


def _create_file(path: Path) -> int:
    path.parent.mkdir(parents=True, exist_ok=True)
    file = os.open(path, os.O_RDWR | os.O_CREAT | os.O_APPEND, 0o600)
    fcntl.flock(file, fcntl.LOCK_EX)
    if not os.fstat(file).st_nlink:  # a process that looked for files has just removed it
        os.close(file)
        return _create_file(path)
    folder = os.open(path.parent, os.O_RDONLY)
    try:
        os.fsync(folder)
    finally:
        os.close(folder)
    return file


def _spool_path(name: str) -> Path:
    return _spool_folder() / f"{name}{SUFFIX}"


def _spool_folder() -> Path:
    return Path(settings.DATA) / "visits"
