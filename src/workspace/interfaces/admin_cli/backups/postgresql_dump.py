"""PostgreSQL's programs for dumping and restoring a database."""

from __future__ import annotations

import os
import shutil
import subprocess
import time
from pathlib import Path
from typing import Any

import click
import psycopg
from django.apps import apps
from django.conf import settings
from django.db import connection
from psycopg import sql
from psycopg.conninfo import make_conninfo

from workspace.environment import parse_postgresql_url, read_setting


def dump_database(into: Path) -> None:
    """Dump a consistent state of the database, even while other processes write to it."""
    _run_program("pg_dump", "--format=custom", "--no-owner", "--no-privileges", f"--file={into}", _connection_string())


def restore_database(source: Path) -> None:
    """Replace the tables of this instance in a single transaction.

    Raise click.ClickException, without changing anything, if it fails.
    """
    script, before = source.with_suffix(".sql"), source.with_suffix(".before.sql")
    _run_program("pg_restore", "--no-owner", "--no-privileges", f"--file={script}", str(source))
    tables = {model._meta.db_table for model in apps.get_models(include_auto_created=True)} | {"django_migrations"}
    drop = sql.SQL("DROP TABLE IF EXISTS {} CASCADE;\n")
    gone = sql.Composed([drop.format(sql.Identifier(name)) for name in {*tables, *_list_tables(source)}])
    before.write_text(f"SET lock_timeout = '10s';\nSET client_min_messages = warning;\n{gone.as_string()}")
    once = ["--no-psqlrc", "--quiet", "--single-transaction", "--set=ON_ERROR_STOP=1", "--output=/dev/null"]
    _run_program("psql", *once, f"--file={before}", f"--file={script}", f"--dbname={_connection_string()}")


def count_connections() -> int:
    """Return the number of other connections to the database."""
    connection.close()
    here: Any = connection
    if here.settings_dict["OPTIONS"].get("pool"):  # the pool holds connections of this process
        here.close_pool()
    query = (
        "SELECT count(*) FROM pg_stat_activity WHERE datname = current_database() AND pid <> pg_backend_pid() "
        "AND backend_type = 'client backend'"
    )
    with psycopg.connect(read_setting("WORKSPACE_DATABASE_URL"), autocommit=True) as link:
        for _ in range(20):  # a closed connection is listed a moment longer
            count = (link.execute(query).fetchone() or [0])[0]
            if not count:
                break
            time.sleep(0.1)
    return int(count)


def _list_tables(source: Path) -> list[str]:
    """Return the tables of a dump, which may be from an earlier or later version."""
    listed = [line.split() for line in _run_program("pg_restore", "--list", str(source)).splitlines()]
    # 4711; 1259 16385 TABLE public qr_code owner
    return [words[5] for words in listed if len(words) > 5 and words[3] == "TABLE" and words[4] != "DATA"]


def _connection_string() -> str:
    given = {
        name: value
        for name, value in parse_postgresql_url(read_setting("WORKSPACE_DATABASE_URL")).items()
        if name != "password"
    }
    return make_conninfo("", **given)


def _run_program(name: str, *words: str) -> str:
    program = shutil.which(name)
    # Debian's program is a wrapper that uses the version of the local cluster; the newest works with all
    newest = sorted(Path("/usr/lib/postgresql").glob(f"*/bin/{name}"), key=lambda path: int(path.parts[4]))
    if program is None and not newest:
        raise click.ClickException(f"`{name}` is missing. Install PostgreSQL's client programs (postgresql-client)")
    env = {**os.environ, "PGPASSWORD": settings.DATABASES["default"]["PASSWORD"]}
    command = [str(newest[-1]) if newest else str(program), *words]
    done = subprocess.run(command, env=env, capture_output=True, text=True)  # noqa: S603 - PostgreSQL's own programs
    if done.returncode:
        raise click.ClickException(f"{name} failed: {done.stderr.strip()[-800:] or f'exit code {done.returncode}'}")
    return done.stdout
