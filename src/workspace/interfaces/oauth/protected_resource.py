"""The resource of a token (RFC 8707): this instance, under the URL of its MCP server."""

from __future__ import annotations

from urllib.parse import urlsplit

from django.conf import settings

# One server answers all of these with the same tools, so a client may use any of them.
_PATHS = ("", "/mcp", "/api/v1")
_PORTS = {"http": 80, "https": 443}


def resource_identifier() -> str:
    """Return the resource to which every token is bound."""
    return f"{settings.BASE_URL}/mcp"


def metadata_url() -> str:
    """Return the URL of the resource's metadata (RFC 9728)."""
    return f"{settings.BASE_URL}/.well-known/oauth-protected-resource/mcp"


def is_this_instance(uri: str) -> bool:
    """Return whether a resource indicator refers to this instance.

    A query (`?products=qr`) limits what a connection lists, but does not change the resource.
    """
    try:
        requested, own = urlsplit(uri), urlsplit(settings.BASE_URL)
        same_port = (requested.port or _PORTS.get(requested.scheme)) == (own.port or _PORTS.get(own.scheme))
    except ValueError:
        return False
    return (
        requested.scheme == own.scheme
        and requested.hostname == own.hostname
        and same_port
        and "@" not in requested.netloc
        and "#" not in uri
        and requested.path.rstrip("/") in _PATHS
    )
