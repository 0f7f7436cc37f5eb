"""Only public addresses are allowed, regardless of the notation of internal ones."""

from __future__ import annotations

import socket
import threading
import time
from ipaddress import IPv4Address, IPv6Address, ip_address

import pytest
from hypothesis import given
from hypothesis import strategies as st

from workspace.http_client import ssrf_guard
from workspace.http_client.ssrf_guard import Guard, NonPublicAddressError, is_public, resolve_host

INSIDE = [
    "192.0.0.9",
    "192.0.0.170",
    "192.31.196.1",
    "192.52.193.1",
    "192.88.99.1",
    "192.175.48.1",
    "2001:1::1",
    "2620:4f:8000::1",
    "3fff::1",
    "3fff:fff:ffff::1",
    "64:ff9b::192.88.99.1",
    "0.0.0.0",
    "0.1.2.3",
    "10.0.0.1",
    "100.64.0.1",
    "127.0.0.1",
    "127.255.255.254",
    "169.254.169.254",
    "172.16.0.1",
    "172.31.255.255",
    "192.0.0.1",
    "192.0.2.1",
    "192.168.1.1",
    "198.18.0.1",
    "198.51.100.1",
    "203.0.113.1",
    "224.0.0.1",
    "239.255.255.255",
    "240.0.0.1",
    "255.255.255.255",
    "::",
    "::1",
    "::127.0.0.1",
    "::8.8.8.8",
    "::ffff:127.0.0.1",
    "::ffff:169.254.169.254",
    "::ffff:0:127.0.0.1",
    "64:ff9b::127.0.0.1",
    "64:ff9b::10.0.0.1",
    "64:ff9b:1::1",
    "64:ff9b:1:7f00:1::",
    "100::1",
    "2001:db8::1",
    "2001:10::1",
    "2001:0:7f00:1::",  # Teredo with a server on loopback
    "2001:0:808:808::f5ff:fffe",  # Teredo for 10.0.0.1
    "2002:7f00:1::1",
    "2002:a9fe:a9fe::",
    "fc00::1",
    "fd12:3456::1",
    "fe80::1",
    "fe80::1%1",
    "fec0::1",
    "ff02::1",
    "ff0e::1",
    "5f00::1",
]
OUTSIDE = [
    "1.1.1.1",
    "8.8.8.8",
    "93.184.215.14",
    "2606:4700::1111",
    "2a00:1450:4001::1",
    "::ffff:8.8.8.8",
    "64:ff9b::8.8.8.8",
    "2002:808:808::1",
]


@pytest.mark.parametrize("text", INSIDE)
def test_an_internal_address_is_rejected(text: str) -> None:
    assert not is_public(ip_address(text))


@pytest.mark.parametrize("text", OUTSIDE)
def test_a_public_address_is_allowed(text: str) -> None:
    assert is_public(ip_address(text))


@given(st.ip_addresses(v=4))
def test_an_address_is_judged_the_same_in_every_notation(inner: IPv4Address) -> None:
    number = int(inner)
    for prefix, shift in ((0xFFFF << 32, 0), (0x0064FF9B << 96, 0), (0x2002 << 112, 80)):
        assert is_public(IPv6Address(prefix | number << shift)) == is_public(inner)


def answering(*addresses: str) -> Guard:
    return Guard(resolve=lambda host, port, seconds: list(addresses))


def test_one_internal_address_blocks_the_name() -> None:
    with pytest.raises(NonPublicAddressError):
        answering("93.184.215.14", "10.0.0.1").resolve_addresses("mixed.example", 443, 1)
    assert answering("93.184.215.14").resolve_addresses("plain.example", 443, 1) == [ip_address("93.184.215.14")]


@pytest.mark.parametrize("port", [22, 25, 5432, 6379, 81, 65535])
def test_ports_of_other_services_are_rejected(port: int) -> None:
    with pytest.raises(NonPublicAddressError, match="Port"):
        answering("93.184.215.14").resolve_addresses("plain.example", port, 1)


def test_an_unresponsive_resolver_is_not_waited_for(monkeypatch: pytest.MonkeyPatch) -> None:
    asked = threading.Event()
    stuck = threading.Event()

    def never(*args: object, **kw: object) -> list[object]:
        asked.set()
        stuck.wait(60)
        return []

    monkeypatch.setattr(socket, "getaddrinfo", never)
    monkeypatch.setattr(ssrf_guard, "_lookup_slots", threading.BoundedSemaphore(1))
    began = time.monotonic()
    with pytest.raises(TimeoutError):
        resolve_host("slow.example", 443, 0.2)
    assert asked.is_set()
    with pytest.raises(TimeoutError):
        resolve_host("next.example", 443, 0.2)  # waits for a free slot, no longer than its time limit
    assert time.monotonic() - began < 60
    stuck.set()
    for thread in threading.enumerate():
        if thread.name == "DNS lookup":
            thread.join(60)


@pytest.mark.parametrize("host", ["no-such-host.invalid", "a" * 300, ".."])
def test_an_unresolvable_name_is_a_network_error(host: str) -> None:
    with pytest.raises(OSError):
        resolve_host(host, 443, 20)
