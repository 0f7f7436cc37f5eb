"""A page that answers a guest's post gets an address of its own, and the browser is redirected to it. Back, Forward and
Reload then show the page with everything that was typed, and nothing is sent twice.

The address holds a random word only. The page is stored for a short time, in the cache that all servers share, sealed
with the word: neither a database nor a log tells what a guest typed. It opens only for the same network and browser.
Where a page cannot be stored, it is the answer to the post, as without a redirect.
"""

from __future__ import annotations

import hashlib
import json
import secrets
import time
import zlib
from collections.abc import Callable
from functools import wraps
from typing import Concatenate, ParamSpec

from cryptography.exceptions import InvalidTag
from cryptography.hazmat.primitives.ciphers.aead import AESGCM
from django.core.cache import cache
from django.db import DatabaseError
from django.http import HttpRequest, HttpResponse, HttpResponseRedirect, QueryDict

from workspace.analytics.visitor import client_address, truncated

FIELD = "answered"
LIFE = 15 * 60  # seconds
MOST = 1000  # pages within LIFE, so that a flood fills neither the memory nor the table
LARGEST = 24_000  # bytes, compressed
_NONCE = bytes(12)  # each word seals one page
_SKIPPED = frozenset(("content-length", "set-cookie"))

P = ParamSpec("P")
View = Callable[Concatenate[HttpRequest, P], HttpResponse]


def redirecting(view: View[P]) -> View[P]:
    """Redirect a browser to the page that answers its post."""

    @wraps(view)
    def answered(request: HttpRequest, /, *args: P.args, **kwargs: P.kwargs) -> HttpResponse:
        word = _take_word(request)
        if word and request.method in ("GET", "HEAD") and (page := _find(request, word)) is not None:
            return page
        response = view(request, *args, **kwargs)
        if request.method == "POST" and _is_navigation(request) and _is_page(response):
            return _store(request, response) or response
        return response

    return answered


def _take_word(request: HttpRequest) -> str:
    """Return the word of the address, and show the address to the view without it."""
    if FIELD not in request.GET:
        return ""
    query = request.GET.copy()
    word = str(query.pop(FIELD)[-1])
    request.META["QUERY_STRING"] = query.urlencode()
    request.GET = QueryDict(request.META["QUERY_STRING"])
    return word[:64]


def _is_navigation(request: HttpRequest) -> bool:
    """Whether the browser shows the answer as a page; a script reads it by itself."""
    mode = request.headers.get("Sec-Fetch-Mode")
    return mode == "navigate" if mode else request.headers.get("Upgrade-Insecure-Requests") == "1"


def _is_page(response: HttpResponse) -> bool:
    is_html = response.headers.get("Content-Type", "").startswith("text/html")
    return is_html and not response.streaming and not response.cookies and "Location" not in response.headers


def _store(request: HttpRequest, response: HttpResponse) -> HttpResponse | None:
    headers = {name: value for name, value in response.items() if name.lower() not in _SKIPPED}
    head = json.dumps([response.status_code, headers]).encode()
    content = zlib.compress(head + b"\n" + response.content)
    if len(content) > LARGEST or not _has_place():
        return None
    word = secrets.token_urlsafe(24)
    try:
        cache.set(_key(request, word), _cipher(word).encrypt(_NONCE, content, None), LIFE)
    except DatabaseError:
        return None
    query = request.GET.copy()
    query[FIELD] = word
    redirect = HttpResponseRedirect(f"{request.path}?{query.urlencode()}", status=303)
    redirect.headers["Cache-Control"] = "no-store"
    return redirect


def _find(request: HttpRequest, word: str) -> HttpResponse | None:
    try:
        sealed = cache.get(_key(request, word))
        head, _, body = zlib.decompress(_cipher(word).decrypt(_NONCE, sealed or b"", None)).partition(b"\n")
    except (DatabaseError, InvalidTag, ValueError):
        return None
    status, headers = json.loads(head)
    response = HttpResponse(body, status=status, headers=headers)
    response.headers["Cache-Control"] = "no-store"
    response.headers["X-Robots-Tag"] = "noindex"
    return response


def _has_place() -> bool:
    key = f"answered:count:{int(time.time()) // LIFE}"
    try:
        cache.add(key, 0, LIFE)
        return cache.incr(key) <= MOST
    except (DatabaseError, ValueError):  # ValueError: the count has just ended
        return False


def _key(request: HttpRequest, word: str) -> str:
    told = "\0".join((word, str(truncated(client_address(request))), request.headers.get("User-Agent", "")))
    return f"answered:{hashlib.sha256(told.encode('utf-8', 'replace')).hexdigest()}"


def _cipher(word: str) -> AESGCM:
    return AESGCM(hashlib.sha256(b"answered:" + word.encode()).digest())
