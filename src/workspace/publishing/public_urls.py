"""URLs of this service: building public URLs, and recognizing own URLs however they are written."""

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
    """Return the public URL of an item, or "" without a slug.

    Currently, all accounts use this service's own host.
    """
    if not slug:
        return ""
    return f"{settings.BASE_URL}{plans.PRODUCTS[kind].path}{slug}"


def parse_own_path(url: str) -> str | None:
    """Return the path of a URL if it belongs to this service, or None.

    The host may be in any case or any loopback name, and the path may be percent-encoded or contain dots.
    """
    try:
        ours, given = urlsplit(settings.BASE_URL), urlsplit(url)
        if (given.port or _PORTS.get(given.scheme)) != (ours.port or _PORTS.get(ours.scheme)):
            return None
    except ValueError:
        return None
    if given.hostname != ours.hostname and not {given.hostname, ours.hostname} <= _LOOPBACK_HOSTS:
        return None
    return "/" + posixpath.normpath(unquote(unquote(given.path)) or "/").lstrip("/")


def is_own_url(url: str, *kinds: re.Pattern[str]) -> bool:
    """Return whether a URL on this service has one of these kinds.

    A QR code or button with such a destination could open itself.
    """
    path = parse_own_path(url)
    return path is not None and any(kind.match(path.lower()) for kind in kinds)
