"""What a token is for (RFC 8707): this installation, under the address of its connector."""

from __future__ import annotations

from urllib.parse import urlsplit

from django.conf import settings

# One server answers all of these with the same tools, so a client may name it by any of them.
_PATHS = ("", "/mcp", "/api/v1")
_PORTS = {"http": 80, "https": 443}


def identifier() -> str:
    """The resource that every token is bound to."""
    return f"{settings.BASE_URL}/mcp"


def metadata_url() -> str:
    """Where RFC 9728 puts the resource's description."""
    return f"{settings.BASE_URL}/.well-known/oauth-protected-resource/mcp"


def matches_service(uri: str) -> bool:
    """Whether a resource indicator means this installation. A query (`?products=qr`) narrows what a connection lists,
    not who it is."""
    try:
        asked, own = urlsplit(uri), urlsplit(settings.BASE_URL)
        same_port = (asked.port or _PORTS.get(asked.scheme)) == (own.port or _PORTS.get(own.scheme))
    except ValueError:
        return False
    return (
        asked.scheme == own.scheme
        and asked.hostname == own.hostname
        and same_port
        and "@" not in asked.netloc
        and "#" not in uri
        and asked.path.rstrip("/") in _PATHS
    )
