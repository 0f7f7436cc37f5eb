"""REST: key → quota → catalogue → `perform` → JSON. It only translates."""

from __future__ import annotations

import logging
from collections.abc import Callable
from typing import Any
from urllib.parse import parse_qsl

from django.core.serializers.json import DjangoJSONEncoder
from django.http import HttpRequest, JsonResponse
from django.views.decorators.csrf import csrf_exempt

from workspace.accounts.door import perform, take_call
from workspace.accounts.models.meter import Allowance
from workspace.interfaces import callers
from workspace.interfaces.catalogue import CATALOGUE
from workspace.interfaces.rest.openapi import document
from workspace.toolkit import json
from workspace.toolkit.answer import Answer
from workspace.toolkit.errors import InvalidInput, MethodNotAllowed, NotFound, Refusal, TooLarge
from workspace.toolkit.tool import Tool
from workspace.toolkit.validation import from_query

log = logging.getLogger("workspace.rest")
DAY = 86_400
MAX_JSON = 2 * 1024 * 1024
View = Callable[[HttpRequest], JsonResponse]


def _faced(view: View) -> View:
    """Refusals as the reference's error JSON; what nobody foresaw as a 500 that tells nothing but its request id."""

    @csrf_exempt
    def wrapped(request: HttpRequest) -> JsonResponse:
        try:
            response = view(request)
        except Refusal as refusal:
            response = refused(request, refusal)
        except Exception:
            log.exception("request %s failed", request.id)  # type: ignore[attr-defined]
            response = _json(
                request,
                {"ok": False, "error": "internal_error", "message": "Something went wrong here. Please try again."},
                status=500,
            )
        response.headers["Cache-Control"] = "no-store"
        return response

    return wrapped


def _json(request: HttpRequest, body: dict[str, Any], status: int = 200) -> JsonResponse:
    if not body["ok"]:
        body["request_id"] = request.id  # type: ignore[attr-defined]
    return JsonResponse(body, status=status, encoder=DjangoJSONEncoder, json_dumps_params={"ensure_ascii": False})


def refused(request: HttpRequest, refusal: Refusal) -> JsonResponse:
    body = {"ok": False, "error": refusal.code, "message": refusal.message, **refusal.extra()}
    response = _json(request, body, refusal.status)
    if refusal.status == 401:
        response.headers["WWW-Authenticate"] = callers.challenge()
    if "retryAfter" in body:
        response.headers["Retry-After"] = str(body["retryAfter"])
    allow = getattr(refusal, "allow", None)
    if allow:
        response.headers["Allow"] = allow
    return response


@_faced
def tools(request: HttpRequest) -> JsonResponse:
    """The catalogue. It needs no key and costs no call, so that a client can look before it signs in."""
    _only(request, "GET", "HEAD", "POST")
    found = CATALOGUE.describe()
    lines = [f"- `{tool['name']}` {tool['title']}" for tool in found]
    return _json(request, {"ok": True, "text": "\n".join(["Tools:", "", *lines]), "data": {"tools": found}})


@_faced
def openapi(request: HttpRequest) -> JsonResponse:
    _only(request, "GET", "HEAD")
    return JsonResponse(document())


@_faced
def call(request: HttpRequest) -> JsonResponse:
    """Any tool by its name: {name, arguments}."""
    _only(request, "POST")

    def what() -> tuple[Tool, Any]:
        body = _body(request)
        issues = []
        if "name" not in body:
            issues.append(("name", "Required"))
        elif not isinstance(body["name"], str):
            issues.append(("name", "Expected text"))
        issues += [(name, "Unknown argument") for name in body if name not in ("name", "arguments")]
        if issues:
            raise InvalidInput.of(issues)
        json.check(body["name"])
        tool = CATALOGUE.by_name.get(body["name"])
        if tool is None:
            raise NotFound(f"There is no tool {body['name'][:80]}: GET /api/v1/tools lists them")
        arguments = body.get("arguments")
        if arguments is not None and not isinstance(arguments, dict):
            raise InvalidInput.at("arguments", "Expected an object")
        return tool, arguments

    return _perform(request, what)


@_faced
def run(request: HttpRequest) -> JsonResponse:
    """A tool by its path: GET for reads, POST for all."""

    def what() -> tuple[Tool, Any]:
        tool = CATALOGUE.by_path.get(request.path)
        if tool is None:
            raise NotFound("There is no such endpoint: GET /api/v1/tools lists them")
        if request.method in ("GET", "HEAD") and tool.reads:
            return tool, from_query(tool, _query(request))
        _only(request, *(("GET", "HEAD", "POST") if tool.reads else ("POST",)))
        if request.META.get("QUERY_STRING"):
            raise InvalidInput.at("", "Send the arguments of a POST in its JSON body, not in the query string")
        return tool, _body(request)

    return _perform(request, what)


def _query(request: HttpRequest) -> list[tuple[str, str]]:
    try:
        return parse_qsl(request.META.get("QUERY_STRING", ""), keep_blank_values=True, errors="strict")
    except ValueError:
        raise InvalidInput.at("", "The query is not valid UTF-8") from None


def _perform(request: HttpRequest, what: Callable[[], tuple[Tool, Any]]) -> JsonResponse:
    caller = callers.caller_of(request.headers.get("Authorization", ""))
    # every authenticated call counts, refused ones too: so the call is taken before anything of it is looked at
    allowance = take_call(caller)
    try:
        tool, arguments = what()
        answer = perform(tool, caller, arguments, idempotency_key=request.headers.get("Idempotency-Key"))
    except Refusal as refusal:
        return _metered(refused(request, refusal), allowance)
    return _metered(_answered(request, answer), allowance)


def _answered(request: HttpRequest, answer: Answer[Any]) -> JsonResponse:
    return _json(request, {"ok": True, "text": answer.text, "data": answer.data})


def _metered(response: JsonResponse, allowance: Allowance | None) -> JsonResponse:
    if allowance is not None:
        response.headers["RateLimit-Policy"] = f'"daily";q={allowance.limit};w={DAY}'
        response.headers["RateLimit"] = f'"daily";r={allowance.left};t={allowance.resets_in}'
    return response


def _only(request: HttpRequest, *methods: str) -> None:
    if request.method not in methods:
        raise MethodNotAllowed(f"Use {' or '.join(m for m in methods if m != 'HEAD')} here", methods)


def _body(request: HttpRequest) -> dict[str, Any]:
    if len(request.body) > MAX_JSON:
        raise TooLarge(f"A JSON body may hold up to {MAX_JSON // 1024 // 1024} MB")
    if not request.body.strip():
        return {}
    body = json.parse(request.body)
    if not isinstance(body, dict):
        raise InvalidInput.at("", "Expected a JSON object")
    return body
