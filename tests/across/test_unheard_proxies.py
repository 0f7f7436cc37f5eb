"""A proxy that WORKSPACE_TRUSTED_PROXIES does not name is told once, in the log and by check; no address is."""

from __future__ import annotations

import json
import subprocess
import sys
import time
import urllib.request
from collections.abc import Iterator

import pytest

from tests.service import ROOT, Service
from workspace.interfaces.http.unheard import PUBLIC, network_of


@pytest.fixture
def service() -> Iterator[Service]:
    running = Service()
    running.operate("migrate")
    yield running
    running.stop()


def ask(service: Service, **headers: str) -> None:
    named = {name.replace("_", "-"): value for name, value in headers.items()}
    urllib.request.urlopen(urllib.request.Request(f"{service.url}/healthz", headers=named), timeout=10).close()


def check(service: Service, **settings: str) -> tuple[int, str]:
    command = [sys.executable, "-m", "workspace.interfaces.operator", "check"]
    env = {**service.env, **settings}
    done = subprocess.run(command, env=env, cwd=ROOT, capture_output=True, text=True, timeout=60)
    return done.returncode, done.stdout


def lines(service: Service) -> list[dict[str, str]]:
    told = [line for line in service.log.splitlines() if "forwarded_headers_ignored" in line]
    return [json.loads(line) for line in told]


@pytest.mark.parametrize("header", ["X_Forwarded_For", "X_Real_IP", "Forwarded"])
def test_a_forgotten_proxy_is_told_once_in_the_log_and_by_check(service: Service, header: str) -> None:
    service.start()
    ask(service)
    assert lines(service) == []
    for number in range(5):
        ask(service, **{header: f"203.0.113.{number}"})
    [line] = lines(service)
    assert line["peer"] == "a peer in 127.0.0.0/8" and "WORKSPACE_TRUSTED_PROXIES" in line["advice"]
    assert "203.0.113." not in service.log and "127.0.0.1" not in json.dumps(line)
    deadline = time.monotonic() + 10
    while "is not believed" not in check(service)[1] and time.monotonic() < deadline:
        time.sleep(0.1)
    text = "A proxy in 127.0.0.0/8 is not believed"
    assert check(service)[0] == 0 and f"remark   {text}" in check(service)[1]  # tried out on this machine
    status, told = check(service, WORKSPACE_BASE_URL="https://shop.example")
    assert status == 1 and f"PROBLEM  {text}" in told
    assert text not in check(service, WORKSPACE_TRUSTED_PROXIES="127.0.0.1")[1]


def test_a_proxy_that_is_named_is_no_news(service: Service) -> None:
    service.env["WORKSPACE_TRUSTED_PROXIES"] = "127.0.0.0/8"
    service.start()
    ask(service, X_Forwarded_For="203.0.113.5")
    assert lines(service) == [] and "not believed" not in check(service)[1]


@pytest.mark.parametrize(
    ("peer", "network"),
    [
        ("127.0.0.1", "127.0.0.0/8"),
        ("172.17.0.2", "172.16.0.0/12"),
        ("::ffff:10.1.2.3", "10.0.0.0/8"),
        ("fd00::5", "fc00::/7"),
        ("203.0.113.9", PUBLIC),
        ("", "a local socket"),
    ],
)
def test_a_network_is_named_and_no_machine(peer: str, network: str) -> None:
    assert network_of(peer) == network
