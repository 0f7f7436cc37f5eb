"""Who may send more than a text. What a stranger sends is read, and kept on disk meanwhile, before anybody looks at it:
so a large body is taken only with a key, a token or a sign-in that is live; and from anybody only at a page on which
guests send pictures, or for a paper to be checked, when it says how large it is, and so often from one address."""

from __future__ import annotations

from django.conf import settings
from django.contrib.auth import SESSION_KEY
from django.contrib.sessions.backends.db import SessionStore
from django.http import parse_cookie

from workspace.interfaces import authentication
from workspace.interfaces.server.asgi_types import Scope
from workspace.interfaces.server.error_responses import CLIENT_ADDRESS, Refused
from workspace.lib.errors import Refusal, Unauthorized
from workspace.public_site import verify_views
from workspace.public_site.spam_protection import allow_from
from workspace.publishing import verification
from workspace.publishing.items import manifests
from workspace.publishing.models import Address
from workspace.storage.database.errors import refusing

HOURLY = 60  # large bodies of strangers from one address, more than two pages take from it
_CALLS = ("/api/", "/mcp")


def refusal(scope: Scope) -> Refused | None:
    """Why a large body of this request is not taken; None where it is."""
    headers = dict(scope["headers"])
    path = scope["path"].lower()
    try:
        with refusing():
            if path.startswith(_CALLS):
                authentication.caller_of(headers.get(b"authorization", b"").decode("latin-1"))
            elif not _is_signed_in(headers.get(b"cookie", b"").decode("latin-1")):
                return _refusal_of_guest(scope, path, headers)
    except Refusal as error:
        told = error.extra().get("retryAfter")
        challenge = authentication.challenge_to(headers.get(b"authorization", b"").decode("latin-1")).encode()
        more = [(b"www-authenticate", challenge)] if isinstance(error, Unauthorized) else []
        return Refused(error.status, error.code, error.message, retry_after=told, headers=more)
    return None


def largest(scope: Scope) -> int:
    """Bytes that a body may have at most: where guests send files, several come at once."""
    headers, path = dict(scope["headers"]), scope["path"].lower()
    is_page = any(product.guests_send_files and path.startswith(product.path) for product in manifests())
    return settings.MAX_FILES if is_page and _has_files(headers) else settings.MAX_BODY


def _has_files(headers: dict[bytes, bytes]) -> bool:
    return headers.get(b"content-type", b"").lower().startswith(b"multipart/form-data")


def _refusal_of_guest(scope: Scope, path: str, headers: dict[bytes, bytes]) -> Refused | None:
    length = headers.get(b"content-length", b"")
    has_files = _has_files(headers)  # a form without any is unpacked in memory
    # in this order, so that what is refused at any rate counts for nobody
    if not length or not has_files or not (_takes_files(path) or _is_paper(path, int(length))):
        return Refused(413, "too_large", "That is too large for who is not signed in. Please sign in, or send less.")
    address = scope.get("state", {}).get(CLIENT_ADDRESS, "")
    if not allow_from(address, "large bodies", limit=HOURLY, window=3600):
        message = "Many files came from your network just now. Please send yours again in an hour."
        return Refused(429, "rate_limited", message, retry_after=3600)
    return None


def _takes_files(path: str) -> bool:
    for product in manifests():
        if product.guests_send_files and path.startswith(product.path):
            slug, slash, part = path.removeprefix(product.path).partition("/")
            return slash + part in product.guests_send_files and Address.find(product.key, slug) is not None
    return False


def _is_paper(path: str, length: int) -> bool:
    """Whether it is one to be checked: what surrounds the file takes little."""
    return path == verification.PATH and length <= verify_views.MAX_BYTES + 16 * 1024


def _is_signed_in(cookies: str) -> bool:
    key = parse_cookie(cookies).get(settings.SESSION_COOKIE_NAME)
    return key is not None and SessionStore(key).get(SESSION_KEY) is not None
