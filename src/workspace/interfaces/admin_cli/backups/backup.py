"""`backup`: the database and the files of a service that goes on serving, in one archive."""

from __future__ import annotations

import json
import sqlite3
import tempfile
from contextlib import closing
from pathlib import Path
from typing import Any

import click
from django.conf import settings
from django.db import connection
from django.db.migrations.recorder import MigrationRecorder

from workspace.environment import COMMAND, read
from workspace.interfaces.admin_cli import startup_changes
from workspace.interfaces.admin_cli.backups import archive, pg_programs
from workspace.interfaces.admin_cli.backups.archive import ABOUT, FILES, POSTGRESQL, SQLITE, Writer
from workspace.lib import clock
from workspace.storage import encryption_keys
from workspace.storage.database.transactions import is_sqlite
from workspace.storage.files import store
from workspace.storage.files.backends import Place
from workspace.storage.files.backends.filesystem import Folder
from workspace.storage.files.backends.s3 import Bucket


def backup(target: Path, *, with_files: bool = True) -> str:
    """Write the archive, whose name ends with .tar or .tar.gz, and return the SHA-256 of its manifest. Raises
    click.ClickException."""
    if not target.name.endswith((".tar", ".tar.gz", ".tgz")):
        raise click.ClickException(f"Name a file that ends with .tar or .tar.gz, such as {target}.tar")
    if target.exists():
        raise click.ClickException(f"{target} is there already: name a new file")
    target.parent.mkdir(parents=True, exist_ok=True)
    place = store.place()
    if isinstance(place, Folder):
        try:
            # from before the database is read: a file that it names is deleted by nobody until both are copied
            with place.holding():
                return _write(target, place, with_files)
        except BlockingIOError:
            raise click.ClickException("Another backup is being made: wait until it is done") from None
    return _write(target, place, with_files)


def make(name: str, *, with_files: bool) -> None:
    target = Path(name)
    digest = backup(target, with_files=with_files)
    click.echo(f"Copied to {target} ({target.stat().st_size:,} bytes).\n\n{_read_me(target.name)}", nl=False)
    click.echo(
        f"\nSHA-256 of its manifest: {digest}\nKeep it elsewhere. `{COMMAND} restore {target.name} --sha256 {digest}` "
        "refuses a copy that somebody has changed."
    )


def _write(target: Path, place: Place, with_files: bool) -> str:
    with tempfile.TemporaryDirectory(prefix=".backup-", dir=target.parent) as folder, archive.writing(target) as made:
        copy = Path(folder, SQLITE if is_sqlite() else POSTGRESQL)
        if is_sqlite():
            # SQLite's own online backup: a consistent copy while others write
            here = settings.DATABASES["default"]["NAME"]
            with closing(sqlite3.connect(here)) as source, closing(sqlite3.connect(copy)) as into:
                source.backup(into)
        else:
            pg_programs.dump(copy)
        made.text(ABOUT, json.dumps(_about(with_files), indent=1))
        made.text("README.txt", _read_me(target.name))
        made.file(copy.name, copy)
        for name in key_files():
            made.file(name, Path(settings.DATA) / name)
        if with_files:
            _add_files(made, place)
    return made.digest


def _add_files(made: Writer, place: Place) -> None:
    """Those that do not rest in the database, which has been copied already."""
    if isinstance(place, Folder):
        for path in place.everything():
            if FILES + path.name not in made:
                try:
                    made.file(FILES + path.name, path)
                except FileNotFoundError:
                    continue  # deleted meanwhile: it comes among those that are held
    elif isinstance(place, Bucket):
        for key in list(place.keys()):
            try:
                made.pieces(FILES + key, *place.reading_here(key))
            except FileNotFoundError:
                continue  # deleted since the list was made, and nothing holds it back there


def _about(with_files: bool) -> dict[str, Any]:
    return {
        "format": archive.FORMAT,
        "made": clock.iso(clock.now()),
        "base_url": settings.BASE_URL,
        "database": connection.vendor,
        "files": with_files,
        "migrations": sorted([app, name] for app, name in MigrationRecorder(connection).applied_migrations()),
    }


def _read_me(name: str) -> str:
    """What somebody who finds the copy years later needs to know."""
    lines = [f"A copy of the installation at {settings.BASE_URL}, made {clock.iso(clock.now())}."]
    lines += [
        f"Codes made until {one['until'][:10]} carry {one['url']}." for one in startup_changes.earlier_base_urls()
    ]
    lines += [f"To put it back, stop the service and run `{COMMAND} restore {name}`, then start the service."]
    return "\n".join([*lines, *_where_keys_are(key_files())]) + "\n"


def _where_keys_are(found: list[str]) -> list[str]:
    """Which files of keys belong to a copy, and what else must be kept beside it."""
    lines = []
    if found:
        are = "is" if len(found) == 1 else "are"
        lines.append(f"{' and '.join(found)} {are} in it: keep it safe, since it opens everything.")
    if given := [name for name in ("WORKSPACE_SECRET_KEY", "WORKSPACE_SEALING_KEYS") if read(name)]:
        lines.append(f"Keep {' and '.join(given)} beside it, or what is sealed cannot be read any more.")
    return lines


def key_files() -> list[str]:
    """The files of keys that are not given by the environment."""
    given = {"secret-key": "WORKSPACE_SECRET_KEY", encryption_keys.FILE: "WORKSPACE_SEALING_KEYS"}
    return [name for name, by in given.items() if not read(by) and (Path(settings.DATA) / name).exists()]
