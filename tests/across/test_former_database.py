"""Data of a version before 0.1.0 is refused by every process in a few sentences, and remains unchanged."""

from __future__ import annotations

import hashlib
import json
import lzma
import shutil
import sqlite3
import subprocess
import sys
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import psycopg
import pytest

from workspace.interfaces.admin_cli.backups import archive
from workspace.storage.database.former_database import FORMER_MIGRATION
from workspace.testing import fork_server, prepared_database
from workspace.testing.service import PATIENCE, Service

_COMMANDS = (
    *("serve", "worker", "migrate", "demo", "check", "upgrade", "rebuild-search", "rotate-keys", "reports"),
    *("account list", "account create a@example.com --name A", "account export --all out", "account import --all out"),
    *("backup copy.tar", "restore copy.tar --over", "move elsewhere", "files move", "person export a@example.com"),
)
_SERVER = [sys.executable, "-m", "workspace.interfaces.server", "workspace.asgi:application", "--factory"]
_DJANGO = [sys.executable, "-m", "django", "migrate", "--settings", "workspace.settings"]


def _former_statements() -> str:
    """Return SQLite statements that create a database with the demo, made by a former version."""
    return lzma.decompress((Path(__file__).parent / "former-database.sql.xz").read_bytes()).decode()


@pytest.fixture
def service() -> Iterator[Service]:
    """Yield a service whose data folder has the keys and files of an instance, but no database yet."""
    service = Service(WORKSPACE_DATABASE_URL="")
    for name in ("secret-key", "sealing-keys", "files/up/upl_1"):
        path = service.folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(f"{name}: {'abcdefghijklmnop' * 4}")
    try:
        yield service
    finally:
        service.stop()
        shutil.rmtree(service.folder, ignore_errors=True)


def _run(service: Service, command: list[str]) -> subprocess.CompletedProcess[str]:
    return fork_server.run(command, env=service.env, cwd=service.folder, timeout=PATIENCE)


def _operate(service: Service, words: str) -> subprocess.CompletedProcess[str]:
    return _run(service, [sys.executable, "-m", "workspace.interfaces.admin_cli", *words.split()])


def _digests(folder: Path) -> dict[str, str]:
    return {
        str(path.relative_to(folder)): hashlib.sha256(path.read_bytes()).hexdigest() if path.is_file() else "folder"
        for path in folder.rglob("*")
    }


def _check_refused(done: subprocess.CompletedProcess[str], place: str) -> None:
    assert done.returncode == 1 and "Traceback" not in done.stderr, done.stdout + done.stderr
    assert f"{place} was created by a version of Workspace Tools before 0.1.0 (last upgraded on 20" in done.stderr
    assert "Nothing was changed" in done.stderr and "account import --all FOLDER" in done.stderr


@pytest.mark.any_database
def test_no_process_changes_a_byte_of_a_former_data_folder(service: Service) -> None:
    with closing(sqlite3.connect(service.folder / "workspace.sqlite3")) as file:
        file.execute("PRAGMA journal_mode=WAL")
        file.executescript(_former_statements())
    before, place = _digests(service.folder), f"The data folder {service.folder}"
    for command in _COMMANDS:
        _check_refused(_operate(service, command), place)
        assert _digests(service.folder) == before, command
    for words in (_SERVER, _DJANGO):
        _check_refused(_run(service, words), place)
        assert _digests(service.folder) == before, words


# a server that is killed closes nothing, and leaves its write-ahead log beside the file
_KILLED = """
import os, sqlite3, sys
file = sqlite3.connect("workspace.sqlite3", isolation_level=None)
file.execute("PRAGMA journal_mode=WAL")
file.execute("PRAGMA wal_autocheckpoint=0")
file.executescript(sys.stdin.read())
if sys.argv[1] == "True":
    file.execute("PRAGMA wal_checkpoint(TRUNCATE)")
file.execute("CREATE TABLE last_words (text)")
os.remove("workspace.sqlite3-shm")
os._exit(0)
"""


@pytest.mark.any_database
@pytest.mark.parametrize("checkpointed", [True, False])
def test_the_data_folder_of_a_server_that_was_killed_is_recognized(service: Service, checkpointed: bool) -> None:
    command = [sys.executable, "-c", _KILLED, str(checkpointed)]
    subprocess.run(command, cwd=service.folder, input=_former_statements(), text=True, timeout=PATIENCE, check=True)
    assert (service.folder / "workspace.sqlite3-wal").stat().st_size
    before = _digests(service.folder)
    _check_refused(_operate(service, "check"), f"The data folder {service.folder}")
    after = _digests(service.folder)
    assert {name: after[name] for name in before} == before
    assert set(after) - set(before) <= (set() if checkpointed else {"workspace.sqlite3-shm"})


@pytest.mark.skipif(not prepared_database.server(), reason="PostgreSQL's run has one")
def test_a_former_postgresql_database_is_refused_and_stays_as_it_was() -> None:
    service = Service()
    url = service.env["WORKSPACE_DATABASE_URL"]
    with psycopg.connect(url) as connection:
        connection.execute(
            "CREATE TABLE django_migrations (id int PRIMARY KEY, app text, name text, applied timestamptz)"
        )
        rows = [(1, "accounts", "0001_initial"), (2, *FORMER_MIGRATION), (3, "records", "0001_initial")]
        connection.cursor().executemany("INSERT INTO django_migrations VALUES (%s, %s, %s, now())", rows)
    place = f"The database {url.rsplit('/', 1)[1]}"
    try:
        for command in _COMMANDS:
            _check_refused(_operate(service, command), place)
        for words in (_SERVER, _DJANGO):
            _check_refused(_run(service, words), place)
        with psycopg.connect(url) as connection:
            tables = connection.execute("SELECT relname FROM pg_stat_user_tables").fetchall()
            assert tables == [("django_migrations",)]
            assert connection.execute("SELECT count(*) FROM django_migrations").fetchone() == (3,)
    finally:
        shutil.rmtree(service.folder, ignore_errors=True)


@pytest.mark.any_database
def test_a_former_backup_is_not_restored(service: Service, tmp_path: Path) -> None:
    about = {
        "format": 1,
        "made": "2026-11-20T10:00:00+00:00",
        "base_url": service.url,
        "database": "sqlite",
        "files": True,
        "migrations": [["accounts", "0001_initial"], list(FORMER_MIGRATION)],
    }
    with archive.open_writer(tmp_path / "copy.tar") as made:
        made.add_text(archive.ABOUT_FILE, json.dumps(about))
        made.add_text(archive.SQLITE_FILE, "a database")
    before = _digests(service.folder)
    done = _operate(service, f"restore {tmp_path / 'copy.tar'} --over")
    assert done.returncode == 1 and "Traceback" not in done.stderr
    assert (
        "Workspace Tools before 0.1.0, created 2026-11-20T10:00:00+00:00. This version cannot restore it" in done.stderr
    )
    assert _digests(service.folder) == before


@pytest.mark.any_database
def test_a_data_folder_of_this_version_and_an_empty_one_are_let_through(service: Service) -> None:
    assert "does not match this version" in _operate(service, "account list").stderr  # there is no table yet
    service.migrate()
    assert "There are no accounts yet" in _operate(service, "account list").stdout
