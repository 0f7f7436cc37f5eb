"""Middleware for every request to Django."""

from __future__ import annotations

import uuid
from collections.abc import Callable

from django.core.exceptions import DisallowedHost
from django.http import HttpRequest, HttpResponse, JsonResponse
from django.utils.cache import patch_vary_headers

from workspace.dashboard.compressible_pages import is_compressible
from workspace.lib import etags
from workspace.lib.compression import accepts_gzip, gzip_body, should_compress
from workspace.lib.content_security_policy import build_policy, collect_style_hashes

GetResponse = Callable[[HttpRequest], HttpResponse]


def set_request_facts(get_response: GetResponse) -> GetResponse:
    """Set `request.id` and `request.client_address` from the bridge, if there is one.

    Tests may call Django directly.
    """

    def middleware(request: HttpRequest) -> HttpResponse:
        request.id = request.META.get("workspace.request_id") or uuid.uuid4().hex  # type: ignore[attr-defined]
        request.client_address = request.META.get("workspace.client_address") or request.META.get(  # type: ignore[attr-defined]
            "REMOTE_ADDR", ""
        )
        response = _reject_wrong_host(request) or get_response(request)
        response.headers.setdefault("X-Request-Id", request.id)  # type: ignore[attr-defined]
        if response.status_code == 503:
            response.headers.setdefault("Retry-After", "5")
        return response

    return middleware


def compress_responses(get_response: GetResponse) -> GetResponse:
    """Compress text responses for clients that accept compression. Each encoding has its own ETag.

    Responses with `no-store` are not compressed, because they may contain a key, a token or a sign-in link, which the
    compressed length would reveal. Exceptions are the API, which third parties cannot make a caller request, and the
    products' own pages, which contain no such secret. (Django masks its form token differently each time.)
    """

    def middleware(request: HttpRequest) -> HttpResponse:
        response = get_response(request)
        if response.status_code == 304 and (tag := response.headers.get("ETag")):
            response.headers["ETag"] = etags.find_matching_etag(tag, request.headers.get("If-None-Match")) or tag
            patch_vary_headers(response, ["Accept-Encoding"])  # as for the full response
        if response.streaming or response.has_header("Content-Encoding") or not _can_compress(request, response):
            return response
        worth = should_compress(response.headers.get("Content-Type", ""), len(response.content))
        if worth:
            patch_vary_headers(response, ["Accept-Encoding"])
        page = getattr(response, "kept_page", None)
        if page is not None and page.headers is None:
            page.store_headers(response)
        if worth and accepts_gzip(request.META.get("HTTP_ACCEPT_ENCODING", "")):
            response.content = page.gzip if page is not None else gzip_body(response.content)
            response.headers["Content-Encoding"] = "gzip"
            # this is the length of the uncompressed text: a browser would wait for the rest
            if response.has_header("Content-Length"):
                response.headers["Content-Length"] = str(len(response.content))
            if response.has_header("ETag"):
                response.headers["ETag"] = etags.to_gzip_etag(response["ETag"])
        return response

    return middleware


def _can_compress(request: HttpRequest, response: HttpResponse) -> bool:
    if request.path.startswith("/api/"):
        return True
    if request.resolver_match is None:
        return False
    view = request.resolver_match.func
    is_kept = "no-store" not in response.headers.get("Cache-Control", "")
    # not the library's sign-in pages
    return is_compressible(view) or (is_kept and view.__module__.startswith("workspace."))


def add_security_headers(get_response: GetResponse) -> GetResponse:
    def middleware(request: HttpRequest) -> HttpResponse:
        with collect_style_hashes():
            response = get_response(request)
            response.headers.setdefault("Content-Security-Policy", build_policy())
        response.headers.setdefault("Permissions-Policy", "camera=(), geolocation=(), microphone=()")
        return response

    return middleware


def _reject_wrong_host(request: HttpRequest) -> HttpResponse | None:
    """Return the API's JSON error for a foreign host. Pages get Django's own response."""
    if not request.path.startswith("/api/"):
        return None
    try:
        request.get_host()
    except DisallowedHost:
        message = "This host name is not supported. Use the base URL of this service"
        body = {"ok": False, "error": "invalid_input", "message": message, "issues": [{"path": "", "message": message}]}
        return JsonResponse(body, status=400, headers={"Cache-Control": "no-store"})
    return None
