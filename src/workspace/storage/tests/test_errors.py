"""What is told apart as a failing database or disk, from real errors where they can be had."""

from __future__ import annotations

import errno
import sqlite3
from pathlib import Path

import pytest
from django.db import DataError, InterfaceError, OperationalError
from psycopg import errors
from psycopg_pool import PoolTimeout

from workspace.lib.errors import NotFound, Unavailable
from workspace.storage.database.errors import Kept, Trouble, refusing, trouble_of
from workspace.storage.database.postgresql.connection import NoAnswer


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


def test_what_sqlite_says(tmp_path: Path) -> None:
    path = tmp_path / "database"
    holder = sqlite3.connect(path, isolation_level=None)
    holder.execute("CREATE TABLE t (text)")
    holder.execute("BEGIN IMMEDIATE")
    assert trouble_of(_sqlite(path, "BEGIN IMMEDIATE")) is Trouble.LOCKED
    holder.close()
    full = _sqlite(path, "PRAGMA max_page_count=2", "INSERT INTO t VALUES (zeroblob(100000))")
    assert trouble_of(full) is Trouble.FULL
    assert trouble_of(_sqlite(path, "PRAGMA query_only=ON", "DELETE FROM t")) is Trouble.READ_ONLY
    with pytest.raises(sqlite3.Error) as missing:
        sqlite3.connect(tmp_path / "none" / "database")
    assert trouble_of(missing.value) is Trouble.AWAY
    path.write_bytes(b"no database at all" * 100)
    assert trouble_of(_sqlite(path, "SELECT * FROM t")) is Trouble.BROKEN
    assert trouble_of(_sqlite(tmp_path / "other", "SELECT * FROM t")) is None, "a mistake of ours"


@pytest.mark.parametrize(
    ("error", "trouble"),
    [
        (errors.DiskFull("no space"), Trouble.FULL),
        (errors.ReadOnlySqlTransaction("read-only"), Trouble.READ_ONLY),
        (errors.LockNotAvailable("lock"), Trouble.LOCKED),
        (errors.DeadlockDetected("deadlock"), Trouble.LOCKED),
        (errors.QueryCanceled("cancelled"), Trouble.LOCKED),
        (errors.AdminShutdown("going"), Trouble.AWAY),
        (errors.CannotConnectNow("coming"), Trouble.AWAY),
        (errors.TooManyConnections("many"), Trouble.AWAY),
        (errors.OperationalError("connection refused"), Trouble.AWAY),
        (errors.InterfaceError("the connection is closed"), Trouble.AWAY),
        (PoolTimeout("30 s"), Trouble.AWAY),
        (NoAnswer("hangs"), Trouble.AWAY),
        (Kept("waited"), Trouble.LOCKED),
        (InterfaceError("connection already closed"), Trouble.AWAY),
        (OSError(errno.ENOSPC, "no space"), Trouble.FULL),
        (OSError(errno.EROFS, "read-only"), Trouble.READ_ONLY),
        (errors.UndefinedTable("no table"), None),
        (errors.NumericValueOutOfRange("large"), None),
        (DataError("large"), None),
        (FileNotFoundError(errno.ENOENT, "gone"), None),
        (ConnectionRefusedError(errno.ECONNREFUSED, "a mail server, say"), None),
        (ValueError("no"), None),
        (None, None),
    ],
)
def test_what_postgresql_and_the_system_say(error: BaseException | None, trouble: Trouble | None) -> None:
    assert trouble_of(error) is trouble
    wrapped = OperationalError("as Django hands it on")
    wrapped.__cause__ = error
    assert error is None or trouble_of(wrapped) is trouble


def test_trouble_is_refused_and_nothing_else() -> None:
    with pytest.raises(Unavailable) as refusal, refusing():
        raise Kept("waited")
    assert (refusal.value.status, refusal.value.extra()) == (503, {"retryAfter": 5})
    assert "waited" not in refusal.value.message
    with pytest.raises(NotFound), refusing():
        raise NotFound("another refusal")
    with pytest.raises(ZeroDivisionError), refusing():
        1 / 0
