"""`workspace check` on a full or almost full disk."""

from __future__ import annotations

import resource
import shutil
import signal
import sqlite3
from collections import namedtuple
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from typing import Any

import pytest
from django.db import OperationalError, connection

from workspace.interfaces.admin_cli import checks
from workspace.storage import write_probe
from workspace.storage.write_probe import driver_reason, find_write_fault

pytestmark = pytest.mark.django_db(transaction=True)
GB = 10**9
Usage = namedtuple("Usage", "total used free")


def texts() -> str:
    return "\n".join(one.text for one in [*checks._check_disk(), *checks._check_database()])


@pytest.mark.parametrize(("free", "is_told"), [(11 * GB, False), (10 * GB, True), (0, True)])
def test_a_disk_that_is_90_percent_full_is_reported(free: int, is_told: bool, monkeypatch: Any) -> None:
    monkeypatch.setattr(shutil, "disk_usage", lambda path: Usage(100 * GB, 100 * GB - free, free))
    assert ("GB are free. Free up space" in texts()) is is_told


def test_the_write_check_of_a_writable_database_finds_no_fault_and_changes_nothing() -> None:
    before = connection.introspection.table_names()
    assert find_write_fault() is None
    assert connection.introspection.table_names() == before


def test_a_failing_write_is_reported_with_the_reason_of_the_driver(monkeypatch: Any) -> None:
    def full(*_: Any) -> None:
        error = sqlite3.OperationalError("database or disk is full")
        error.sqlite_errorname = "SQLITE_FULL"
        raise error

    monkeypatch.setattr(write_probe, "is_sqlite", lambda: True)
    monkeypatch.setattr(write_probe, "_write_and_roll_back", full)
    assert "The database cannot be written: database or disk is full (SQLITE_FULL)" in texts()


@pytest.mark.any_database
def test_a_file_that_cannot_grow_fails_the_write(tmp_path: Path) -> None:
    path = str(tmp_path / "some.sqlite3")
    with closing(sqlite3.connect(path)) as database:
        database.execute("PRAGMA journal_mode=WAL")
        database.execute("CREATE TABLE one (two)")
    write_probe._write_and_roll_back(path)
    with _no_file_grows_beyond(50_000), pytest.raises(sqlite3.OperationalError) as caught:
        write_probe._write_and_roll_back(path)
    assert "SQLITE_IOERR_WRITE" in driver_reason(caught.value)
    write_probe._write_and_roll_back(path)


def test_a_database_that_does_not_answer_is_reported_with_the_reason() -> None:
    problem = OperationalError("connection refused\nIs the server running?")
    assert driver_reason(problem) == "connection refused"


@contextmanager
def _no_file_grows_beyond(size: int) -> Iterator[None]:
    soft, hard = resource.getrlimit(resource.RLIMIT_FSIZE)
    former = signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
    resource.setrlimit(resource.RLIMIT_FSIZE, (size, hard))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, (soft, hard))
        signal.signal(signal.SIGXFSZ, former)
