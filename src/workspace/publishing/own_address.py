"""Whether an address is one of this service's own redirects, however it is written: a code or a button that led there
could lead back to itself."""

from __future__ import annotations

import posixpath
import re
from urllib.parse import unquote, urlsplit

from django.conf import settings

SCAN = re.compile(r"^/q(?:/|$)")
CLICK = re.compile(r"^/l/[^/]+/[^/]+$")
_LOOPBACK = {"127.0.0.1", "localhost", "::1"}
_PORTS = {"http": 80, "https": 443}


def is_own(url: str, *kinds: re.Pattern[str]) -> bool:
    """Whether the address is one of the kinds here: the host in any case and by any of this machine's names, the path
    percent-encoded or with dots."""
    ours, theirs = urlsplit(settings.BASE_URL), urlsplit(url)
    if (theirs.port or _PORTS.get(theirs.scheme)) != (ours.port or _PORTS.get(ours.scheme)):
        return False
    if theirs.hostname != ours.hostname and not {theirs.hostname, ours.hostname} <= _LOOPBACK:
        return False
    path = posixpath.normpath(unquote(unquote(theirs.path)) or "/").lower()
    return any(kind.match("/" + path.lstrip("/")) for kind in kinds)
