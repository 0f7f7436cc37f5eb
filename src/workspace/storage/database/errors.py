"""What a failing database or disk is, told from the errors of SQLite, PostgreSQL and the system: one rule for all who
have to say it. Everything else that a database raises is a mistake of ours, and no trouble."""

from __future__ import annotations

import errno
import sqlite3
from enum import StrEnum

from django.db import InterfaceError, OperationalError

from workspace.lib.errors import Unavailable


class Trouble(StrEnum):
    """`detail` is for the operator, `retry_after` (seconds) for whoever was refused."""

    LOCKED = "locked"
    FULL = "full"
    READ_ONLY = "read_only"
    AWAY = "away"
    BROKEN = "broken"
    FILES = "files_away"

    @property
    def detail(self) -> str:
        return {
            Trouble.LOCKED: "Another process or transaction keeps the database locked",
            Trouble.FULL: "The disk, or what the database may take of it, is full",
            Trouble.READ_ONLY: "The database or its folder is read-only",
            Trouble.AWAY: "The database does not answer",
            Trouble.BROKEN: "The disk or the database file is damaged",
            Trouble.FILES: "The bucket that files rest in does not answer",
        }[self]

    @property
    def retry_after(self) -> int:
        return 5 if self in (Trouble.LOCKED, Trouble.AWAY, Trouble.FILES) else 60

    def refusal(self) -> Unavailable:
        if self is Trouble.FILES:
            return Unavailable(
                "Files and pictures cannot be reached at the moment, and nothing was changed. Please try again in a "
                "minute.",
                self.retry_after,
            )
        return Unavailable(
            "Nothing can be saved at the moment, and nothing was changed. Please try again in a minute."
            if self is not Trouble.AWAY
            else "The service cannot reach its data at the moment. Please try again in a minute.",
            self.retry_after,
        )


class Unconfirmed(Exception):
    """What was to be written is written, but the standby has not confirmed it: nobody may be told that it is safe, and
    it need not be written again."""


class FilesAway(OSError):
    """Files rest elsewhere, and cannot be reached there."""


class Kept(OperationalError):
    """The database kept us waiting for longer than whoever asks can wait."""


# SQLite's primary result codes; its "no such table" and the like are another one, and ours to mend
_SQLITE = {
    sqlite3.SQLITE_BUSY: Trouble.LOCKED,
    sqlite3.SQLITE_LOCKED: Trouble.LOCKED,
    sqlite3.SQLITE_PROTOCOL: Trouble.LOCKED,
    sqlite3.SQLITE_FULL: Trouble.FULL,
    sqlite3.SQLITE_READONLY: Trouble.READ_ONLY,
    sqlite3.SQLITE_PERM: Trouble.READ_ONLY,
    sqlite3.SQLITE_CANTOPEN: Trouble.AWAY,
    sqlite3.SQLITE_IOERR: Trouble.BROKEN,
    sqlite3.SQLITE_CORRUPT: Trouble.BROKEN,
    sqlite3.SQLITE_NOTADB: Trouble.BROKEN,
}
# PostgreSQL's SQLSTATE, whole or by its class of two letters
_POSTGRESQL = {
    "08": Trouble.AWAY,
    "57P": Trouble.AWAY,  # it is shutting down or starting
    "53300": Trouble.AWAY,  # too many connections
    "53100": Trouble.FULL,
    "25006": Trouble.READ_ONLY,
    "55P03": Trouble.LOCKED,
    "57014": Trouble.LOCKED,  # cancelled, as we do when it takes too long
    "40P01": Trouble.LOCKED,
    "40001": Trouble.LOCKED,
    "58030": Trouble.BROKEN,
}
_SYSTEM = {
    errno.ENOSPC: Trouble.FULL,
    errno.EDQUOT: Trouble.FULL,
    errno.EFBIG: Trouble.FULL,
    errno.EROFS: Trouble.READ_ONLY,
    errno.EIO: Trouble.BROKEN,
}


def trouble_of(error: BaseException | None) -> Trouble | None:
    """The trouble that this error, or what caused it, tells of; None when it tells of none."""
    seen = 0
    while error is not None and seen < 10:
        if found := _told_by(error):
            return found
        error, seen = error.__cause__, seen + 1
    return None


def is_unconfirmed(error: BaseException) -> bool:
    """Whether this error, or what caused it, is an Unconfirmed."""
    return isinstance(error, Unconfirmed) or (error.__cause__ is not None and is_unconfirmed(error.__cause__))


def _told_by(error: BaseException) -> Trouble | None:
    if isinstance(error, Kept):
        return Trouble.LOCKED
    if isinstance(error, sqlite3.Error):
        return _SQLITE.get((getattr(error, "sqlite_errorcode", None) or 0) & 0xFF)
    if isinstance(error, FilesAway):
        return Trouble.FILES
    if isinstance(error, OSError):
        return _SYSTEM.get(error.errno or 0)
    if any(kind.__module__.startswith("psycopg") for kind in type(error).__mro__):
        return _told_by_postgresql(error)
    if type(error) in (OperationalError, InterfaceError) and error.__cause__ is None:
        return Trouble.AWAY  # Django's own word, such as of a connection that was closed
    return None


def _told_by_postgresql(error: BaseException) -> Trouble | None:
    state = getattr(error, "sqlstate", None)
    if state is None:
        # no word of the server: a connection that was refused, was lost, or that the pool could not give in time
        return Trouble.AWAY if _is_connection_error(error) else None
    return next((trouble for prefix, trouble in _POSTGRESQL.items() if state.startswith(prefix)), None)


def _is_connection_error(error: BaseException) -> bool:
    return any(base.__name__ in ("OperationalError", "InterfaceError") for base in type(error).__mro__)


class refusing:  # every call passes several, and one of `contextmanager`'s takes thrice as long
    """Tell a failing database or disk as the refusal that it is. Raises Unavailable."""

    def __enter__(self) -> None:
        pass

    def __exit__(self, kind: object, error: BaseException | None, trace: object) -> None:
        if isinstance(error, Exception) and not isinstance(error, Unavailable):
            trouble = trouble_of(error)
            if trouble is not None:
                raise trouble.refusal() from error
