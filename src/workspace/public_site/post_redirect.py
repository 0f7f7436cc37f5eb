"""Redirects after posts: the page that responds to a guest's post gets its own URL.

Back, Forward and Reload then show the page with all values, and nothing is sent twice. The URL contains only a random
word. The page is stored briefly in the cache that all servers share, encrypted with the word. Therefore, neither a
database nor a log contains a guest's input. The page opens only in the same network and browser. If a page cannot be
stored, it is returned without a redirect.
"""

from __future__ import annotations

import hashlib
import json
import secrets
import time
import zlib
from collections.abc import Callable, Iterable
from functools import wraps
from typing import Concatenate, ParamSpec

from cryptography.exceptions import InvalidTag
from cryptography.hazmat.primitives.ciphers.aead import AESGCM
from django.core.cache import cache
from django.db import DatabaseError
from django.http import HttpRequest, HttpResponse, HttpResponseRedirect, QueryDict

from workspace.lib.content_security_policy import allow_styles, collect_style_hashes
from workspace.rate_limits.counter import consume
from workspace.rate_limits.table import get_limit
from workspace.storage.client_address import client_address, truncate_address

QUERY_FIELD = "answered"
LIFETIME_SECONDS = 15 * 60
MAX_PAGE_BYTES = 24_000  # compressed
_NONCE = bytes(12)  # a constant, because each word encrypts only one page
_SKIPPED_HEADERS = frozenset(("content-length", "set-cookie"))

P = ParamSpec("P")
View = Callable[Concatenate[HttpRequest, P], HttpResponse]


def redirect_posts(view: View[P]) -> View[P]:
    """Redirect a browser to the page that responds to its post."""

    @wraps(view)
    def answered(request: HttpRequest, /, *args: P.args, **kwargs: P.kwargs) -> HttpResponse:
        word = _pop_word(request)
        if word and request.method in ("GET", "HEAD") and (page := _load_page(request, word)) is not None:
            return page
        with collect_style_hashes() as style_hashes:
            response = view(request, *args, **kwargs)
        if request.method == "POST" and _is_navigation(request) and _is_page(response):
            return _store_page(request, response, style_hashes) or response
        return response

    return answered


def _pop_word(request: HttpRequest) -> str:
    """Remove the word of the URL from the request and return it."""
    if QUERY_FIELD not in request.GET:
        return ""
    query = request.GET.copy()
    word = str(query.pop(QUERY_FIELD)[-1])
    request.META["QUERY_STRING"] = query.urlencode()
    request.GET = QueryDict(request.META["QUERY_STRING"])
    return word[:64]


def _is_navigation(request: HttpRequest) -> bool:
    """Return whether the browser displays the response as a page, so that no script reads it."""
    mode = request.headers.get("Sec-Fetch-Mode")
    return mode == "navigate" if mode else request.headers.get("Upgrade-Insecure-Requests") == "1"


def _is_page(response: HttpResponse) -> bool:
    is_html = response.headers.get("Content-Type", "").startswith("text/html")
    return is_html and not response.streaming and not response.cookies and "Location" not in response.headers


def _store_page(request: HttpRequest, response: HttpResponse, style_hashes: Iterable[str]) -> HttpResponse | None:
    headers = {name: value for name, value in response.items() if name.lower() not in _SKIPPED_HEADERS}
    head = json.dumps([response.status_code, headers, list(style_hashes)]).encode()
    content = zlib.compress(head + b"\n" + response.content)
    if len(content) > MAX_PAGE_BYTES or not _has_quota():
        return None
    word = secrets.token_urlsafe(24)
    try:
        cache.set(_cache_key(request, word), _build_cipher(word).encrypt(_NONCE, content, None), LIFETIME_SECONDS)
    except DatabaseError:
        return None
    query = request.GET.copy()
    query[QUERY_FIELD] = word
    redirect = HttpResponseRedirect(f"{request.path}?{query.urlencode()}", status=303)
    redirect.headers["Cache-Control"] = "no-store"
    return redirect


def _load_page(request: HttpRequest, word: str) -> HttpResponse | None:
    try:
        sealed = cache.get(_cache_key(request, word))
        head, _, body = zlib.decompress(_build_cipher(word).decrypt(_NONCE, sealed or b"", None)).partition(b"\n")
    except (DatabaseError, InvalidTag, ValueError):
        return None
    status, headers, style_hashes = json.loads(head)
    allow_styles(style_hashes)
    response = HttpResponse(body, status=status, headers=headers)
    response.headers["Cache-Control"] = "no-store"
    response.headers["X-Robots-Tag"] = "noindex"
    return response


def _has_quota() -> bool:
    window = get_limit("answered-page").window
    key = f"answered:count:{int(time.time()) // window}"
    try:
        cache.add(key, 0, window)
        return consume("answered-page", used=cache.incr(key) - 1).is_granted
    except (DatabaseError, ValueError):  # ValueError: the counter has just expired
        return False


def _cache_key(request: HttpRequest, word: str) -> str:
    content = "\0".join((word, str(truncate_address(client_address(request))), request.headers.get("User-Agent", "")))
    return f"answered:{hashlib.sha256(content.encode('utf-8', 'replace')).hexdigest()}"


def _build_cipher(word: str) -> AESGCM:
    return AESGCM(hashlib.sha256(b"answered:" + word.encode()).digest())
