"""Answers and refusals as the reference's JSON, the same for every endpoint. A call is answered as an `Asked` by a
`Reply`, which know nothing of Django: its own objects took longer to make than most calls to answer."""

from __future__ import annotations

import logging
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from django.core.exceptions import RequestDataTooBig, SuspiciousOperation
from django.http import HttpRequest, HttpResponse
from django.http.multipartparser import MultiPartParserError

from workspace.accounts.models.call_quota import Allowance
from workspace.interfaces import authentication
from workspace.lib import strict_json
from workspace.lib.errors import InvalidInput, MethodNotAllowed, RateLimited, Refusal, TooLarge, UnsupportedMediaType
from workspace.storage.database.errors import refusing
from workspace.tools.answer import Answer

log = logging.getLogger("workspace.rest")
View = Callable[[HttpRequest], HttpResponse]


@dataclass(frozen=True, slots=True)
class Asked:
    """A request. `headers` by their names in lower case; `query` as it was sent; `read` gives its body."""

    method: str
    path: str
    query: str
    headers: Mapping[str, str]
    id: str
    read: Callable[[], bytes]

    @classmethod
    def through(cls, request: HttpRequest) -> Asked:
        """As Django has it."""
        query, id = request.META.get("QUERY_STRING", ""), request.id  # type: ignore[attr-defined]  # by `request_facts`
        return cls(request.method or "", request.path, query, request.headers, id, lambda: request.body)


@dataclass(slots=True)
class Reply:
    status: int
    body: bytes
    headers: dict[str, str]

    @property
    def response(self) -> HttpResponse:
        return HttpResponse(self.body, status=self.status, headers=self.headers)


def answer(asked: Asked, view: Callable[[Asked], Reply]) -> Reply:
    """Refusals as the reference's error JSON; what nobody foresaw as a 500 that tells nothing but its request id."""
    try:
        with refusing():
            reply = view(asked)
    except Exception as error:
        reply = _failed(asked, error)
    reply.headers["Cache-Control"] = "no-store"
    return reply


def faced(view: View) -> View:
    """The same around a view of Django's."""

    def wrapped(request: HttpRequest) -> HttpResponse:
        try:
            with refusing():
                response = view(request)
        except Exception as error:
            response = _failed(Asked.through(request), error).response
        response.headers["Cache-Control"] = "no-store"
        return response

    return wrapped


def _failed(asked: Asked, error: Exception) -> Reply:
    if isinstance(error, Refusal):
        return refused(asked, error)
    if isinstance(error, RequestDataTooBig):
        return refused(asked, TooLarge("The body is too large"))
    if isinstance(error, MultiPartParserError | SuspiciousOperation):
        return refused(asked, InvalidInput.at("", "The body cannot be read"))
    log.error("request %s failed", asked.id, exc_info=error)
    body = {"ok": False, "error": "internal_error", "message": "Something went wrong here. Please try again."}
    return _reply({**body, "request_id": asked.id}, 500)


def _reply(body: dict[str, Any], status: int = 200) -> Reply:
    return Reply(status, strict_json.written(body), {"Content-Type": "application/json"})


def answered(answer: Answer[Any]) -> Reply:
    reply = _reply({"ok": True, "text": answer.text, "data": answer.data})
    if answer.replayed:
        reply.headers["Idempotent-Replayed"] = "true"
    return reply


def refused(asked: Asked, refusal: Refusal) -> Reply:
    told = refusal.extra()
    body = {"ok": False, "error": refusal.code, "message": refusal.message, **told, "request_id": asked.id}
    reply = _reply(body, refusal.status)
    if refusal.status == 401:
        reply.headers["WWW-Authenticate"] = authentication.challenge_to(asked.headers.get("authorization", ""))
    if "retryAfter" in told:
        reply.headers["Retry-After"] = str(told["retryAfter"])
    if isinstance(refusal, RateLimited):
        reply.headers |= authentication.limits(refusal.limit, 0, refusal.retry_after)
    if isinstance(refusal, MethodNotAllowed):
        reply.headers["Allow"] = refusal.allow
    return reply


def metered(reply: Reply, allowance: Allowance | None) -> Reply:
    """Tells what is left of the day."""
    if allowance is not None:
        reply.headers |= authentication.limits(allowance.limit, allowance.left, allowance.resets_in)
    return reply


def unpacked(content_encoding: str) -> None:
    """Refuses a body that comes compressed: its size could not be judged before it is unpacked."""
    if content_encoding.strip().lower() not in ("", "identity"):
        raise UnsupportedMediaType("Send the body as it is, without Content-Encoding")


def only(method: str | None, *methods: str) -> None:
    if method not in methods:
        raise MethodNotAllowed(f"Use {' or '.join(m for m in methods if m != 'HEAD')} here", methods)
