"""Facts and headers that every request of Django's gets."""

from __future__ import annotations

import uuid
from collections.abc import Callable

from django.core.exceptions import DisallowedHost
from django.http import HttpRequest, HttpResponse, JsonResponse

GetResponse = Callable[[HttpRequest], HttpResponse]

# No form-action: Chromium applies it to the redirect after the consent form, whose target is the client's own address.
POLICY = (
    "default-src 'self'; img-src 'self' data: blob:; style-src 'self'; script-src 'self'; "
    "object-src 'none'; base-uri 'none'; frame-ancestors 'none'"
)


def request_facts(get_response: GetResponse) -> GetResponse:
    """`request.id` and `request.client_address`, from the bridge where it stands in front (tests may call Django
    straight)."""

    def middleware(request: HttpRequest) -> HttpResponse:
        request.id = request.META.get("workspace.request_id") or uuid.uuid4().hex  # type: ignore[attr-defined]
        request.client_address = request.META.get("workspace.client_address") or request.META.get(  # type: ignore[attr-defined]
            "REMOTE_ADDR", ""
        )
        response = _wrong_host(request) or get_response(request)
        response.headers.setdefault("X-Request-Id", request.id)  # type: ignore[attr-defined]
        if response.status_code == 503:
            response.headers.setdefault("Retry-After", "5")
        if (page := getattr(response, "kept_page", None)) is not None and page.headers is None:
            page.remember(response)
        return response

    return middleware


def security_headers(get_response: GetResponse) -> GetResponse:
    def middleware(request: HttpRequest) -> HttpResponse:
        response = get_response(request)
        response.headers.setdefault("Content-Security-Policy", POLICY)
        response.headers.setdefault("Permissions-Policy", "camera=(), geolocation=(), microphone=()")
        return response

    return middleware


def _wrong_host(request: HttpRequest) -> HttpResponse | None:
    """The API's JSON for a host that is not ours; pages get Django's own answer."""
    if not request.path.startswith("/api/"):
        return None
    try:
        request.get_host()
    except DisallowedHost:
        message = "This service does not answer under that host name: use its base URL"
        body = {"ok": False, "error": "invalid_input", "message": message, "issues": [{"path": "", "message": message}]}
        return JsonResponse(body, status=400, headers={"Cache-Control": "no-store"})
    return None
