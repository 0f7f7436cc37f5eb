"""The database of an earlier version is upgraded, and can be restored if that fails.

That version lacks two apps whose tables the upgrade creates."""

from __future__ import annotations

import shutil
import sqlite3
import subprocess
import sys
from collections.abc import Iterator
from contextlib import closing

import pytest

from workspace.testing import fork_server
from workspace.testing.service import PATIENCE, Service

pytestmark = [pytest.mark.any_database, pytest.mark.timeout(1200)]

_OWNER = "owner@example.com"
_MISSING_APPS = ("bid", "billing")  # in the order in which they are created


@pytest.fixture
def earlier() -> Iterator[Service]:
    service = Service(WORKSPACE_DATABASE_URL="").migrate()
    try:
        key = service.account(_OWNER)["api_key"]
        service.start()
        for number in range(3):
            service.api(key, "svc_qr_create", name=f"Code {number}", target_url="https://example.com")
        service.stop()
        for app in _MISSING_APPS:
            for (table,) in _query(
                service, f"SELECT name FROM sqlite_master WHERE type = 'table' AND name GLOB '{app}_*'"
            ):
                _query(service, f'DROP TABLE "{table}"')
            _query(service, f"DELETE FROM django_migrations WHERE app = '{app}'")
        yield service
    finally:
        service.stop()
        shutil.rmtree(service.folder, ignore_errors=True)


def _upgrade(service: Service) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-m", "workspace.interfaces.admin_cli", "upgrade"]
    return fork_server.run(command, env=service.env, timeout=4 * PATIENCE)


def _query(service: Service, words: str) -> list[tuple[str, ...]]:
    with closing(sqlite3.connect(service.folder / "workspace.sqlite3")) as file, file:
        return file.execute(words).fetchall()


def test_an_earlier_database_is_upgraded_or_restored(earlier: Service) -> None:
    applied = _query(earlier, "SELECT app, name FROM django_migrations ORDER BY id")
    slugs = {slug for (slug,) in _query(earlier, "SELECT slug FROM publishing_address WHERE slug <> ''")}
    assert slugs and not {app for app, _ in applied} & set(_MISSING_APPS)
    # a table that a migration creates exists already
    _query(earlier, "CREATE TABLE billing_subscription (id integer)")
    failed = _upgrade(earlier)
    assert failed.returncode == 1 and "Traceback" not in failed.stderr
    assert "The upgrade failed" in failed.stderr and "already exists" in failed.stderr
    (copy,) = (earlier.folder / "backups").glob("before-upgrade-*.tar")
    assert f"restore {copy} --over" in failed.stderr
    assert len(_query(earlier, "SELECT app FROM django_migrations")) > len(applied)
    again = _upgrade(earlier)
    assert again.returncode == 1 and "partly upgraded database" in again.stdout
    assert f"restore {copy} --over" in again.stderr, "the second copy is of no use to the earlier version"
    earlier.operate("restore", str(copy), "--over")
    assert _query(earlier, "SELECT app, name FROM django_migrations ORDER BY id") == applied
    _query(earlier, "DROP TABLE billing_subscription")

    done = _upgrade(earlier)
    assert done.returncode == 0 and "up to date. Start the service" in done.stdout, done.stdout + done.stderr
    assert "The database is up to date." in _upgrade(earlier).stdout
    key = earlier.operate("key", "create", _OWNER).split()[-1]
    earlier.start()
    found = earlier.api(key, "svc_overview")
    assert found
    listed = {code["slug"] for code in earlier.api(key, "svc_qr_list", limit=100)["items"]} - {""}
    assert listed and listed <= slugs
    earlier.api(key, "svc_qr_create", name="And on", target_url="https://example.com")
