"""A migrated database: created once by `bin/workspace migrate`, and copied for every test that needs one.

The migrations take three seconds. The SQLite file is stored next to the installed packages under a digest of its
sources, so that the next run finds it. For PostgreSQL, it is a template on the server of this run, restored from a dump
stored there.
"""

from __future__ import annotations

import fcntl
import functools
import hashlib
import os
import subprocess
import sys
import tempfile
import time
import uuid
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from workspace.testing.postgresql_server import programs

ROOT = Path(__file__).resolve().parents[3]
KEPT = Path(sys.prefix) / "prepared"
_DAY = 24 * 60 * 60  # seconds
# what determines the database: migrations, our engines and, through the lock file, Django and its applications
SOURCES = (
    "src/**/migrations/*.py",
    "src/workspace/storage/database/sqlite/*.py",
    "src/workspace/storage/database/postgresql/*.py",
    "src/workspace/storage/database/migration_executor.py",
    "src/workspace/lib/text.py",
    "requirements/run.txt",
)


def server() -> str:
    """Return the URL of this run's PostgreSQL server, or "" on SQLite."""
    return os.environ.get("WORKSPACE_TEST_DATABASE_URL", "")


def new_database(template: str = "template1") -> str:
    """Return the URL of a new PostgreSQL database on this run's server, or "" on SQLite."""
    if not server():
        return ""
    return _create(f"service_{uuid.uuid4().hex[:12]}", template)


def migrated_database() -> str:
    """Return the name of a PostgreSQL database on this run's server that can be copied.

    No one may be connected to it.
    """
    name = f"prepared_{_digest()}"
    with _alone():
        import psycopg

        with psycopg.connect(server(), autocommit=True) as connection:
            if connection.execute("SELECT 1 FROM pg_database WHERE datname = %s", [name]).fetchone():
                return name
        made = new_database()
        _fill(made)
        with psycopg.connect(server(), autocommit=True) as connection:
            connection.execute(f'ALTER DATABASE "{made.rsplit("/", 1)[1]}" RENAME TO "{name}"')
    return name


def _fill(database: str) -> None:
    """Migrate the database, or restore the dump of one that an earlier run migrated."""
    import psycopg

    with psycopg.connect(database) as connection:
        kept = KEPT / f"{_digest()}-{connection.info.server_version}.sql"
    found = programs()
    if found is not None and kept.exists():
        _run([found / "psql", "--quiet", "--set", "ON_ERROR_STOP=1", "--file", kept, database])
        return
    with tempfile.TemporaryDirectory() as folder:
        _migrate(folder, database)
    if found is not None:
        _run([found / "pg_dump", "--file", f"{kept}.new", database])
        Path(f"{kept}.new").rename(kept)


def migrated_file() -> Path:
    """Return an SQLite file that can be copied."""
    kept = KEPT / f"{_digest()}.sqlite3"
    with _alone():
        if not kept.exists():
            for old in (*KEPT.glob("*.sqlite3"), *KEPT.glob("*.sql")):
                if old.stat().st_mtime < time.time() - _DAY:  # several branches may store theirs side by side
                    old.unlink()
            with tempfile.TemporaryDirectory(dir=KEPT) as folder:
                _migrate(folder, "")
                Path(folder, "workspace.sqlite3").rename(kept)
    return kept


def _create(name: str, template: str) -> str:
    import psycopg

    with psycopg.connect(server(), autocommit=True) as connection:
        connection.execute(f'CREATE DATABASE "{name}" TEMPLATE "{template}"')
    return server().rsplit("/", 1)[0] + "/" + name


def _migrate(folder: str, database: str) -> None:
    env = {name: value for name, value in os.environ.items() if not name.startswith(("WORKSPACE_", "PORT", "SVC_"))}
    env |= {"WORKSPACE_DATA": folder, "WORKSPACE_DATABASE_URL": database}
    command: list[str | Path] = [sys.executable, "-m", "workspace.interfaces.admin_cli", "migrate"]
    _run(command, env)


def _run(command: list[str | Path], env: dict[str, str] | None = None) -> None:
    done = subprocess.run(command, env=env, cwd=ROOT, capture_output=True, text=True, timeout=300)
    assert done.returncode == 0, done.stdout + done.stderr


@contextmanager
def _alone() -> Iterator[None]:
    """Hold a lock across processes: one test process creates the database, and the others wait."""
    KEPT.mkdir(exist_ok=True)
    with (KEPT / "lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        yield


@functools.cache
def _digest() -> str:
    found = hashlib.sha256()
    paths = {pattern: list(ROOT.glob(pattern)) for pattern in SOURCES}
    assert all(paths.values()), f"no file is called so: {[pattern for pattern in paths if not paths[pattern]]}"
    for path in sorted(path for found_paths in paths.values() for path in found_paths):
        found.update(str(path.relative_to(ROOT)).encode() + b"\0" + path.read_bytes() + b"\0")
    return found.hexdigest()[:16]
