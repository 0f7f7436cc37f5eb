"""Classification of failures of the database or disk, from the errors of SQLite, PostgreSQL and the operating system.

All other database errors are bugs in our code and are not classified."""

from __future__ import annotations

import errno
import sqlite3
from enum import StrEnum

from django.db import InterfaceError, OperationalError

from workspace.lib.errors import UnavailableError


class StorageFailure(StrEnum):
    """A kind of failure. `detail` is text for the administrator, and `retry_after` is in seconds."""

    LOCKED = "locked"
    FULL = "full"
    READ_ONLY = "read_only"
    UNREACHABLE = "away"
    BROKEN = "broken"
    FILES_UNREACHABLE = "files_away"

    @property
    def detail(self) -> str:
        return {
            StorageFailure.LOCKED: "Another process or transaction has locked the database",
            StorageFailure.FULL: "The disk or the database's share of it is full",
            StorageFailure.READ_ONLY: "The database or its folder is read-only",
            StorageFailure.UNREACHABLE: "The database is not responding",
            StorageFailure.BROKEN: "The disk or the database file is damaged",
            StorageFailure.FILES_UNREACHABLE: "The file storage is not responding",
        }[self]

    @property
    def retry_after(self) -> int:
        return (
            5 if self in (StorageFailure.LOCKED, StorageFailure.UNREACHABLE, StorageFailure.FILES_UNREACHABLE) else 60
        )

    def to_error(self) -> UnavailableError:
        if self is StorageFailure.FILES_UNREACHABLE:
            return UnavailableError(
                "Files and images aren’t available right now. Nothing was changed. Try again in a minute.",
                self.retry_after,
            )
        return UnavailableError(
            "We can’t save anything right now. Nothing was changed. Try again in a minute."
            if self is not StorageFailure.UNREACHABLE
            else "The service is temporarily unavailable. Try again in a minute.",
            self.retry_after,
        )


class CommitUnconfirmedError(Exception):
    """The data was written, but the standby has not confirmed it.

    The data must not be reported as safely stored, and need not be written again.
    """


class FileStoreUnreachableError(OSError):
    """The files are stored elsewhere and cannot be reached."""


class DatabaseTimeoutError(OperationalError):
    """Waiting for the database took longer than the caller can wait."""


# SQLite's primary result codes. "No such table" and similar errors have other codes and are bugs.
_BY_SQLITE_CODE = {
    sqlite3.SQLITE_BUSY: StorageFailure.LOCKED,
    sqlite3.SQLITE_LOCKED: StorageFailure.LOCKED,
    sqlite3.SQLITE_PROTOCOL: StorageFailure.LOCKED,
    sqlite3.SQLITE_FULL: StorageFailure.FULL,
    sqlite3.SQLITE_READONLY: StorageFailure.READ_ONLY,
    sqlite3.SQLITE_PERM: StorageFailure.READ_ONLY,
    sqlite3.SQLITE_CANTOPEN: StorageFailure.UNREACHABLE,
    sqlite3.SQLITE_IOERR: StorageFailure.BROKEN,
    sqlite3.SQLITE_CORRUPT: StorageFailure.BROKEN,
    sqlite3.SQLITE_NOTADB: StorageFailure.BROKEN,
}
# PostgreSQL's SQLSTATE, either complete or as its class of two characters
_BY_SQLSTATE = {
    "08": StorageFailure.UNREACHABLE,
    "57P": StorageFailure.UNREACHABLE,  # it is shutting down or starting
    "53300": StorageFailure.UNREACHABLE,  # too many connections
    "53100": StorageFailure.FULL,
    "25006": StorageFailure.READ_ONLY,
    "55P03": StorageFailure.LOCKED,
    "57014": StorageFailure.LOCKED,  # cancelled, for example by our statement timeout
    "40P01": StorageFailure.LOCKED,
    "40001": StorageFailure.LOCKED,
    "58030": StorageFailure.BROKEN,
}
_BY_ERRNO = {
    errno.ENOSPC: StorageFailure.FULL,
    errno.EDQUOT: StorageFailure.FULL,
    errno.EFBIG: StorageFailure.FULL,
    errno.EROFS: StorageFailure.READ_ONLY,
    errno.EIO: StorageFailure.BROKEN,
}


def find_storage_failure(error: BaseException | None) -> StorageFailure | None:
    """Return the kind of failure that caused this error, directly or indirectly, or None for other errors."""
    seen = 0
    while error is not None and seen < 10:
        if found := _failure_from_error(error):
            return found
        error, seen = error.__cause__, seen + 1
    return None


def is_unconfirmed(error: BaseException) -> bool:
    """Return whether this error, or a cause of it, is a CommitUnconfirmedError."""
    return isinstance(error, CommitUnconfirmedError) or (
        error.__cause__ is not None and is_unconfirmed(error.__cause__)
    )


def _failure_from_error(error: BaseException) -> StorageFailure | None:
    if isinstance(error, DatabaseTimeoutError):
        return StorageFailure.LOCKED
    if isinstance(error, sqlite3.Error):
        return _BY_SQLITE_CODE.get((getattr(error, "sqlite_errorcode", None) or 0) & 0xFF)
    if isinstance(error, FileStoreUnreachableError):
        return StorageFailure.FILES_UNREACHABLE
    if isinstance(error, OSError):
        return _BY_ERRNO.get(error.errno or 0)
    if any(kind.__module__.startswith("psycopg") for kind in type(error).__mro__):
        return _failure_from_postgresql(error)
    if type(error) in (OperationalError, InterfaceError) and error.__cause__ is None:
        return StorageFailure.UNREACHABLE  # raised by Django, for example for a closed connection
    return None


def _failure_from_postgresql(error: BaseException) -> StorageFailure | None:
    state = getattr(error, "sqlstate", None)
    if state is None:
        # not from the server: a connection was refused or lost, or the pool had none in time
        return StorageFailure.UNREACHABLE if _is_connection_error(error) else None
    return next((trouble for prefix, trouble in _BY_SQLSTATE.items() if state.startswith(prefix)), None)


def _is_connection_error(error: BaseException) -> bool:
    return any(base.__name__ in ("OperationalError", "InterfaceError") for base in type(error).__mro__)


class translate_storage_errors:  # runs several times per call, and `contextmanager` takes three times as long
    """Raises UnavailableError in place of a failure of the database or disk."""

    def __enter__(self) -> None:
        pass

    def __exit__(self, kind: object, error: BaseException | None, trace: object) -> None:
        if isinstance(error, Exception) and not isinstance(error, UnavailableError):
            trouble = find_storage_failure(error)
            if trouble is not None:
                raise trouble.to_error() from error
