"""Protection against server-side request forgery: only public addresses on web ports are allowed.

A URL from a user must not reach internal services, such as the database, routers of the network or cloud metadata."""

from __future__ import annotations

import queue
import socket
import ssl
import threading
import time
from collections.abc import Callable
from dataclasses import dataclass
from functools import cache
from ipaddress import IPv4Address, IPv4Network, IPv6Address, IPv6Network, ip_address
from urllib.parse import urlsplit

Address = IPv4Address | IPv6Address
Network = IPv4Network | IPv6Network
# name, port and seconds → addresses; raises OSError, including TimeoutError
Resolve = Callable[[str, int, float], list[str]]

PORTS = frozenset({80, 443, 8080, 8443})
MAX_LOOKUPS = 8

_NOT_PUBLIC = "This address is not on the public internet"
_PRIVATE_SUFFIXES = ("localhost", ".local", ".internal", ".home.arpa")  # names that do not exist on the public internet

_NAT64_NETWORK = IPv6Network("64:ff9b::/96")  # NAT64, RFC 6052
_GLOBAL_UNICAST = IPv6Network("2000::/3")  # the only part of IPv6 with hosts of the internet
# Special networks without internet hosts that Python considers global (IANA's registries, RFC 6890)
_SPECIAL_NETWORKS: tuple[Network, ...] = (
    IPv4Network("192.0.0.0/24"),  # protocol assignments
    IPv4Network("192.31.196.0/24"),  # AS112
    IPv4Network("192.52.193.0/24"),  # AMT relays
    IPv4Network("192.88.99.0/24"),  # 6to4 relays
    IPv4Network("192.175.48.0/24"),  # AS112
    IPv6Network("2001::/23"),  # protocol assignments
    IPv6Network("2620:4f:8000::/48"),  # AS112
    IPv6Network("3fff::/20"),  # documentation
)
_lookup_slots = threading.BoundedSemaphore(MAX_LOOKUPS)


class NonPublicAddressError(Exception):
    """The address may not be requested. The message is human-readable."""


def is_public(address: Address) -> bool:
    """Return whether the address can belong to a host on the internet.

    If it contains an IPv4 address, that address is checked too, because a translator or tunnel would forward to it.
    """
    carried = _embedded_ipv4(address)
    if carried:
        return all(is_public(inner) for inner in carried)
    if isinstance(address, IPv6Address) and address not in _GLOBAL_UNICAST:
        # including loopback, ::a.b.c.d, fc00::/7, fe80::/10, fec0::/10, multicast, and NAT64's local 64:ff9b:1::/48,
        # which may lead to anything in its network
        return False
    if any(address in network for network in _SPECIAL_NETWORKS if network.version == address.version):
        return False
    return address.is_global and not (address.is_multicast or address.is_reserved)


def _embedded_ipv4(address: Address) -> tuple[IPv4Address, ...]:
    if isinstance(address, IPv4Address):
        return ()
    if address.teredo is not None:
        return address.teredo
    if address in _NAT64_NETWORK:
        return (IPv4Address(int(address) & 0xFFFFFFFF),)
    inner = address.ipv4_mapped or address.sixtofour
    return (inner,) if inner is not None else ()


def resolve_host(host: str, port: int, seconds: float) -> list[str]:
    """Resolve a host with the system's resolver, for at most `seconds`.

    A lookup cannot be interrupted. The thread of a slow lookup ends later, and there are never more than `MAX_LOOKUPS`
    threads.
    """
    until = time.monotonic() + seconds
    if not _lookup_slots.acquire(timeout=seconds):
        raise TimeoutError
    answers: queue.SimpleQueue[list[str] | OSError] = queue.SimpleQueue()

    def look_up_host() -> None:
        try:
            found = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)
            answers.put([str(info[4][0]) for info in found])
        except (OSError, UnicodeError) as problem:
            answers.put(OSError(str(problem)))
        finally:
            _lookup_slots.release()

    threading.Thread(target=look_up_host, name="DNS lookup", daemon=True).start()
    try:
        answer = answers.get(timeout=max(0.0, until - time.monotonic()))
    except queue.Empty:
        raise TimeoutError from None
    if isinstance(answer, OSError):
        raise answer
    return answer


@cache
def system_ssl_context() -> ssl.SSLContext:
    return ssl.create_default_context()


@dataclass(frozen=True, slots=True)
class Guard:
    """The allowed destinations.

    `allowed_networks` are allowed although they are not public, on all ports. Like `ports`, `resolve` and
    `ssl_context`, they are also used by tests with a server on loopback.
    """

    ports: frozenset[int] = PORTS
    allowed_networks: tuple[Network, ...] = ()
    resolve: Resolve = resolve_host
    ssl_context: Callable[[], ssl.SSLContext] = system_ssl_context

    def resolve_addresses(self, host: str, port: int, seconds: float) -> list[Address]:
        """Resolve a host once, so that connections go to exactly these addresses.

        Raise NonPublicAddressError if any of them is not allowed, and OSError if there are none.
        """
        if port not in self.ports and not self.allowed_networks:
            raise self._port_error(port)
        found = list(dict.fromkeys(ip_address(text) for text in self.resolve(host, port, seconds)))
        self._check_addresses(found, port)
        if not found:
            raise OSError("no address")
        return found

    def check_url(self, url: str) -> None:
        """Check a URL before it is requested, without resolving its name.

        Raise NonPublicAddressError if it is not allowed.
        """
        parts = urlsplit(url)
        port = parts.port or (443 if parts.scheme == "https" else 80)
        try:
            literal = [ip_address(parts.hostname or "")]
        except ValueError:
            literal = []
        if (parts.hostname or "").removesuffix(".").endswith(_PRIVATE_SUFFIXES) and not self.allowed_networks:
            raise NonPublicAddressError(_NOT_PUBLIC)
        if literal or not self.allowed_networks:
            self._check_addresses(literal, port)

    def _check_addresses(self, addresses: list[Address], port: int) -> None:
        outside = [one for one in addresses if not any(one in network for network in self.allowed_networks)]
        if not all(map(is_public, outside)):
            raise NonPublicAddressError(_NOT_PUBLIC)
        if port not in self.ports and (outside or not addresses):
            raise self._port_error(port)

    def _port_error(self, port: int) -> NonPublicAddressError:
        return NonPublicAddressError(
            f"Port {port} is not allowed. Use one of {', '.join(map(str, sorted(self.ports)))}"
        )
