"""The client's address behind proxies: pure functions without a framework."""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from ipaddress import IPv4Address, IPv4Network, IPv6Address, IPv6Network, ip_address, ip_network

Network = IPv4Network | IPv6Network
Headers = Sequence[tuple[bytes, bytes]]

# Headers that proxies set. They are read here and removed before any application sees them.
FORWARDING_HEADERS = frozenset(
    {
        b"forwarded",
        b"x-real-ip",
        b"x-forwarded-for",
        b"x-forwarded-proto",
        b"x-forwarded-host",
        b"x-forwarded-port",
        b"x-forwarded-server",
        b"x-forwarded-ssl",
    }
)
MAX_HOPS = 32  # proxies that a request may pass, because a client can list thousands
MAX_HOP_LENGTH = 100  # bytes of an address with its port
_HOST = re.compile(rb"[A-Za-z0-9.\-]{1,253}(?::\d{1,5})?|\[[0-9A-Fa-f:.]{2,45}\](?::\d{1,5})?")


@dataclass(frozen=True, slots=True)
class ForwardedClient:
    """The address, scheme and host of a client.

    `address` is an IP address as text, or "" if it is unknown. `scheme` ("http" or "https") and `host` are None unless
    a trusted proxy sent them.
    """

    address: str
    scheme: str | None = None
    host: bytes | None = None


def parse_networks(text: str) -> tuple[Network, ...]:
    """Parse networks from "127.0.0.1, 10.0.0.0/8" (commas or spaces).

    Raise ValueError with the first invalid part in its message.
    """
    networks = []
    for part in text.replace(",", " ").split():
        try:
            networks.append(ip_network(part, strict=False))
        except ValueError:
            raise ValueError(f"{part!r} is not an IP address or network. Use one like 10.0.0.0/8") from None
    return tuple(networks)


def find_client(peer: str, headers: Headers, trusted: Sequence[Network]) -> ForwardedClient:
    """Return the client behind any trusted proxies: the rightmost untrusted address in X-Forwarded-For.

    Forwarded scheme and host are used only if the peer itself is trusted. If there are several values, the last one is
    used, because the trusted proxy wrote it.
    """
    here = parse_address(peer)
    if here is None or not headers or not _is_in(here, trusted):
        return _direct_client(peer)
    values_by_name: dict[bytes, list[bytes]] = {}
    for name, value in headers:
        if name in FORWARDING_HEADERS:
            values_by_name.setdefault(name, []).extend(part.strip() for part in value.rsplit(b",", MAX_HOPS))
    for hop in values_by_name.get(b"x-forwarded-for", [])[: -MAX_HOPS - 1 : -1]:
        further = parse_address(hop.decode("latin-1")) if len(hop) <= MAX_HOP_LENGTH else None
        if further is None:
            break  # not an address, so nothing to the left of it can be trusted
        here = further
        if not _is_in(here, trusted):
            break
    scheme = values_by_name.get(b"x-forwarded-proto", [b""])[-1].lower()
    host = values_by_name.get(b"x-forwarded-host", [b""])[-1]
    return ForwardedClient(
        str(here),
        scheme.decode("ascii") if scheme in (b"http", b"https") else None,
        host if _HOST.fullmatch(host) else None,
    )


@lru_cache(1024)
def _direct_client(peer: str) -> ForwardedClient:
    return ForwardedClient(str(parse_address(peer) or ""))


@lru_cache(1024)  # proxies, and clients with persistent connections, occur repeatedly
def parse_address(text: str) -> IPv4Address | IPv6Address | None:
    """Parse an IP address from a header or a socket, with or without a port.

    Return an IPv4-mapped IPv6 address as IPv4. Return None if the text is not an address.
    """
    text = text.strip().strip('"')
    if text.startswith("["):
        text = text[1:].partition("]")[0]
    elif text.count(":") == 1:
        text = text.partition(":")[0]
    try:
        address = ip_address(text.partition("%")[0])
    except ValueError:
        return None
    if isinstance(address, IPv6Address) and address.ipv4_mapped:
        return address.ipv4_mapped
    return address


@lru_cache(1024)
def rate_limit_network(address: str) -> str:
    """Return the address used to count a client: the address itself for IPv4, the /64 network for IPv6.

    A machine can use all addresses of its /64 network.
    """
    found = parse_address(address)
    if isinstance(found, IPv6Address):
        return str(ip_network((found, 64), strict=False).network_address)
    return str(found or "")


def is_trusted(peer: str, trusted: Sequence[Network]) -> bool:
    """Return whether forwarding headers of the peer are trusted."""
    address = parse_address(peer)
    return address is not None and _is_in(address, trusted)


def _is_in(address: IPv4Address | IPv6Address, networks: Sequence[Network]) -> bool:
    return any(address in network for network in networks)
