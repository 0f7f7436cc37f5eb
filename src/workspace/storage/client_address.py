"""The address of a client, which is stored only as a hash."""

from __future__ import annotations

import hashlib
from functools import lru_cache
from ipaddress import IPv6Address, ip_address, ip_network

from django.conf import settings
from django.http import HttpRequest


def client_address(request: HttpRequest) -> str:
    """Return the client's IP address, as determined by the server behind trusted proxies."""
    return getattr(request, "client_address", "") or request.META.get("REMOTE_ADDR", "")


@lru_cache(1024)
def truncate_address(address: str) -> str:
    """Truncate an IPv6 address to its /64, and return IPv4 unchanged.

    This is typically the network of a household, in which devices change their addresses daily.
    """
    try:
        parsed = ip_address(address.partition("%")[0])
    except ValueError:
        return ""
    if isinstance(parsed, IPv6Address):
        if parsed.ipv4_mapped is not None:
            return str(parsed.ipv4_mapped)
        return str(ip_network((parsed, 64), strict=False).network_address)
    return str(parsed)


def compute_digest(*parts: str) -> str:
    """Return a keyed hash of 32 hexadecimal digits, made with the instance's secret."""
    # the lengths distinguish ("a", "bc") from ("ab", "c")
    joined = "".join(f"{len(part)}:{part}" for part in parts)
    key = _digest_key(settings.SECRET_KEY)
    return hashlib.blake2b(joined.encode("utf-8", "replace"), digest_size=16, key=key).hexdigest()


@lru_cache(1)
def _digest_key(secret: str) -> bytes:
    return hashlib.sha256(secret.encode()).digest()
