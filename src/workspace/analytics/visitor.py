"""A visitor, for counting. Identifying data is hashed here, before anything is queued or stored."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from urllib.parse import urlsplit

from django.http import HttpRequest

from workspace.analytics.bots import PREFETCH_HEADERS, is_bot, shorten_user_agent
from workspace.analytics.devices import detect_device
from workspace.analytics.geoip import find_location
from workspace.publishing.models.visit import MAX_VALUE_LENGTH
from workspace.storage.client_address import client_address, compute_digest, truncate_address

_HOST = re.compile(r"[a-z0-9](?:[a-z0-9._-]*[a-z0-9])?")


_USED_HEADERS = frozenset(name.encode() for name in ("host", "user-agent", "referer", *PREFETCH_HEADERS))


@dataclass(frozen=True, slots=True)
class Visitor:
    """A visitor. `address_key` is a hash of the IP address and the browser.

    Before it is written to the database, it is hashed again with the day's salt. It is never stored itself.
    """

    bot: bool
    device: str
    city: str
    country: str
    referrer_host: str
    address_key: str


def build_visitor(*, address: str, user_agent: str, referrer: str, headers: Mapping[str, str]) -> Visitor:
    """Build a visitor from a request.

    `address` is the client's IP address. Names in `headers` are in lower case. They include `host` and the headers that
    indicate a prefetch.
    """
    place = find_location(address)
    return Visitor(
        bot=is_bot(user_agent, headers),
        device=detect_device(user_agent),
        city=place.city,
        country=place.country,
        referrer_host=parse_referrer_host(referrer, own=headers.get("host", "")),
        address_key=compute_digest(truncate_address(address), shorten_user_agent(user_agent)),
    )


def visitor_from_scope(headers: Iterable[tuple[bytes, bytes]], address: str) -> Visitor:
    """Build a visitor from raw ASGI headers, whose names are in lower case."""
    texts = {name.decode("latin-1"): value.decode("latin-1") for name, value in headers if name in _USED_HEADERS}
    return build_visitor(
        address=address,
        user_agent=texts.get("user-agent", ""),
        referrer=texts.get("referer", ""),
        headers=texts,
    )


def visitor_from_request(request: HttpRequest) -> Visitor:
    return build_visitor(
        address=client_address(request),
        user_agent=request.headers.get("User-Agent", ""),
        referrer=request.headers.get("Referer", ""),
        headers={name.lower(): value for name, value in request.headers.items()},
    )


def parse_referrer_host(referrer: str, *, own: str) -> str:
    """Return the host of the referring page in lower case, or "" if it is missing, invalid or our own."""
    if not referrer:
        return ""
    try:
        parts = urlsplit(referrer[:2048].strip())
        host = (parts.hostname or "").rstrip(".")
    except ValueError:
        return ""
    if (
        parts.scheme not in ("http", "https", "android-app")
        or not _HOST.fullmatch(host)
        or len(host) > MAX_VALUE_LENGTH
    ):
        return ""
    return "" if host == own.lower().rpartition(":")[0] or host == own.lower() else host
