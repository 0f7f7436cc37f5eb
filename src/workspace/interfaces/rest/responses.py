"""JSON responses and errors, the same for every endpoint.

A call takes an `ApiRequest` and returns an `ApiReply`. Both are independent of Django, whose objects take longer to
create than most calls to run.
"""

from __future__ import annotations

import logging
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from django.core.exceptions import RequestDataTooBig, SuspiciousOperation
from django.http import HttpRequest, HttpResponse
from django.http.multipartparser import MultiPartParserError

from workspace.interfaces import authentication
from workspace.lib import strict_json
from workspace.lib.errors import (
    InvalidInputError,
    MethodNotAllowedError,
    RateLimitedError,
    TooLargeError,
    ToolError,
    UnsupportedMediaTypeError,
)
from workspace.rate_limits.allowance import Allowance
from workspace.storage.database.errors import translate_storage_errors
from workspace.tools.answer import Answer

log = logging.getLogger("workspace.rest")
View = Callable[[HttpRequest], HttpResponse]


@dataclass(frozen=True, slots=True)
class ApiRequest:
    """An API request: `headers` by lowercase name, `query` as sent, and `read_body` to read the body."""

    method: str
    path: str
    query: str
    headers: Mapping[str, str]
    id: str
    read_body: Callable[[], bytes]

    @classmethod
    def from_django(cls, request: HttpRequest) -> ApiRequest:
        """Build an ApiRequest from Django's request."""
        query, id = request.META.get("QUERY_STRING", ""), request.id  # type: ignore[attr-defined]  # by `request_facts`
        return cls(request.method or "", request.path, query, request.headers, id, lambda: request.body)


@dataclass(slots=True)
class ApiReply:
    """An API response. `response` converts it to Django's."""

    status: int
    body: bytes
    headers: dict[str, str]

    @property
    def response(self) -> HttpResponse:
        return HttpResponse(self.body, status=self.status, headers=self.headers)


def run_view(api_request: ApiRequest, view: Callable[[ApiRequest], ApiReply]) -> ApiReply:
    """Run the view. Return errors as JSON. An unexpected error becomes a 500 that contains only the request id."""
    try:
        with translate_storage_errors():
            reply = view(api_request)
    except Exception as error:
        reply = _unexpected_error_response(api_request, error)
    reply.headers["Cache-Control"] = "no-store"
    return reply


def handle_errors(view: View) -> View:
    """Wrap a Django view in the error handling of `run_view`."""

    def wrapped(request: HttpRequest) -> HttpResponse:
        try:
            with translate_storage_errors():
                response = view(request)
        except Exception as error:
            response = _unexpected_error_response(ApiRequest.from_django(request), error).response
        response.headers["Cache-Control"] = "no-store"
        return response

    return wrapped


def _unexpected_error_response(api_request: ApiRequest, error: Exception) -> ApiReply:
    if isinstance(error, ToolError):
        return error_response(api_request, error)
    if isinstance(error, RequestDataTooBig):
        return error_response(api_request, TooLargeError("The body is too large"))
    if isinstance(error, MultiPartParserError | SuspiciousOperation):
        return error_response(api_request, InvalidInputError.at_path("", "The body cannot be read"))
    log.error("request %s failed", api_request.id, exc_info=error)
    body = {"ok": False, "error": "internal_error", "message": "Something went wrong on our side. Try again."}
    return _json_reply({**body, "request_id": api_request.id}, 500)


def _json_reply(body: dict[str, Any], status: int = 200) -> ApiReply:
    return ApiReply(status, strict_json.dumps(body), {"Content-Type": "application/json"})


def success_response(answer: Answer[Any]) -> ApiReply:
    reply = _json_reply({"ok": True, "text": answer.text, "data": answer.data})
    if answer.replayed:
        reply.headers["Idempotent-Replayed"] = "true"
    return reply


def error_response(api_request: ApiRequest, refusal: ToolError) -> ApiReply:
    extra = refusal.extra()
    body = {"ok": False, "error": refusal.code, "message": refusal.message, **extra, "request_id": api_request.id}
    reply = _json_reply(body, refusal.status)
    if refusal.status == 401:
        reply.headers["WWW-Authenticate"] = authentication.build_header_challenge(
            api_request.headers.get("authorization", "")
        )
    if "retryAfter" in extra:
        reply.headers["Retry-After"] = str(extra["retryAfter"])
    if isinstance(refusal, RateLimitedError):
        reply.headers |= authentication.rate_limit_headers(refusal.limit, 0, refusal.retry_after)
    if isinstance(refusal, MethodNotAllowedError):
        reply.headers["Allow"] = refusal.allow
    return reply


def with_quota_headers(reply: ApiReply, allowance: Allowance | None) -> ApiReply:
    """Add the headers with the remaining daily quota."""
    if allowance is not None:
        reply.headers |= authentication.rate_limit_headers(allowance.limit, allowance.remaining, allowance.resets_in)
    return reply


def check_encoding(content_encoding: str) -> None:
    """Raise UnsupportedMediaTypeError for a compressed body, whose size is unknown until it is decompressed."""
    if content_encoding.strip().lower() not in ("", "identity"):
        raise UnsupportedMediaTypeError("Send the body as it is, without Content-Encoding")


def check_method(method: str | None, *methods: str) -> None:
    """Raise MethodNotAllowedError if the method is not one of these."""
    if method not in methods:
        raise MethodNotAllowedError(f"Use {' or '.join(m for m in methods if m != 'HEAD')} for this URL", methods)
