"""URLs that owners enter as destinations: normalized, validated, and with a readable host."""

from __future__ import annotations

import ipaddress
import re
from functools import lru_cache
from urllib.parse import SplitResult, quote, urlsplit, urlunsplit

import idna

from workspace.lib import error_messages
from workspace.lib.ids import is_id
from workspace.lib.text import has_control_characters

MAX_LENGTH = 2048
_SCHEME = re.compile(r"^([A-Za-z][A-Za-z0-9+.\-]*):")
_SAFE_CHARACTERS = "/:?#[]@!$&'()*+,;=%~-._"


def clean_web_address(text: str) -> str:
    """Return a normalized absolute http or https URL. Add `https://` to a bare host.

    Raise ValueError with a short message if it is invalid. The scheme is checked before anything else is parsed,
    because `example.com:8080` looks like a scheme to a parser, and `javascript:` must not be read as a host.
    """
    text = text.strip()
    if not text:
        raise ValueError(error_messages.EMPTY)
    if len(text) > MAX_LENGTH:
        raise ValueError(error_messages.TOO_LONG(most=MAX_LENGTH))
    if is_id(text):
        raise ValueError(error_messages.ID_INSTEAD_OF_ADDRESS)
    if has_control_characters(text) or re.search(r"\s", text):
        raise ValueError(error_messages.ADDRESS_WITH_SPACES)
    if "\\" in text:
        raise ValueError(error_messages.ADDRESS_WITH_BACKSLASH)
    if "://" not in text.split("?")[0].split("#")[0]:
        scheme = _SCHEME.match(text)
        if scheme and not re.match(r"^(?:[^:/?#]*\.[^:/?#]*|localhost):\d{1,5}(?:[/?#]|$)", text):
            raise ValueError(error_messages.UNSUPPORTED_SCHEME)
        text = text.removeprefix("//")
        text = "https://" + text
    return _normalize_address(text)


def _normalize_address(text: str) -> str:
    try:
        parts = urlsplit(text)
        port = parts.port
    except ValueError:
        raise ValueError(error_messages.INVALID_ADDRESS) from None
    if parts.scheme.lower() not in ("http", "https"):
        raise ValueError(error_messages.UNSUPPORTED_SCHEME)
    if "@" in parts.netloc:
        raise ValueError(error_messages.ADDRESS_WITH_CREDENTIALS)
    host = _parse_host(parts)
    netloc = f"[{host}]" if ":" in host else host
    if port is not None:
        netloc += f":{port}"
    path, query, fragment = (quote(part, safe=_SAFE_CHARACTERS) for part in (parts.path, parts.query, parts.fragment))
    address = urlunsplit((parts.scheme.lower(), netloc, path, query, fragment))
    if len(address) > MAX_LENGTH:
        raise ValueError(error_messages.ENCODED_ADDRESS_TOO_LONG(most=MAX_LENGTH))
    return address


def _parse_host(parts: SplitResult) -> str:
    host = (parts.hostname or "").rstrip(".")
    if not host:
        raise ValueError(error_messages.ADDRESS_WITHOUT_HOST)
    named = to_ascii_host(host)
    labels = named.split(".")
    if not _is_ip(named) and ((len(labels) < 2 and named != "localhost") or labels[-1].isdigit()):
        raise ValueError(error_messages.INCOMPLETE_HOST)
    return named


@lru_cache(256)
def to_ascii_host(host: str) -> str:
    """Return a host in its network form: an IP address, or lower case and punycode without a final dot.

    Raise ValueError if it is invalid.
    """
    host = host.rstrip(".")
    if _is_ip(host):
        return str(ipaddress.ip_address(host))
    try:
        return idna.encode(host, uts46=True).decode("ascii")
    except idna.IDNAError:
        raise ValueError(error_messages.INVALID_HOST) from None


def to_unicode_host(host: str) -> str:
    """Return a host in readable form: `www.xn--mller-kva.example` becomes `www.müller.example`.

    A leading `*.` and a port are allowed. Invalid labels are unchanged."""
    return ".".join(map(_decode_label, host.split(".")))


def _decode_label(label: str) -> str:
    name, colon, port = label.partition(":")
    if not name.startswith("xn--"):
        return label
    try:
        return idna.ulabel(name) + colon + port
    except idna.IDNAError:
        return label


def _is_ip(host: str) -> bool:
    try:
        ipaddress.ip_address(host)
    except ValueError:
        return False
    return True
