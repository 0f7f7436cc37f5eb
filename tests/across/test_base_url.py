"""The base URL, which is printed in QR codes: its notation, a scan of it, and the warning after a change."""

from __future__ import annotations

import json
import shutil
import sys
import tarfile
import time
import urllib.request
from http.client import HTTPConnection
from pathlib import Path
from typing import Any

import pytest

from workspace import environment
from workspace.interfaces.admin_cli import checks, setting_changes
from workspace.interfaces.admin_cli.checks import Problem, Remark
from workspace.testing import fork_server
from workspace.testing.service import ROOT, Service

pytestmark = pytest.mark.any_database


def serve(installation: Service, **settings: str) -> str:
    """Start the service as an administrator does, until it answers. Return its output."""
    with (installation.folder / "said").open("w+") as said:
        process = fork_server.start(
            [sys.executable, "-m", "workspace.interfaces.admin_cli", "serve"],
            env={**installation.env, **settings},
            cwd=ROOT,
            stdout=said,
            stderr=said,
        )
        try:
            deadline = time.monotonic() + 120
            while True:
                try:
                    urllib.request.urlopen(f"http://127.0.0.1:{installation.port}/healthz", timeout=60).close()
                    break
                except OSError:
                    assert process.poll() is None and time.monotonic() < deadline
                    time.sleep(0.05)
        finally:
            process.terminate()
            process.wait(60)
        said.seek(0)
        return said.read()


@pytest.mark.parametrize(
    ("given", "written"),
    [
        ("https://bücher.example", "https://xn--bcher-kva.example"),
        ("https://例え.テスト:8443", "https://xn--r8jz45g.xn--zckzah:8443"),
        ("HTTPS://Go.Example.COM.:443/", "https://go.example.com"),
        ("http://shop:80", "http://shop"),
        ("http://[::1]:8000", "http://[::1]:8000"),
    ],
)
def test_the_base_url_is_normalized_as_in_browsers(given: str, written: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("WORKSPACE_BASE_URL", given)
    assert environment.read_base_url() == written


@pytest.mark.parametrize(
    "given", ["https://", "https://a b", "https://x:99999", "https://x?y", "https://x#y", "https://u@x", "ftp://x"]
)
def test_an_invalid_base_url_is_refused(given: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("WORKSPACE_BASE_URL", given)
    with pytest.raises(SystemExit, match="WORKSPACE_BASE_URL"):
        environment.read_base_url()


def test_a_printed_code_with_an_internationalized_host_scans() -> None:
    service = Service(WORKSPACE_LAN_ACCESS="on")  # so that the requests of this test are also answered
    service.env["WORKSPACE_BASE_URL"] = f"http://Bücher.example:{service.port}"
    service.migrate()
    key = service.account()["api_key"]
    service.start()
    try:
        status, made = _raw(service, "POST", "/api/v1/qr/create", key, b'{"name": "x", "target_url": "example.com"}')
        assert status == 200
        host = f"XN--BCHER-KVA.EXAMPLE:{service.port}"
        printed = json.loads(made)["data"]["printed_url"]
        assert printed.startswith(f"HTTP://{host}/Q/")
        assert _raw(service, "GET", printed.partition(host)[2], host=host) == (302, "https://example.com")
    finally:
        service.stop()


def _raw(service: Service, method: str, path: str, key: str = "", body: bytes = b"", host: str = "") -> tuple[int, str]:
    connection = HTTPConnection("127.0.0.1", service.port, timeout=120)
    headers = {"Host": host or f"xn--bcher-kva.example:{service.port}", "Content-Type": "application/json"}
    connection.request(method, path, body, headers | ({"Authorization": f"Bearer {key}"} if key else {}))
    answer = connection.getresponse()
    told = answer.headers.get("Location") or answer.read().decode()
    connection.close()
    return answer.status, told


@pytest.mark.django_db
def test_a_change_is_reported_once_and_printed_base_urls_are_remembered(settings: Any) -> None:
    old, new, loopback = "https://old.example", "https://new.example", "http://127.0.0.1:8000"
    settings.BASE_URL = loopback
    assert setting_changes.record_settings() == []
    settings.BASE_URL = old
    assert setting_changes.find_previous_base_url() == loopback
    [told] = setting_changes.record_settings()
    assert told.startswith(f"The base URL was {loopback} and is now {old}. ")
    assert setting_changes.record_settings() == [] and setting_changes.find_previous_base_url() is None
    assert setting_changes.list_earlier_base_urls() == []  # no one else can reach a loopback address

    settings.BASE_URL = new
    assert Problem(setting_changes.base_url_message(old)) in list(checks.check_instance_state())
    assert len(setting_changes.record_settings()) == 1
    assert any(
        isinstance(one, Remark) and f"contain {old}. This host must still reach" in one.text
        for one in checks.check_instance_state()
    )
    settings.BASE_URL = old
    setting_changes.record_settings()
    assert [one["url"] for one in setting_changes.list_earlier_base_urls()] == [new]


@pytest.mark.timeout(240)  # it starts a service twice
def test_serve_reports_a_change_and_a_backup_names_it(tmp_path: Path) -> None:
    installation = Service(WORKSPACE_LAN_ACCESS="on")
    url = installation.url
    installation.migrate()
    installation.account()  # with an account, no demo is filled in
    assert "ATTENTION" not in serve(installation, WORKSPACE_BASE_URL="https://old.example")
    assert f"WARNING  The base URL was https://old.example and is now {url}. " in serve(installation)
    if not installation.env["WORKSPACE_DATABASE_URL"]:
        installation.operate("backup", str(tmp_path / "copy.tar"))
        with tarfile.open(tmp_path / "copy.tar") as copy:
            readme = copy.extractfile("README.txt").read().decode()  # type: ignore[union-attr]
        assert f"instance at {url}" in readme and "https://old.example" in readme and "secret-key" in readme
    shutil.rmtree(installation.folder, ignore_errors=True)
