"""Who may send more than a text. What a stranger sends is read, and kept on disk meanwhile, before anybody looks at it:
so a large body is taken only with a key, a token or a sign-in that is live, where guests send pictures, or for a paper
to be checked."""

from __future__ import annotations

from django.conf import settings
from django.contrib.auth import SESSION_KEY
from django.contrib.sessions.backends.db import SessionStore
from django.http import parse_cookie

from workspace.interfaces import callers
from workspace.interfaces.http.asgi_types import Scope
from workspace.interfaces.http.refusal import Refused
from workspace.publishing import verify_page
from workspace.publishing.things import manifests
from workspace.storage.trouble import refusing
from workspace.toolkit.errors import Refusal, Unauthorized

_CALLS = ("/api/", "/mcp")


def refusal(scope: Scope) -> Refused | None:
    """Why a large body of this request is not taken; None where it is."""
    headers = dict(scope["headers"])
    path = scope["path"].lower()
    try:
        with refusing():
            if path.startswith(_CALLS):
                callers.caller_of(headers.get(b"authorization", b"").decode("latin-1"))
            elif (
                not _takes_files(path)
                and not _is_paper(path, headers)
                and not _is_signed_in(headers.get(b"cookie", b"").decode("latin-1"))
            ):
                return Refused(
                    413, "too_large", "That is too large for who is not signed in. Please sign in, or send less."
                )
    except Refusal as error:
        told = error.extra().get("retryAfter")
        challenge = callers.challenge_to(headers.get(b"authorization", b"").decode("latin-1")).encode()
        more = [(b"www-authenticate", challenge)] if isinstance(error, Unauthorized) else []
        return Refused(error.status, error.code, error.message, retry_after=told, headers=more)
    return None


def _takes_files(path: str) -> bool:
    return any(product.guests_send_files and path.startswith(product.path) for product in manifests())


def _is_paper(path: str, headers: dict[bytes, bytes]) -> bool:
    """Whether it is one to be checked, that says how large it is: what surrounds the file takes little."""
    length = headers.get(b"content-length", b"")
    most = verify_page.MAX_BYTES + 16 * 1024
    return path == verify_page.PATH and length.isdigit() and len(length) < 12 and int(length) <= most


def _is_signed_in(cookies: str) -> bool:
    key = parse_cookie(cookies).get(settings.SESSION_COOKIE_NAME)
    return key is not None and SessionStore(key).get(SESSION_KEY) is not None
