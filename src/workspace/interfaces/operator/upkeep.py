"""Looking after an installation."""

from __future__ import annotations

import json
import shutil
import sqlite3
from pathlib import Path

import click
from django.conf import settings

from workspace.environment import read
from workspace.interfaces.catalogue import CATALOGUE
from workspace.interfaces.operator import changes
from workspace.publishing import search
from workspace.storage import sealing_keys, secrets
from workspace.storage.database import is_sqlite
from workspace.toolkit import clock


def rebuild_search() -> None:
    click.echo(f"{search.rebuild():,} things can be searched.")


def backup(folder: str) -> None:
    if not is_sqlite():
        raise click.ClickException(
            "With PostgreSQL, back up the database with pg_dump: uploads rest in it too. The keys are not in it. "
            + " ".join(_where_keys_are([str(Path(settings.DATA) / name) for name in _key_files()]))
        )
    target = Path(folder)
    if target.exists() and any(target.iterdir()):
        raise click.ClickException(f"{folder} is not empty: name a new folder")
    target.mkdir(parents=True, exist_ok=True)
    # SQLite's own online backup: a consistent copy while others write
    source = sqlite3.connect(settings.DATABASES["default"]["NAME"])
    copy = sqlite3.connect(target / "workspace.sqlite3")
    with copy:
        source.backup(copy)
    copy.close()
    source.close()
    data = Path(settings.DATA)
    if (data / "files").exists():
        shutil.copytree(data / "files", target / "files")
    for name in _key_files():
        shutil.copy2(data / name, target / name)
    about = _about()
    (target / "README.txt").write_text(about)
    click.echo(f"Copied to {target}.\n\n{about}", nl=False)


def _about() -> str:
    """What somebody who finds the copy years later needs to know."""
    lines = [f"A copy of the installation at {settings.BASE_URL}, made {clock.iso(clock.now())}."]
    lines += [f"Codes made until {one['until'][:10]} carry {one['url']}." for one in changes.earlier_base_urls()]
    lines += [f"To restore it, let WORKSPACE_DATA name this folder, with WORKSPACE_BASE_URL={settings.BASE_URL}."]
    return "\n".join([*lines, *_where_keys_are(_key_files())]) + "\n"


def _where_keys_are(files: list[str]) -> list[str]:
    """Which files of keys belong to a copy, and what else must be kept beside it."""
    lines = []
    if files:
        belong = "belongs" if len(files) == 1 else "belong"
        lines.append(f"{' and '.join(files)} {belong} to it: keep all of it safe, since together they open everything.")
    if given := [name for name in ("WORKSPACE_SECRET_KEY", "WORKSPACE_SEALING_KEYS") if read(name)]:
        lines.append(f"Keep {' and '.join(given)} beside it, or what is sealed cannot be read any more.")
    return lines


def _key_files() -> list[str]:
    """The files of keys that are not given by the environment."""
    given = {"secret-key": "WORKSPACE_SECRET_KEY", sealing_keys.FILE: "WORKSPACE_SEALING_KEYS"}
    return [name for name, by in given.items() if not read(by) and (Path(settings.DATA) / name).exists()]


def rotate_keys() -> None:
    try:
        if settings.SEALING_KEYS:
            click.echo(
                "Put this key first in WORKSPACE_SEALING_KEYS, before the others, and start every server anew:\n"
            )
            click.echo(f"  {sealing_keys.new_key()}\n\nThen call this again: it seals with the first key that is set.")
        else:
            sealing_keys.add()
        renewed = secrets.renew_all()
    except sealing_keys.KeysUnreadable as unreadable:
        raise click.ClickException(f"{unreadable.why}: put the sealing keys back from a backup") from None
    click.echo(f"{renewed} secrets were sealed anew. Keep earlier keys as long as you keep old backups.")


def print_catalogue() -> None:
    click.echo(json.dumps({"tools": CATALOGUE.describe()}, ensure_ascii=False, indent=1, sort_keys=True))
