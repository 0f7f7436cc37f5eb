"""Responses to unexpected errors in any layer of Django.

A failing database or disk gives a 503, anything else a 500, each in the format that the client reads.
"""

from __future__ import annotations

import re
import sys
from functools import lru_cache

from django.http import HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import render
from django.template.loader import render_to_string
from django.views.defaults import page_not_found

from workspace.accounts.plans import PRODUCTS
from workspace.interfaces.server.asgi_types import Scope
from workspace.lib.errors import UnavailableError
from workspace.public_site.guest_page import render_state
from workspace.publishing.language import match_supported, preferred_language
from workspace.publishing.locale import Locale, use_locale, with_guest_locale
from workspace.storage.database.errors import find_storage_failure

_MACHINE_PREFIXES = (
    "/api/",
    "/oauth/token",
    "/token",
    "/oauth/revoke",
    "/oauth/register",
    "/register",
    "/.well-known/",
)
_GUEST_PREFIXES = (*(product.path for product in PRODUCTS.values()), "/pictures/", "/report/", "/guests/")


def server_error(request: HttpRequest) -> HttpResponse:
    """Return the response for Django's handler500, which is called while the error is being handled."""
    error = sys.exc_info()[1]
    if isinstance(error, UnavailableError):
        return _unavailable_response(request, error)
    trouble = find_storage_failure(error)
    if trouble is not None:
        return _unavailable_response(request, trouble.to_error())
    if _is_machine(request):
        body = {"ok": False, "error": "internal_error", "message": "Something went wrong. Try again."}
        return JsonResponse(
            {**body, "request_id": _request_id(request)}, status=500, headers={"Cache-Control": "no-store"}
        )
    if _is_guest(request):
        return _render_guest_error(request, 500, mistake=True)
    return render(request, "500.html", status=500)


def not_found(request: HttpRequest, exception: Exception) -> HttpResponse:
    """Return the response for Django's handler404, which is a guest page for paths of products."""
    if _is_guest(request) and not _is_machine(request):
        return render_state(request, "", "unknown")
    return page_not_found(request, exception)


def _unavailable_response(request: HttpRequest, refusal: UnavailableError) -> HttpResponse:
    response: HttpResponse
    if _is_machine(request):
        body = {"ok": False, "error": refusal.code, "message": refusal.message, **refusal.extra()}
        response = JsonResponse({**body, "request_id": _request_id(request)}, status=refusal.status)
    elif _is_guest(request):
        response = _render_guest_error(request, refusal.status)
    else:
        # without the request: a page that looks up the signed-in person would query the database again
        text = render_to_string("503.html", {"sent": _is_submission(request), "id": _request_id(request)})
        response = HttpResponse(text, status=refusal.status)
    response.headers["Retry-After"] = str(refusal.retry_after)
    response.headers["Cache-Control"] = "no-store"
    return response


@with_guest_locale
def _render_guest_error(request: HttpRequest, status: int, *, mistake: bool = False) -> HttpResponse:
    context = {"sent": _is_submission(request), "id": _request_id(request), "mistake": mistake}
    return HttpResponse(render_to_string("public/unavailable.html", context), status=status)


def error_page(scope: Scope, status: int) -> tuple[bytes, str] | None:
    """Return the error page for a guest's browser, in its language.

    It is used when the server itself rejects a request (too many, too large, internal error). Return None for clients
    that read JSON.
    """
    headers = dict(scope["headers"])
    reads = b"text/html" in headers.get(b"accept", b"") and scope["path"].lower().startswith(_GUEST_PREFIXES)
    if status not in (413, 429, 500, 503) or not reads:
        return None
    chosen = re.search(rb"(?:^|&)lang=([a-z]{2})\b", scope.get("query_string", b""))
    accepted = headers.get(b"accept-language", b"").decode("latin-1")
    language = (match_supported(chosen[1].decode()) if chosen else None) or preferred_language(accepted)
    return _render_error_page(language, scope["method"] not in ("GET", "HEAD"), status), language


@lru_cache
def _render_error_page(language: str, was_reported: bool, status: int) -> bytes:
    context = {"sent": was_reported, "mistake": status == 500, "too_large": status == 413}
    with use_locale(Locale(language)):
        return render_to_string("public/unavailable.html", context).encode()


def _is_submission(request: HttpRequest) -> bool:
    return request.method not in ("GET", "HEAD")


def _is_guest(request: HttpRequest) -> bool:
    return request.path.lower().startswith(_GUEST_PREFIXES)


def _is_machine(request: HttpRequest) -> bool:
    return request.path.startswith(_MACHINE_PREFIXES) or request.headers.get("Accept", "").startswith(
        "application/json"
    )


def _request_id(request: HttpRequest) -> str:
    return getattr(request, "id", "")
