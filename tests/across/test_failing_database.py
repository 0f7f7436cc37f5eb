"""A real server with a failing database: every channel answers in its format and in time, and guests are served.

Afterwards everything works again without intervention, and nothing is lost.
"""

from __future__ import annotations

import os
import resource
import sqlite3
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager

import pytest

from tests.across.all_channels import Faces, Told
from workspace.testing.postgresql_server import Cluster, programs
from workspace.testing.service import Service

# many processes start at the same time, which takes long on a busy machine
pytestmark = pytest.mark.timeout(300)

ON_POSTGRESQL = bool(os.environ.get("WORKSPACE_TEST_DATABASE_URL"))
only_sqlite = pytest.mark.skipif(ON_POSTGRESQL, reason="a failing SQLite, tested in the run on SQLite")
only_postgresql = pytest.mark.skipif(not ON_POSTGRESQL, reason="a failing PostgreSQL, tested in the run on PostgreSQL")

SLACK = 25.0  # seconds of tolerance for a busy machine
READS = ("sign-in page", "read", "read by post", "mcp read", "dashboard page", "svc read")
GUESTS = ("scan", "card page")
WRITES = ("write", "mcp write", "dashboard write", "sign-in", "guest form", "svc write")
CAP_DAC_OVERRIDE, PR_CAPBSET_DROP = 1, 24


@pytest.fixture
def service() -> Iterator[Service]:
    service = Service()
    try:
        yield service
    finally:
        service.stop()


@pytest.fixture
def faces(service: Service) -> Faces:
    service.migrate()
    service.start()
    found = Faces(service)
    time.sleep(2.1)  # the time that a person takes to fill in the guest form
    return found


@only_sqlite
def test_a_database_locked_by_another_process(faces: Faces) -> None:
    with _locked(faces.service):
        told = _request_all(faces, at_once=4)
        _assert_only_writes_fail(told, "locked")
    _assert_well_again(faces, told)


@only_sqlite
def test_a_full_disk(faces: Faces) -> None:
    with _full(faces.service):
        told = _request_all(faces, at_once=2)
        _assert_only_writes_fail(told, "")
    _assert_well_again(faces, told)


@only_sqlite
def test_a_read_only_database(faces: Faces) -> None:
    files = sorted(faces.service.folder.glob("workspace.sqlite3*"))
    faces.service.kill()
    for file in files:
        file.chmod(0o400)
    faces.service.start(prepare=_bound_by_permissions)
    _assert_only_writes_fail(_request_all(faces, at_once=2), "read_only")


@only_postgresql
def test_a_stopped_postgresql(monkeypatch: pytest.MonkeyPatch) -> None:
    with _on_a_cluster(monkeypatch) as (cluster, faces):
        cluster.stop()
        told = _request_all(faces, at_once=2)
        _assert_all_fail(told)
        cluster.start()
        _assert_well_again(faces, told)


@only_postgresql
def test_a_hanging_postgresql(monkeypatch: pytest.MonkeyPatch) -> None:
    with _on_a_cluster(monkeypatch) as (cluster, faces):
        cluster.freeze()
        try:
            told = _request_all(faces, at_once=2)
        finally:
            cluster.thaw()
        _assert_all_fail(told)
        _assert_well_again(faces, told)


@only_postgresql
def test_a_locked_table_of_postgresql(monkeypatch: pytest.MonkeyPatch) -> None:
    with _on_a_cluster(monkeypatch) as (_, faces), _locked_tables(faces.service):
        told = _request_all(faces, at_once=4)
        _assert_answered(told, READS, 1, 0, 200)
        _assert_answered(told, GUESTS, 3, 200, 302)
        _assert_refused(told, ("write", "mcp write", "svc write"))


def _request_all(faces: Faces, *, at_once: int) -> dict[str, list[Told]]:
    """Request every interface this many times in parallel, before and after the failure is detected."""
    told: dict[str, list[Told]] = {name: [] for name in Faces.NAMES}

    def request_one(name: str) -> None:
        told[name] += [faces.request(name), faces.request(name)]

    # the command line starts a slow process each time
    often = {name: 1 if name.startswith("svc") else at_once for name in Faces.NAMES}
    threads = [threading.Thread(target=request_one, args=(name,)) for name in Faces.NAMES for _ in range(often[name])]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    return told


def _assert_only_writes_fail(told: dict[str, list[Told]], trouble: str) -> None:
    _assert_answered(told, READS, 1, 0, 200)
    _assert_answered(told, GUESTS, 3, 200, 302)
    _assert_refused(told, WRITES)
    for one in told["healthz"]:
        assert one.seconds < 1 + SLACK
        assert one.status == 503
        assert one.json["database"]["reads"] == "ok"
        assert one.json["database"]["writes"] == trouble or not trouble, one.text


def _assert_all_fail(told: dict[str, list[Told]]) -> None:
    _assert_answered(told, ["sign-in page"], 1, 200)
    _assert_refused(told, [name for name in Faces.NAMES if name not in ("healthz", "sign-in page")])
    assert all(one.seconds < 1 + SLACK and one.status == 503 for one in told["healthz"])


def _assert_answered(told: dict[str, list[Told]], names: tuple[str, ...] | list[str], within: float, *ok: int) -> None:
    for name in names:
        for one in told[name]:
            assert one.status in ok, (name, one.status, one.text)
            assert one.seconds < within + SLACK, (name, one.seconds)


