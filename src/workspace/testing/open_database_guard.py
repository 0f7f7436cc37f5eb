"""A guard that fails a test immediately if it does something to an open SQLite file that would break a later test.

SQLite's locks belong to the process. They are lost as soon as the process reads the file in any other way and closes
it, and a forked child believes that it holds its parent's locks. Another process that closes the database then
considers itself the last one and deletes the log that is in use here: "database disk image is malformed". See
https://sqlite.org/howtocorrupt.html.
"""

from __future__ import annotations

import os
import sys
from pathlib import Path
from typing import Any

SUFFIX = ".sqlite3"
_DESCRIPTORS = Path("/dev/fd")


class OpenDatabaseError(AssertionError):
    """A test would remove the locks of an SQLite file that this process has open."""


def guard_open_databases() -> None:
    """Start watching this process."""
    sys.addaudithook(_check_event)


def _check_event(event: str, arguments: tuple[Any, ...]) -> None:
    if event == "open":
        path = arguments[0]
        if isinstance(path, str) and path.endswith(SUFFIX) and _is_open(path):
            raise OpenDatabaseError(f"{path} is open in this process: have another one read or write it")
    elif event == "os.fork" and (path := _find_open_database()):
        raise OpenDatabaseError(
            f"{path} is open in this process: start a process with workspace.testing.separate_process"
        )


def _is_open(path: str) -> bool:
    try:
        wanted = os.stat(path)
    except OSError:
        return False
    return any(os.path.samestat(wanted, found) for _, found in _stat_descriptors())


def _find_open_database() -> str:
    for number, _ in _stat_descriptors():
        try:
            path = os.readlink(_DESCRIPTORS / number)
        except OSError:
            continue
        if path.endswith(SUFFIX):
            return path
    return ""


def _stat_descriptors() -> list[tuple[str, os.stat_result]]:
    found = []
    for number in os.listdir(_DESCRIPTORS):
        try:
            found.append((number, os.fstat(int(number))))
        except OSError:  # the descriptor with which they were listed
            continue
    return found
