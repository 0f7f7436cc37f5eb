"""The addresses of this service: making those that guests use, and reading an address however it is written."""

from __future__ import annotations

import posixpath
import re
from urllib.parse import unquote, urlsplit

from django.conf import settings

from workspace.accounts import plans

SCAN_PATH = re.compile(r"^/q(?:/|$)")
CLICK_PATH = re.compile(r"^/l/[^/]+/[^/]+$")
_LOOPBACK_HOSTS = {"127.0.0.1", "localhost", "::1"}
_PORTS = {"http": 80, "https": 443}


def public_url(account_id: str | None, kind: str, slug: str) -> str:
    """The address that the guests of an account use, empty for what has none. Every account's is this service's own so
    far."""
    if not slug:
        return ""
    return f"{settings.BASE_URL}{plans.PRODUCTS[kind].path}{slug}"


def parse_own_path(url: str) -> str | None:
    """The path of an address that is this service's: the host in any case and by any of this machine's names, the path
    percent-encoded or with dots. None for somebody else's, and for what is no address."""
    try:
        ours, theirs = urlsplit(settings.BASE_URL), urlsplit(url)
        if (theirs.port or _PORTS.get(theirs.scheme)) != (ours.port or _PORTS.get(ours.scheme)):
            return None
    except ValueError:
        return None
    if theirs.hostname != ours.hostname and not {theirs.hostname, ours.hostname} <= _LOOPBACK_HOSTS:
        return None
    return "/" + posixpath.normpath(unquote(unquote(theirs.path)) or "/").lstrip("/")


def is_own_url(url: str, *kinds: re.Pattern[str]) -> bool:
    """Whether the address is one of these kinds here: a code or a button that led there could lead back to itself."""
    path = parse_own_path(url)
    return path is not None and any(kind.match(path.lower()) for kind in kinds)