def _assert_refused(told: dict[str, list[Told]], names: tuple[str, ...] | list[str]) -> None:
    """Assert that each request was refused in the format of its interface, without internal details."""
    for name in names:
        for one in told[name]:
            assert one.seconds < 5 + SLACK, (name, one.seconds)
            _REFUSALS[name.partition(" ")[0]](one)
            for word in ("Traceback", "sqlite", "psycopg", "OperationalError", "internal_error"):
                assert word not in one.text, (name, one.text)


def _refused_by_api(response: Told) -> None:
    assert (response.status, response.kind.partition(";")[0]) == (503, "application/json"), (
        response.status,
        response.text,
    )
    assert response.json["error"] == "unavailable"
    assert int(response.headers["retry-after"]) == response.json["retryAfter"] > 0
    assert response.json["request_id"] == response.headers["x-request-id"]


def _refused_by_mcp(response: Told) -> None:
    body = response.json
    assert body["jsonrpc"] == "2.0"
    if response.status == 503:  # before the caller was authenticated
        assert body["error"]["data"]["error"] == "unavailable"
        assert int(response.headers["retry-after"]) == body["error"]["data"]["retryAfter"] > 0
    else:
        assert (response.status, body["result"]["isError"]) == (200, True), response.text
        assert "again in" in body["result"]["content"][0]["text"]


def _refused_to_people(response: Told) -> None:
    assert (response.status, response.kind) == (503, "text/html; charset=utf-8"), (response.status, response.text)
    assert int(response.headers["retry-after"]) > 0
    assert "minute" in response.text


def _refused_by_svc(response: Told) -> None:
    assert response.status == 1, response.text
    assert "try again" in response.text.lower()


_REFUSALS: dict[str, Callable[[Told], None]] = {
    "read": _refused_by_api,
    "write": _refused_by_api,
    "mcp": _refused_by_mcp,
    "svc": _refused_by_svc,
    **dict.fromkeys(("scan", "card", "dashboard", "sign-in", "guest"), _refused_to_people),
}


def _assert_well_again(faces: Faces, told: dict[str, list[Told]]) -> None:
    """Assert that the service recovers soon without intervention, and has counted every guest that it served."""
    ends = time.monotonic() + 150
    for name in Faces.NAMES:
        while (one := faces.request(name)).status not in (0, 200, 302, 303):
            assert time.monotonic() < ends, (name, one.status, one.text)
            time.sleep(0.1)
    scans = 1 + sum(one.status == 302 for one in told["scan"])
    while (counted := faces.service.api(faces.key, "svc_qr_stats", id=faces.code["id"])["total"]) < scans:
        assert time.monotonic() < ends, (counted, scans)
        time.sleep(0.1)
    assert counted == scans
    used = faces.fetch("GET", "/api/v1/me", "", {"Authorization": f"Bearer {faces.key}"})
    assert used.status == 200


@contextmanager
def _locked(service: Service) -> Iterator[None]:
    other = sqlite3.connect(service.folder / "workspace.sqlite3", isolation_level=None, timeout=120)
    other.execute("BEGIN IMMEDIATE")
    try:
        yield
    finally:
        other.execute("ROLLBACK")
        other.close()


@contextmanager
def _full(service: Service) -> Iterator[None]:
    """Prevent the server's files from growing, as a full disk or a quota does. It needs no privileges."""
    assert service.process is not None
    workers = _family(service.process.pid)
    # the write-ahead log is written first, and it cannot grow any more
    largest = (service.folder / "workspace.sqlite3-wal").stat().st_size
    before = {pid: resource.prlimit(pid, resource.RLIMIT_FSIZE) for pid in workers}
    for pid, (_, hard) in before.items():
        resource.prlimit(pid, resource.RLIMIT_FSIZE, (largest, hard))
    try:
        yield
    finally:
        for pid, limits in before.items():
            resource.prlimit(pid, resource.RLIMIT_FSIZE, limits)


def _family(pid: int) -> list[int]:
    with open(f"/proc/{pid}/task/{pid}/children") as file:
        return [pid, *(found for child in file.read().split() for found in _family(int(child)))]


def _bound_by_permissions() -> None:
    """Apply file permissions to processes of root, too."""
    if os.getuid() == 0:
        import ctypes

        ctypes.CDLL(None).prctl(PR_CAPBSET_DROP, CAP_DAC_OVERRIDE, 0, 0, 0)


@contextmanager
def _on_a_cluster(monkeypatch: pytest.MonkeyPatch) -> Iterator[tuple[Cluster, Faces]]:
    found = programs()
    assert found is not None
    with Cluster(found) as cluster:
        monkeypatch.setenv("WORKSPACE_TEST_DATABASE_URL", cluster.url)
        service = Service()
        try:
            service.migrate()
            service.start()
            faces = Faces(service)
            time.sleep(2.1)
            yield cluster, faces
        finally:
            service.stop()


@contextmanager
def _locked_tables(service: Service) -> Iterator[None]:
    import psycopg

    with psycopg.connect(service.env["WORKSPACE_DATABASE_URL"]) as other:
        other.execute("LOCK TABLE rate_limits_callquota, accounts_account, publishing_visit IN EXCLUSIVE MODE")
        yield
