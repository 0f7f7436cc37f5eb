"""Redirect URIs of OAuth clients: https, http on loopback hosts, or an application's own scheme."""

from __future__ import annotations

import re
from urllib.parse import urlsplit

from django.core.exceptions import ValidationError

from workspace.accounts import messages
from workspace.lib.text import has_control_characters

MAX_URIS = 20
MAX_URI_LENGTH = 1000
MAX_NAME_LENGTH = 120
LOOPBACK_HOSTS = ("127.0.0.1", "::1", "localhost")
# Schemes of common desktop applications that are not a reversed domain name (RFC 8252, section 7.1).
_KNOWN_SCHEMES = ("cursor", "vscode", "vscode-insiders", "windsurf", "claude", "raycast", "zed", "warp")
_REVERSED_DOMAIN = re.compile(r"[a-z][a-z0-9-]*(\.[a-z0-9-]+)+\Z")


def is_loopback(uri: str) -> bool:
    parts = urlsplit(uri)
    return parts.scheme == "http" and parts.hostname in LOOPBACK_HOSTS


def is_allowed_scheme(scheme: str) -> bool:
    return scheme in ("http", "https", *_KNOWN_SCHEMES) or bool(_REVERSED_DOMAIN.match(scheme))


def allowed_schemes(uris: str) -> list[str]:
    """Return the allowed schemes in a space-separated list of URIs."""
    found = {uri.partition(":")[0].lower() for uri in uris.split()}
    return sorted(scheme for scheme in found if is_allowed_scheme(scheme))


def check_client_uris(name: str, uris: str) -> None:
    """Raise ValidationError, keyed by field, if a client cannot register this name or these URIs."""
    if len(name) > MAX_NAME_LENGTH or has_control_characters(name):
        raise ValidationError({"name": str(messages.CLIENT_NAME_INVALID(most=MAX_NAME_LENGTH))})
    listed = uris.split()
    if len(listed) > MAX_URIS:
        raise ValidationError({"redirect_uris": str(messages.TOO_MANY_REDIRECT_URIS(most=MAX_URIS))})
    for uri in listed:
        if len(uri) > MAX_URI_LENGTH:
            raise ValidationError({"redirect_uris": str(messages.REDIRECT_URI_TOO_LONG(most=MAX_URI_LENGTH))})
        if uri.lower().startswith("http:") and not is_loopback(uri):
            raise ValidationError({"redirect_uris": str(messages.REDIRECT_URI_NOT_HTTPS)})
        if "@" in urlsplit(uri).netloc:
            raise ValidationError({"redirect_uris": str(messages.REDIRECT_URI_HAS_USER)})
