"""The examples of deploy/ as an administrator copies them, tested with the real proxies."""

from __future__ import annotations

import http.client
import json
import os
import shutil
import socket
import ssl
import subprocess
import tempfile
import time
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from typing import Any

import pytest

from workspace.testing.ports import free_port
from workspace.testing.service import PATIENCE, Service

ROOT = Path(__file__).resolve().parents[2]
pytestmark = [pytest.mark.any_database, pytest.mark.timeout(240)]  # processes start and end
NAME = "tools.example.com"


def certificate(folder: Path) -> tuple[Path, Path]:
    chain, key = folder / "fullchain.pem", folder / "privkey.pem"
    command = [
        "openssl",
        "req",
        "-x509",
        "-newkey",
        "ec",
        "-pkeyopt",
        "ec_paramgen_curve:P-256",
        "-nodes",
        "-days",
        "2",
    ]
    subprocess.run(
        [*command, "-subj", f"/CN={NAME}", "-keyout", key, "-out", chain],
        check=True,
        capture_output=True,
        timeout=PATIENCE,
    )
    return chain, key


def nginx(folder: Path, service: Service, port: int) -> list[str]:
    chain, key = certificate(folder)
    ours = (ROOT / "deploy/nginx/workspace-tools.conf").read_text()
    for written, here in (
        ("127.0.0.1:8000", f"127.0.0.1:{service.port}"),
        ("listen 80;", f"listen 127.0.0.1:{free_port()};"),
        ("listen 443 ssl http2;", f"listen 127.0.0.1:{port} ssl http2;"),
        ("/etc/ssl/tools.example.com/fullchain.pem", str(chain)),
        ("/etc/ssl/tools.example.com/privkey.pem", str(key)),
        ("/var/log/nginx/workspace-tools.log", str(folder / "access.log")),
    ):
        assert written in ours
        ours = ours.replace(written, here)
    (folder / "nginx.conf").write_text(
        f"daemon off; pid {folder}/pid; error_log {folder}/error.log;\nevents {{}}\n"
        f"http {{ client_body_temp_path {folder}/body; proxy_temp_path {folder}/proxy; fastcgi_temp_path {folder}/f;"
        f" uwsgi_temp_path {folder}/u; scgi_temp_path {folder}/s;\n{ours}\n}}"
    )
    return ["nginx", "-e", f"{folder}/error.log", "-c", f"{folder}/nginx.conf"]


def caddy(folder: Path, service: Service, port: int) -> list[str]:
    chain, key = certificate(folder)
    ours = (ROOT / "deploy/caddy/Caddyfile").read_text()
    ours = ours.replace("{$DOMAIN} {\n", f"{{$DOMAIN}}:{port} {{\n\tbind 127.0.0.1\n\ttls {chain} {key}\n")
    (folder / "Caddyfile").write_text(f"{{\n\tadmin off\n\tauto_https off\n}}\n{ours}")
    return ["caddy", "run", "--adapter", "caddyfile", "--config", f"{folder}/Caddyfile"]


@pytest.fixture(scope="module")
def service() -> Iterator[Service]:
    running = Service(WORKSPACE_BASE_URL=f"https://{NAME}", WORKSPACE_TRUSTED_PROXIES="127.0.0.0/8").migrate()
    running.start()
    try:
        yield running
    finally:
        running.stop()
        shutil.rmtree(running.folder, ignore_errors=True)


@pytest.fixture(scope="module", params=[nginx, caddy], ids=["nginx", "Caddy"])
def port(request: pytest.FixtureRequest, service: Service) -> Iterator[int]:
    name = request.param.__name__
    if not shutil.which(name):
        assert not os.environ.get("WORKSPACE_TEST_ALL"), f"there is no `{name}`"
        pytest.skip(f"there is no `{name}`")
    folder, port = Path(tempfile.mkdtemp(prefix="workspace-proxy-")), free_port()
    command = request.param(folder, service, port)
    environment = {**os.environ, "DOMAIN": NAME, "UPSTREAM": f"127.0.0.1:{service.port}", "HOME": str(folder)}
    with (folder / "log").open("wb") as log:
        running = subprocess.Popen(command, stdout=log, stderr=log, env=environment, cwd=folder)
    try:
        deadline = time.monotonic() + PATIENCE
        while True:
            assert running.poll() is None, (folder / "log").read_text()
            try:
                assert send_request(port, "GET", "/healthz")[0] == 200
                break
            except OSError:
                assert time.monotonic() < deadline, (folder / "log").read_text()
                time.sleep(0.05)
        yield port
    finally:
        running.terminate()
        running.wait(PATIENCE)
        shutil.rmtree(folder, ignore_errors=True)


