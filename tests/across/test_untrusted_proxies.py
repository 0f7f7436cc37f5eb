"""A proxy missing from WORKSPACE_TRUSTED_PROXIES is reported once, in the log and by check, without its address."""

from __future__ import annotations

import json
import time
import urllib.request
from collections.abc import Iterator
from typing import Any

import pytest

from workspace.interfaces import untrusted_proxy_records
from workspace.interfaces.admin_cli.checks import Problem, Remark, check_instance_state
from workspace.interfaces.server.client_address import parse_networks
from workspace.interfaces.server.request_context import identify_request
from workspace.interfaces.server.untrusted_proxies import PUBLIC_INTERNET, UntrustedProxyMonitor, describe_network
from workspace.testing.service import Service, running_service

pytestmark = pytest.mark.any_database


TEXT = "A proxy in 127.0.0.0/8 is not trusted"


@pytest.fixture(scope="module")
def service() -> Iterator[Service]:
    """Yield a service whose log contains only requests of this module."""
    with running_service() as running:
        yield running


def pass_on(monitor: UntrustedProxyMonitor, header: str, peer: str = "10.1.2.3", trusted: str = "") -> None:
    scope: dict[str, Any] = {"client": (peer, 4711), "headers": [(header.encode(), b"203.0.113.5")]}
    identify_request(scope, parse_networks(trusted), monitor)


@pytest.mark.parametrize("header", ["x-forwarded-for", "x-real-ip", "forwarded"])
def test_ignored_forwarding_headers_are_reported_once_per_network(header: str) -> None:
    told: list[str] = []
    monitor = UntrustedProxyMonitor(told.append)
    for peer in ("10.1.2.3", "10.9.9.9", "203.0.113.9", "203.0.113.10", "10.1.2.3"):
        pass_on(monitor, header, peer)
    assert told == ["10.0.0.0/8", PUBLIC_INTERNET]


def test_a_trusted_proxy_and_a_direct_caller_are_not_reported() -> None:
    told: list[str] = []
    pass_on(UntrustedProxyMonitor(told.append), "x-forwarded-for", trusted="10.0.0.0/8")
    pass_on(UntrustedProxyMonitor(told.append), "user-agent")
    assert told == []


@pytest.mark.parametrize(
    ("peer", "network"),
    [
        ("127.0.0.1", "127.0.0.0/8"),
        ("172.17.0.2", "172.16.0.0/12"),
        ("::ffff:10.1.2.3", "10.0.0.0/8"),
        ("fd00::5", "fc00::/7"),
        ("203.0.113.9", PUBLIC_INTERNET),
        ("", "a local socket"),
    ],
)
def test_a_report_names_a_network_and_no_machine(peer: str, network: str) -> None:
    assert describe_network(peer) == network


@pytest.mark.django_db
def test_check_reports_a_problem_until_the_proxy_is_trusted(settings: Any) -> None:
    assert list(check_instance_state()) == []
    for network in ("127.0.0.0/8", PUBLIC_INTERNET, "127.0.0.0/8"):
        untrusted_proxy_records.record_network(network)
    settings.LOCAL = False
    [problem, remark] = check_instance_state()
    assert isinstance(problem, Problem) and problem.text.startswith(TEXT)
    assert isinstance(remark, Remark) and "from the public internet" in remark.text
    settings.LOCAL = True  # a trial instance on this machine
    assert {type(one) for one in check_instance_state()} == {Remark}
    settings.TRUSTED_PROXIES = ["127.0.0.1"]
    assert [one.text for one in check_instance_state()] == [remark.text]
    untrusted_proxy_records.clear_networks()
    assert list(check_instance_state()) == []


@pytest.mark.timeout(240)  # processes start and end
def test_a_running_service_reports_an_untrusted_proxy(service: Service) -> None:
    for number in range(5):
        told = {"X-Forwarded-For": f"203.0.113.{number}"}
        urllib.request.urlopen(urllib.request.Request(f"{service.url}/healthz", headers=told), timeout=120).close()
    lines = [json.loads(line) for line in service.log.splitlines() if "forwarded_headers_ignored" in line]
    assert [line["peer"] for line in lines] == ["a peer in 127.0.0.0/8"]
    assert "WORKSPACE_TRUSTED_PROXIES" in lines[0]["advice"] and "203.0.113." not in service.log
    deadline = time.monotonic() + 120
    while TEXT not in (said := service.operate("check")) and time.monotonic() < deadline:
        continue
    assert f"remark   {TEXT}" in said
