"""Answers and refusals as the reference's JSON, the same for every endpoint."""

from __future__ import annotations

import logging
from collections.abc import Callable
from typing import Any

from django.core.exceptions import RequestDataTooBig, SuspiciousOperation
from django.http import HttpRequest, HttpResponse
from django.http.multipartparser import MultiPartParserError
from django.views.decorators.csrf import csrf_exempt

from workspace.accounts.models.meter import Allowance
from workspace.interfaces import callers
from workspace.storage.trouble import refusing
from workspace.toolkit import json
from workspace.toolkit.answer import Answer
from workspace.toolkit.errors import (
    InvalidInput,
    MethodNotAllowed,
    RateLimited,
    Refusal,
    TooLarge,
    UnsupportedMediaType,
)

log = logging.getLogger("workspace.rest")
View = Callable[[HttpRequest], HttpResponse]


def faced(view: View) -> View:
    """Refusals as the reference's error JSON; what nobody foresaw as a 500 that tells nothing but its request id."""

    @csrf_exempt
    def wrapped(request: HttpRequest) -> HttpResponse:
        response: HttpResponse
        try:
            with refusing():
                response = view(request)
        except Refusal as refusal:
            response = refused(request, refusal)
        except RequestDataTooBig:
            response = refused(request, TooLarge("The body is too large"))
        except (MultiPartParserError, SuspiciousOperation):
            response = refused(request, InvalidInput.at("", "The body cannot be read"))
        except Exception:
            log.exception("request %s failed", request.id)  # type: ignore[attr-defined]
            body = {"ok": False, "error": "internal_error", "message": "Something went wrong here. Please try again."}
            response = reply(request, body, status=500)
        response.headers["Cache-Control"] = "no-store"
        return response

    return wrapped


def reply(request: HttpRequest, body: dict[str, Any], status: int = 200) -> HttpResponse:
    if not body["ok"]:
        body["request_id"] = request.id  # type: ignore[attr-defined]
    return HttpResponse(json.written(body), status=status, content_type="application/json")


def answered(request: HttpRequest, answer: Answer[Any]) -> HttpResponse:
    response = reply(request, {"ok": True, "text": answer.text, "data": answer.data})
    if answer.replayed:
        response.headers["Idempotent-Replayed"] = "true"
    return response


def refused(request: HttpRequest, refusal: Refusal) -> HttpResponse:
    body = {"ok": False, "error": refusal.code, "message": refusal.message, **refusal.extra()}
    response = reply(request, body, refusal.status)
    if refusal.status == 401:
        response.headers["WWW-Authenticate"] = callers.challenge_to(request.headers.get("Authorization", ""))
    if "retryAfter" in body:
        response.headers["Retry-After"] = str(body["retryAfter"])
    if isinstance(refusal, RateLimited):
        _tell(response, callers.limits(refusal.limit, 0, refusal.retry_after))
    if isinstance(refusal, MethodNotAllowed):
        response.headers["Allow"] = refusal.allow
    return response


def metered(response: HttpResponse, allowance: Allowance | None) -> HttpResponse:
    """Tells what is left of the day."""
    if allowance is not None:
        _tell(response, callers.limits(allowance.limit, allowance.left, allowance.resets_in))
    return response


def _tell(response: HttpResponse, headers: dict[str, str]) -> None:
    for name, value in headers.items():
        response.headers[name] = value


def unpacked(request: HttpRequest) -> None:
    """Refuses a body that comes compressed: its size could not be judged before it is unpacked."""
    if request.META.get("HTTP_CONTENT_ENCODING", "").strip().lower() not in ("", "identity"):
        raise UnsupportedMediaType("Send the body as it is, without Content-Encoding")


def only(request: HttpRequest, *methods: str) -> None:
    if request.method not in methods:
        raise MethodNotAllowed(f"Use {' or '.join(m for m in methods if m != 'HEAD')} here", methods)