def send_request(
    port: int, method: str, path: str, body: bytes = b"", **headers: str
) -> tuple[int, dict[str, str], bytes]:
    unknown = ssl.create_default_context()
    unknown.check_hostname, unknown.verify_mode = False, ssl.CERT_NONE
    unknown.set_alpn_protocols(["http/1.1"])
    connection = http.client.HTTPSConnection("127.0.0.1", port, timeout=PATIENCE, context=unknown)
    told = {"Host": NAME, **{name.replace("_", "-"): value for name, value in headers.items()}}
    try:
        connection.sock = unknown.wrap_socket(
            socket.create_connection(("127.0.0.1", port), PATIENCE), server_hostname=NAME
        )
        with suppress(OSError):  # a request that is refused early may not be sent completely
            connection.request(method, path, body, told)
        answer = connection.getresponse()
        return answer.status, {name.lower(): value for name, value in answer.getheaders()}, answer.read()
    finally:
        connection.close()


def last_line(service: Service, request_id: str) -> dict[str, Any]:
    deadline = time.monotonic() + PATIENCE
    while time.monotonic() < deadline:
        for line in service.log.splitlines():
            if request_id in line:
                found: dict[str, Any] = json.loads(line)
                return found
        time.sleep(0.02)
    raise AssertionError(service.log[-2000:])


def test_pages_are_served_over_tls_with_an_id_from_the_log(port: int, service: Service) -> None:
    status, headers, page = send_request(port, "GET", "/sign-in/")
    assert status == 200 and b"<html" in page
    assert headers["strict-transport-security"].startswith("max-age=")
    assert last_line(service, headers["x-request-id"])["status"] == 200
    assert "secure" in headers["set-cookie"].lower()


def test_forged_forwarding_headers_are_ignored(port: int, service: Service) -> None:
    _, headers, _ = send_request(
        port, "GET", "/", X_Forwarded_For="203.0.113.7", X_Forwarded_Host="evil.example", X_Request_ID="theirs-not-ours"
    )
    assert headers["x-request-id"] != "theirs-not-ours"
    page = send_request(port, "GET", "/", X_Forwarded_Host="evil.example")[2]
    assert b"evil.example" not in page
    assert "is not trusted" not in service.log


def test_an_agent_gets_an_answer_with_the_place_to_sign_in(port: int, service: Service) -> None:
    status, headers, _ = send_request(port, "POST", "/mcp", b"{}", Content_Type="application/json")
    assert status == 401
    assert f"https://{NAME}/.well-known/oauth-protected-resource" in headers["www-authenticate"]
    key = service.account(f"agent{port}@example.com")["api_key"]
    hello = {
        "jsonrpc": "2.0",
        "id": 1,
        "method": "initialize",
        "params": {"protocolVersion": "2025-06-18", "capabilities": {}, "clientInfo": {"name": "t", "version": "1"}},
    }
    sent = json.dumps(hello).encode()
    accepted = {"Content_Type": "application/json", "Accept": "application/json, text/event-stream"}
    status, _, told = send_request(port, "POST", "/mcp", sent, Authorization=f"Bearer {key}", **accepted)
    assert status == 200 and json.loads(told)["result"]["serverInfo"]


def test_the_service_itself_limits_a_large_body(port: int, service: Service) -> None:
    key = service.account(f"large{port}@example.com")["api_key"]
    status, headers, told = send_request(
        port, "POST", "/api/v1/call", b"x" * 20_000_000, Authorization=f"Bearer {key}", Content_Type="application/json"
    )
    assert status == 413
    assert json.loads(told)["error"]
    assert headers["x-request-id"]


def test_metrics_are_not_public(port: int) -> None:
    assert send_request(port, "GET", "/metrics")[0] == 404
