"""Classification of database and disk failures, with real errors where possible."""

from __future__ import annotations

import errno
import sqlite3
from pathlib import Path

import pytest
from django.db import DataError, InterfaceError, OperationalError
from psycopg import errors
from psycopg_pool import PoolTimeout

from workspace.lib.errors import NotFoundError, UnavailableError
from workspace.storage.database.errors import (
    DatabaseTimeoutError,
    StorageFailure,
    find_storage_failure,
    translate_storage_errors,
)
from workspace.storage.database.postgresql.connection import DatabaseUnresponsiveError


def _sqlite(path: Path, *statements: str) -> BaseException:
    database = sqlite3.connect(path, timeout=0, isolation_level=None)
    try:
        for statement in statements:
            database.execute(statement)
    except sqlite3.Error as error:
        return error
    finally:
        database.close()
    raise AssertionError("nothing failed")


def test_sqlite_errors_are_classified(tmp_path: Path) -> None:
    path = tmp_path / "database"
    holder = sqlite3.connect(path, isolation_level=None)
    holder.execute("CREATE TABLE t (text)")
    holder.execute("BEGIN IMMEDIATE")
    assert find_storage_failure(_sqlite(path, "BEGIN IMMEDIATE")) is StorageFailure.LOCKED
    holder.close()
    full = _sqlite(path, "PRAGMA max_page_count=2", "INSERT INTO t VALUES (zeroblob(100000))")
    assert find_storage_failure(full) is StorageFailure.FULL
    assert find_storage_failure(_sqlite(path, "PRAGMA query_only=ON", "DELETE FROM t")) is StorageFailure.READ_ONLY
    with pytest.raises(sqlite3.Error) as missing:
        sqlite3.connect(tmp_path / "none" / "database")
    assert find_storage_failure(missing.value) is StorageFailure.UNREACHABLE
    path.write_bytes(b"no database at all" * 100)
    assert find_storage_failure(_sqlite(path, "SELECT * FROM t")) is StorageFailure.BROKEN
    assert find_storage_failure(_sqlite(tmp_path / "other", "SELECT * FROM t")) is None, "a mistake of ours"


@pytest.mark.parametrize(
    ("error", "trouble"),
    [
        (errors.DiskFull("no space"), StorageFailure.FULL),
        (errors.ReadOnlySqlTransaction("read-only"), StorageFailure.READ_ONLY),
        (errors.LockNotAvailable("lock"), StorageFailure.LOCKED),
        (errors.DeadlockDetected("deadlock"), StorageFailure.LOCKED),
        (errors.QueryCanceled("cancelled"), StorageFailure.LOCKED),
        (errors.AdminShutdown("going"), StorageFailure.UNREACHABLE),
        (errors.CannotConnectNow("coming"), StorageFailure.UNREACHABLE),
        (errors.TooManyConnections("many"), StorageFailure.UNREACHABLE),
        (errors.OperationalError("connection refused"), StorageFailure.UNREACHABLE),
        (errors.InterfaceError("the connection is closed"), StorageFailure.UNREACHABLE),
        (PoolTimeout("30 s"), StorageFailure.UNREACHABLE),
        (DatabaseUnresponsiveError("hangs"), StorageFailure.UNREACHABLE),
        (DatabaseTimeoutError("waited"), StorageFailure.LOCKED),
        (InterfaceError("connection already closed"), StorageFailure.UNREACHABLE),
        (OSError(errno.ENOSPC, "no space"), StorageFailure.FULL),
        (OSError(errno.EROFS, "read-only"), StorageFailure.READ_ONLY),
        (errors.UndefinedTable("no table"), None),
        (errors.NumericValueOutOfRange("large"), None),
        (DataError("large"), None),
        (FileNotFoundError(errno.ENOENT, "gone"), None),
        (ConnectionRefusedError(errno.ECONNREFUSED, "a mail server, say"), None),
        (ValueError("no"), None),
        (None, None),
    ],
)
def test_postgresql_and_system_errors_are_classified(
    error: BaseException | None, trouble: StorageFailure | None
) -> None:
    assert find_storage_failure(error) is trouble
    wrapped = OperationalError("as Django hands it on")
    wrapped.__cause__ = error
    assert error is None or find_storage_failure(wrapped) is trouble


def test_only_storage_failures_become_unavailable_errors() -> None:
    with pytest.raises(UnavailableError) as refusal, translate_storage_errors():
        raise DatabaseTimeoutError("waited")
    assert (refusal.value.status, refusal.value.extra()) == (503, {"retryAfter": 5})
    assert "waited" not in refusal.value.message
    with pytest.raises(NotFoundError), translate_storage_errors():
        raise NotFoundError("another refusal")
    with pytest.raises(ZeroDivisionError), translate_storage_errors():
        1 / 0
