"""PostgreSQL is restarted under a running service, as in a system update: once it is ready, no request fails."""

from __future__ import annotations

import http.client
import os
import shutil
import sys
import time
import urllib.request
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from threading import Barrier
from urllib.error import HTTPError

import psycopg
import pytest
from django.core.mail import send_mail

from workspace.testing import fork_server
from workspace.testing.postgresql_server import Cluster, programs
from workspace.testing.service import PATIENCE, Service

pytestmark = pytest.mark.any_database


CALLERS, CALLS = 12, 60


@pytest.fixture(scope="module")
def cluster() -> Iterator[Cluster]:
    found = programs()
    if found is None and os.environ.get("WORKSPACE_TEST_ALL") == "1":
        pytest.fail("There is no PostgreSQL to restart")
    if found is None:
        pytest.skip("There is no PostgreSQL to restart")
    with Cluster(found) as running:
        yield running


@pytest.fixture
def service(cluster: Cluster) -> Iterator[Service]:
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("WORKSPACE_TEST_DATABASE_URL", cluster.url)
        running = Service().migrate()
    running.start()
    try:
        yield running
    finally:
        running.stop()
        shutil.rmtree(running.folder, ignore_errors=True)


@pytest.mark.timeout(180)
@pytest.mark.parametrize("how", ["fast", "immediate"])
def test_after_a_restart_of_postgresql_no_call_scan_or_email_fails(
    how: str, cluster: Cluster, service: Service
) -> None:
    key = service.account()["api_key"]
    code = service.api(key, "svc_qr_create", name="Poster", target_url="example.com")
    path = "/" + code["public_url"].split("/", 3)[3]
    mail(service)
    settled(service, 1)
    together = Barrier(CALLERS)

    def call_and_scan(number: int) -> tuple[int, int]:
        if number < CALLERS:
            together.wait(60)
        status, _ = service.post("/api/v1/call", {"name": "svc_qr_list", "arguments": {}}, key)
        return status, scan(service, path)

    with ThreadPoolExecutor(CALLERS) as callers:
        assert set(callers.map(call_and_scan, range(CALLERS))) == {(200, 302)}
        held = connections(service)
        assert held > 4  # idle in the pool; the restart ends all of them
        cluster.stop(how)
        cluster.start()
        wait_until_ready(service)
        assert set(callers.map(call_and_scan, range(CALLERS, CALLERS + CALLS))) == {(200, 302)}
    mail(service)
    settled(service, 2)
    counted = service.api(key, "svc_qr_stats", id=code["id"])
    assert counted["total"] == CALLERS + CALLS
    assert "request_failed" not in service.log, service.log


def wait_until_ready(service: Service) -> None:
    """Wait until the health probe finds the database. After a failure, it tries again every half second."""
    deadline = time.monotonic() + PATIENCE
    while True:
        try:
            urllib.request.urlopen(f"{service.url}/readyz", timeout=PATIENCE).close()
            return
        except HTTPError as problem:
            assert time.monotonic() < deadline, problem.read()
        time.sleep(0.05)


def scan(service: Service, path: str) -> int:
    connection = http.client.HTTPConnection("127.0.0.1", service.port, timeout=60)
    agent = "Mozilla/5.0 (iPhone; CPU iPhone OS 17_0 like Mac OS X) AppleWebKit/605.1.15 Safari/604.1"
    try:
        connection.request("GET", path, headers={"User-Agent": agent})
        return connection.getresponse().status
    finally:
        connection.close()


def connections(service: Service) -> int:
    """Return the number of connections of the service, idle or not."""
    with psycopg.connect(service.env["WORKSPACE_DATABASE_URL"]) as connection:
        found = connection.execute(
            "SELECT count(*) FROM pg_stat_activity WHERE datname = current_database() AND pid <> pg_backend_pid()"
        ).fetchone()
    assert found is not None
    return int(found[0])


def mail(service: Service) -> None:
    """Write an email from another process, so that only the worker of the service can send it."""
    database = service.env["WORKSPACE_DATABASE_URL"].rpartition("/")[2]
    command = [sys.executable, "-m", "workspace.testing.separate_process", database, f"{__name__}:write_mail"]
    done = fork_server.run(command, env=service.env)
    assert done.returncode == 0, done.stderr


def write_mail() -> None:
    send_mail("Hello", "A mail", "shop@example.com", ["guest@example.com"])


def settled(service: Service, count: int) -> None:
    """Wait until the worker has handled this many emails."""
    deadline = time.monotonic() + 150
    while True:
        with psycopg.connect(service.env["WORKSPACE_DATABASE_URL"]) as connection:
            found = connection.execute(
                "SELECT count(*) FROM delivery_delivery WHERE state IN ('sent', 'kept')"
            ).fetchone()
        if found == (count,):
            return
        assert time.monotonic() < deadline, (found, service.log)
        time.sleep(0.1)
