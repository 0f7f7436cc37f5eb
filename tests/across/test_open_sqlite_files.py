"""Actions that would break an open SQLite file are rejected where they happen."""

from __future__ import annotations

import os
import sqlite3
import subprocess
import sys
from contextlib import closing
from pathlib import Path

import pytest

from workspace.testing.open_database_guard import OpenDatabaseError

pytestmark = pytest.mark.any_database


def test_an_open_database_is_not_read_by_its_own_process(tmp_path: Path) -> None:
    file = tmp_path / "some.sqlite3"
    with closing(sqlite3.connect(file)) as database:
        database.execute("CREATE TABLE one (two)")
        with pytest.raises(OpenDatabaseError, match="another one read"):
            file.read_bytes()
        read = [sys.executable, "-c", f"print(open({str(file)!r}, 'rb').read(15).decode())"]
        assert subprocess.run(read, capture_output=True, text=True, check=True).stdout == "SQLite format 3\n"
    assert file.read_bytes().startswith(b"SQLite format 3")


def test_a_process_with_an_open_database_is_not_forked(tmp_path: Path) -> None:
    with closing(sqlite3.connect(tmp_path / "some.sqlite3")) as database:
        database.execute("CREATE TABLE one (two)")
        with pytest.raises(OpenDatabaseError, match="separate_process"):
            _fork_and_end()


def _fork_and_end() -> None:
    if os.fork() == 0:
        os._exit(0)
