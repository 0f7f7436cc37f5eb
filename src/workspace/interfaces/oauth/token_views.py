"""The token and revocation endpoints, which the protocol library answers. No input causes a server error."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from django.http import HttpRequest, HttpResponse, JsonResponse
from django.views.decorators.csrf import csrf_exempt
from oauth2_provider.oauth2_backends import get_oauthlib_core

MAX_BODY_BYTES = 32 * 1024


@csrf_exempt
def token(request: HttpRequest) -> HttpResponse:
    """Exchange a code or refresh token for an access token and the next refresh token."""
    return _protocol_response(request, lambda: get_oauthlib_core().create_token_response(request))


@csrf_exempt
def revoke(request: HttpRequest) -> HttpResponse:
    """Revoke a token (RFC 7009). An access token is revoked together with its refresh token."""
    return _protocol_response(request, lambda: get_oauthlib_core().create_revocation_response(request))


def _protocol_response(
    request: HttpRequest, ask: Callable[[], tuple[Any, dict[str, str], str | None, int]]
) -> HttpResponse:
    if request.method != "POST":
        response = _invalid_request("Use POST", 405)
        response.headers["Allow"] = "POST"
        return response
    if request.content_type != "application/x-www-form-urlencoded":
        return _invalid_request("Send the parameters as application/x-www-form-urlencoded")
    if len(request.body) > MAX_BODY_BYTES:
        return _invalid_request("The request is too large", 413)
    try:
        _, headers, body, status = ask()
    except ValueError:
        # the library raises this for malformed encodings, and the database for some characters
        return _invalid_request("The request is not valid")
    response = HttpResponse(body or "", status=status, content_type="application/json")
    for name, value in headers.items():
        response.headers[name] = value
    response.headers["Cache-Control"] = "no-store"
    return response


def _invalid_request(description: str, status: int = 400) -> HttpResponse:
    response = JsonResponse({"error": "invalid_request", "error_description": description}, status=status)
    response.headers["Cache-Control"] = "no-store"
    return response
