"""Limits on large request bodies from clients that are not signed in.

A body is read and stored on disk before anything checks it. A large one is therefore accepted only with a valid API
key, access token or session. Anyone else may send one only to pages where guests upload pictures, and to the
verification of files. The request must announce its length, and the number per address is limited.
"""

from __future__ import annotations

from django.conf import settings
from django.contrib.auth import SESSION_KEY
from django.contrib.sessions.backends.db import SessionStore
from django.http import parse_cookie

from workspace.interfaces import authentication
from workspace.interfaces.server.asgi_types import Scope
from workspace.interfaces.server.error_responses import CLIENT_ADDRESS, RequestRejectedError
from workspace.lib.errors import ToolError, UnauthorizedError
from workspace.public_site import verify_views
from workspace.publishing import file_verification
from workspace.publishing.items import list_manifests
from workspace.publishing.models import Address
from workspace.rate_limits.counter import consume
from workspace.storage.database.errors import translate_storage_errors

_API_PREFIXES = ("/api/", "/mcp")


def find_rejection(scope: Scope) -> RequestRejectedError | None:
    """Return an error if the body of this request is too large, or None if it is accepted."""
    headers = dict(scope["headers"])
    path = scope["path"].lower()
    try:
        with translate_storage_errors():
            if path.startswith(_API_PREFIXES):
                authentication.authenticate(headers.get(b"authorization", b"").decode("latin-1"))
            elif not _is_signed_in(headers.get(b"cookie", b"").decode("latin-1")):
                return _find_guest_rejection(scope, path, headers)
    except ToolError as error:
        retry_after = error.extra().get("retryAfter")
        challenge = authentication.build_header_challenge(headers.get(b"authorization", b"").decode("latin-1")).encode()
        more = [(b"www-authenticate", challenge)] if isinstance(error, UnauthorizedError) else []
        return RequestRejectedError(error.status, error.code, error.message, retry_after=retry_after, headers=more)
    return None


def max_body_size(scope: Scope) -> int:
    """Return the maximum size of a body, in bytes. Pages on which guests upload files accept several files at once."""
    headers, path = dict(scope["headers"]), scope["path"].lower()
    is_page = any(product.upload_paths and path.startswith(product.public_prefix) for product in list_manifests())
    return settings.MAX_FILES if is_page and _has_files(headers) else settings.MAX_BODY


def _has_files(headers: dict[bytes, bytes]) -> bool:
    return headers.get(b"content-type", b"").lower().startswith(b"multipart/form-data")


def _find_guest_rejection(scope: Scope, path: str, headers: dict[bytes, bytes]) -> RequestRejectedError | None:
    length = headers.get(b"content-length", b"")
    has_files = _has_files(headers)  # a form without files is parsed in memory
    # in this order, so that a request rejected in any case uses no quota
    if not length or not has_files or not (_accepts_files(path) or _is_verification_upload(path, int(length))):
        return RequestRejectedError(413, "too_large", "This request is too large. Sign in, or send less data.")
    address = scope.get("state", {}).get(CLIENT_ADDRESS, "")
    if not consume("large-body", address):
        message = "Too many uploads from your network. Try again in an hour."
        return RequestRejectedError(429, "rate_limited", message, retry_after=3600)
    return None


def _accepts_files(path: str) -> bool:
    for product in list_manifests():
        if product.upload_paths and path.startswith(product.public_prefix):
            slug, slash, part = path.removeprefix(product.public_prefix).partition("/")
            return slash + part in product.upload_paths and Address.find_by_slug(product.key, slug) is not None
    return False


def _is_verification_upload(path: str, length: int) -> bool:
    """Return whether the request uploads a file to verify. The rest of the form takes little space."""
    return path == file_verification.VERIFY_PATH and length <= verify_views.MAX_BYTES + 16 * 1024


def _is_signed_in(cookies: str) -> bool:
    key = parse_cookie(cookies).get(settings.SESSION_COOKIE_NAME)
    return key is not None and SessionStore(key).get(SESSION_KEY) is not None
