"""Servers with connections from PgBouncer, which reassigns them after each transaction.

No call fails, and no lock remains on a connection.
"""

from __future__ import annotations

import getpass
import os
import shutil
import subprocess
import tempfile
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from urllib.parse import urlsplit

import psycopg
import pytest

from workspace.testing.ports import free_port
from workspace.testing.service import PATIENCE, Service

pytestmark = [
    pytest.mark.skipif("not os.environ.get('WORKSPACE_TEST_DATABASE_URL')", reason="SQLite has no pooler"),
    pytest.mark.skipif(
        not shutil.which("pgbouncer") and not os.environ.get("WORKSPACE_TEST_ALL"), reason="there is no `pgbouncer`"
    ),
]


@pytest.fixture
def pooled() -> Iterator[tuple[Service, str]]:
    """Yield a service behind a pooler, and the URL of its database without one."""
    service = Service(WORKSPACE_CONNECTIONS="12").migrate()
    direct = service.env["WORKSPACE_DATABASE_URL"]
    server, port = urlsplit(direct), free_port()
    folder = Path(tempfile.mkdtemp(prefix="workspace-pooler-"))
    name = server.path.lstrip("/")
    (folder / "pgbouncer.ini").write_text(
        f"[databases]\n{name} = host=127.0.0.1 port={server.port} user={server.username}\n"
        f"[pgbouncer]\nlisten_addr = 127.0.0.1\nlisten_port = {port}\nunix_socket_dir =\nauth_type = any\n"
        "pool_mode = transaction\ndefault_pool_size = 6\nmax_client_conn = 100\n"
    )
    as_user = []
    if getpass.getuser() == "root":
        for path in (folder, folder / "pgbouncer.ini"):
            shutil.chown(path, "postgres")
        as_user = ["runuser", "-u", "postgres", "--"]
    with (folder / "log").open("wb") as log:
        pooler = subprocess.Popen(
            [*as_user, "pgbouncer", str(folder / "pgbouncer.ini")], stdout=log, stderr=log, cwd=folder
        )
    through = f"postgresql://{server.username}@127.0.0.1:{port}/{name}"
    service.env["WORKSPACE_DATABASE_URL"] = through
    try:
        deadline = time.monotonic() + PATIENCE
        while True:
            assert pooler.poll() is None, (folder / "log").read_text()
            try:
                psycopg.connect(through, connect_timeout=5).close()
                break
            except psycopg.OperationalError:
                assert time.monotonic() < deadline, (folder / "log").read_text()
                time.sleep(0.05)
        yield service, direct
    finally:
        service.stop()
        pooler.terminate()
        pooler.wait(PATIENCE)
        shutil.rmtree(service.folder, ignore_errors=True)
        shutil.rmtree(folder, ignore_errors=True)


def test_a_transaction_pooler_fails_no_call_and_leaves_no_lock(pooled: tuple[Service, str]) -> None:
    service, direct = pooled
    service.operate("migrate")
    service.start()
    key = service.account()["api_key"]

    def call_often(number: int) -> list[int]:
        body = {"name": "svc_qr_create", "arguments": {"name": f"Code {number}", "target_url": "example.com"}}
        listed = {"name": "svc_qr_list", "arguments": {}}
        return [
            service.post("/api/v1/call", one, key, idempotency_key=f"{number}-{at}")[0]
            for at, one in enumerate([body, listed] * 2)
        ]

    with ThreadPoolExecutor(16) as pool:
        statuses = [status for found in pool.map(call_often, range(48)) for status in found]
    assert set(statuses) == {200}, service.log
    with psycopg.connect(direct, autocommit=True) as connection:
        kept = connection.execute("SELECT count(*) FROM pg_locks WHERE locktype = 'advisory'").fetchone()
    assert kept == (0,)
