"""The log of a service: JSON lines with useful information and without secrets."""

from __future__ import annotations

import http.client
import json
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from typing import Any

import pytest

from workspace.testing.service import ROOT, Service

pytestmark = [pytest.mark.timeout(300), pytest.mark.any_database]

PROXIED = "203.0.113.77"
SECRETS = ("svc_live_", "hunter2-hunter2", "very-secret-token", PROXIED, "2001:db8::77", "postgres-password")


@pytest.fixture
def service() -> Iterator[Service]:
    service = Service(WORKSPACE_TRUSTED_PROXIES="127.0.0.1", PYTHONWARNINGS="default")
    service.migrate()
    yield service
    service.stop()


def _parse_lines(text: str) -> list[dict[str, Any]]:
    lines = [json.loads(line) for line in text.splitlines()]
    for line in lines:
        assert {"event", "level", "timestamp"} <= line.keys(), line
    return lines


def _request(service: Service, method: str, path: str, body: str = "", **headers: str) -> tuple[int, str, str]:
    connection = http.client.HTTPConnection("127.0.0.1", service.port, timeout=60)
    told = {"X-Forwarded-For": PROXIED, **{name.replace("_", "-"): value for name, value in headers.items()}}
    connection.request(method, path, body or None, told)
    response = connection.getresponse()
    text = response.read().decode()
    connection.close()
    return response.status, response.getheader("X-Request-Id") or "", text


def test_every_line_of_a_server_is_json_with_the_request_id_shown_to_the_person(service: Service) -> None:
    key = service.account()["api_key"]
    service.start()
    bearer = f"Bearer {key}"
    _break(service)
    failed = [
        _request(service, "GET", "/q/abcdefg?token=very-secret-token"),
        _request(service, "GET", "/account/reset/very-secret-token-set"),
        _request(service, "GET", "/api/v1/qr/list?q=hunter2-hunter2", Authorization=bearer),
        _request(
            service,
            "POST",
            "/mcp",
            '{"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": {"name": "svc_qr_list", "arguments": {}}}',
            Authorization=bearer,
            Content_Type="application/json",
            Accept="application/json",
        ),
    ]
    service.stop()
    text = service.log
    lines = _parse_lines(text)
    events = [line["event"] for line in lines]
    assert events.index("started") < events.index("request")
    assert events[-1] == "stopped" or "stopped" in events
    for status, request_id, answer in failed[:1] + failed[2:3]:
        assert status == 500
        assert request_id in answer, "the person is shown the number"
    for _, request_id, _ in failed[2:]:
        own = [line for line in lines if line.get("request_id") == request_id]
        assert any(
            "no such table" in line.get("exception", "") or "does not exist" in line.get("exception", "")
            for line in own
        ), own
    for secret in SECRETS:
        assert secret not in text


def _break(service: Service) -> None:
    """Cause a real internal error by renaming the table of codes."""
    if url := service.env["WORKSPACE_DATABASE_URL"]:
        import psycopg

        with psycopg.connect(url) as connection:
            connection.execute("ALTER TABLE qr_code RENAME TO qr_code_gone")
            connection.execute("ALTER TABLE publishing_address RENAME TO publishing_address_gone")
        return
    import sqlite3

    database = sqlite3.connect(service.folder / "workspace.sqlite3")
    database.execute("ALTER TABLE qr_code RENAME TO qr_code_gone")
    database.execute("ALTER TABLE publishing_address RENAME TO publishing_address_gone")
    database.commit()
    database.close()


@pytest.mark.parametrize("command", ["serve", "worker"])
def test_a_started_command_writes_only_json(service: Service, command: str) -> None:
    log = service.folder / "command.log"
    with log.open("wb") as file:
        process = subprocess.Popen(
            [sys.executable, "-m", "workspace.interfaces.admin_cli", command],
            env=service.env,
            cwd=ROOT,
            stdout=file,
            stderr=file,
        )
    ready = "started" if command == "serve" else "Sending"
    ends = time.monotonic() + 200  # the demo is filled in first, which takes long on a busy machine
    try:
        while ready not in log.read_text():
            assert process.poll() is None, log.read_text()
            assert time.monotonic() < ends, log.read_text()
            time.sleep(0.1)
    finally:
        process.send_signal(signal.SIGTERM)
        process.wait(60)
    text = log.read_text()
    told = " ".join(line["event"] for line in _parse_lines(text))
    assert "svc_live_" not in text
    assert command == "worker" or ("sign-in demo@example.com" in told and service.url in told)


def test_a_failed_start_logs_the_reason_in_one_line(service: Service) -> None:
    service.start()
    done = subprocess.run(
        [sys.executable, "-m", "workspace.interfaces.admin_cli", "serve"],
        env=service.env,
        cwd=ROOT,
        capture_output=True,
        text=True,
        timeout=60,
    )
    assert done.returncode == 1
    assert "Choose another" in _parse_lines(done.stdout + done.stderr)[-1]["event"]
