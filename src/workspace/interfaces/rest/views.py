"""The REST views: check the API key and quota, find the tool, call `execute_tool`, return JSON."""

from __future__ import annotations

from collections.abc import Callable
from hashlib import sha256
from typing import Any
from urllib.parse import parse_qsl

from django.http import HttpRequest, HttpResponse

from workspace.accounts.dispatch import consume_quota, execute_tool
from workspace.interfaces import authentication
from workspace.interfaces.rest.openapi import build_document
from workspace.interfaces.rest.responses import (
    ApiReply,
    ApiRequest,
    check_encoding,
    check_method,
    error_response,
    handle_errors,
    success_response,
    with_quota_headers,
)
from workspace.interfaces.tool_catalog import CATALOG
from workspace.lib import strict_json
from workspace.lib.errors import InvalidInputError, NotFoundError, TooLargeError, ToolError, UnsupportedMediaTypeError
from workspace.lib.etags import is_not_modified
from workspace.lib.lazy import cache_first_result
from workspace.tools.tool import Tool
from workspace.tools.validation import parse_query

MAX_JSON_BYTES = 2 * 1024 * 1024


@handle_errors
def tools(request: HttpRequest) -> HttpResponse:
    """Return the catalog. It needs no key and uses no quota, so that a client can read it before signing in."""
    check_method(request.method, "GET", "HEAD", "POST")
    return _cacheable_response(request, _catalog_body())


@cache_first_result
def _catalog_body() -> tuple[bytes, str]:
    found = CATALOG.describe()
    lines = [f"- `{tool['name']}` {tool['title']}" for tool in found]
    return _body_with_etag({"ok": True, "text": "\n".join(["Tools:", "", *lines]), "data": {"tools": found}})


@handle_errors
def openapi(request: HttpRequest) -> HttpResponse:
    """Return the OpenAPI document. It needs no key and uses no quota."""
    check_method(request.method, "GET", "HEAD")
    return _cacheable_response(request, _openapi_body())


@cache_first_result
def _openapi_body() -> tuple[bytes, str]:
    return _body_with_etag(build_document())


def _body_with_etag(data: dict[str, Any]) -> tuple[bytes, str]:
    body = strict_json.dumps(data)
    return body, f'"{sha256(body).hexdigest()[:32]}"'


def _cacheable_response(request: HttpRequest, body_and_etag: tuple[bytes, str]) -> HttpResponse:
    """Return a response that changes only with the program, or a 304 if the client already has it."""
    body, tag = body_and_etag
    if is_not_modified(tag, request.headers.get("If-None-Match")):
        response = HttpResponse(status=304)
    else:
        response = HttpResponse(body, content_type="application/json")
    response.headers["ETag"] = tag
    return response


def call_by_name(api_request: ApiRequest) -> ApiReply:
    """Call any tool by its name. The body is {name, arguments}."""
    check_method(api_request.method, "POST")
    return _execute_call(api_request, lambda: _resolve_by_name(_parse_body(api_request)))


def call_by_path(api_request: ApiRequest) -> ApiReply:
    """Call a tool by its path: GET for reads, POST for all."""
    return _execute_call(api_request, lambda: _resolve_by_path(api_request))


def _execute_call(api_request: ApiRequest, resolve_call: Callable[[], tuple[Tool[Any], Any]]) -> ApiReply:
    face = "command" if api_request.headers.get("user-agent", "").startswith("svc/") else "api"
    caller = authentication.authenticate(api_request.headers.get("authorization", ""), face)
    # every authenticated call counts, even if it is rejected, so the quota is used before the call is parsed
    allowance = consume_quota(caller)
    try:
        tool, arguments = resolve_call()
        answer = execute_tool(tool, caller, arguments, idempotency_key=api_request.headers.get("idempotency-key"))
    except ToolError as refusal:
        return with_quota_headers(error_response(api_request, refusal), allowance)
    return with_quota_headers(success_response(answer), allowance)


def _resolve_by_name(body: dict[str, Any]) -> tuple[Tool[Any], Any]:
    # Check only the names here. The arguments are validated later, with paths that start at the arguments.
    strict_json.check_storable([*body, body.get("name")])
    name, arguments = body.get("name"), body.get("arguments")
    issues = [(key, "Unknown argument") for key in body if key not in ("name", "arguments")]
    if name is None:
        issues.append(("name", "Required"))
    elif not isinstance(name, str):
        issues.append(("name", "Expected text"))
    if arguments is not None and not isinstance(arguments, dict):
        issues.append(("arguments", "Expected an object"))
    if issues:
        raise InvalidInputError.from_pairs(issues)
    tool = CATALOG.by_name.get(str(name))
    if tool is None:
        near = ", ".join(CATALOG.suggest_names(str(name)))
        raise NotFoundError(
            f"No tool is called {str(name)[:80]}. Similar tools: {near}. GET /api/v1/tools lists all tools"
        )
    return tool, arguments


def _resolve_by_path(api_request: ApiRequest) -> tuple[Tool[Any], Any]:
    tool = CATALOG.by_path.get(api_request.path)
    if tool is None:
        words = api_request.path.removeprefix("/api/v1/").strip("/").replace("/", "_")
        near = ", ".join(CATALOG.by_name[name].path for name in CATALOG.suggest_names(f"svc_{words}"))
        raise NotFoundError(
            f"This endpoint does not exist. Similar endpoints: {near}. GET /api/v1/tools lists all tools"
        )
    if tool.reads and api_request.method in ("GET", "HEAD"):
        return tool, parse_query(tool, _parse_query(api_request.query))
    check_method(api_request.method, *(("GET", "HEAD", "POST") if tool.reads else ("POST",)))
    if api_request.query:
        raise InvalidInputError.at_path("", "Send the arguments of a POST in its JSON body, not in the query string")
    return tool, _parse_body(api_request)


def _parse_query(query: str) -> list[tuple[str, str]]:
    try:
        return parse_qsl(query, keep_blank_values=True, errors="strict", max_num_fields=200)
    except ValueError:
        raise InvalidInputError.at_path("", "The query is not valid UTF-8, or it has too many arguments") from None


def _parse_body(api_request: ApiRequest) -> dict[str, Any]:
    sent = api_request.read_body()
    if len(sent) > MAX_JSON_BYTES:
        raise TooLargeError(f"A JSON body can be at most {MAX_JSON_BYTES // 1024 // 1024} MB")
    check_encoding(api_request.headers.get("content-encoding", ""))
    if not sent.strip():
        return {}
    kind = api_request.headers.get("content-type", "").partition(";")[0].strip().lower()
    if kind not in ("", "application/json") and not (kind.startswith("application/") and kind.endswith("+json")):
        raise UnsupportedMediaTypeError("Send the arguments as a JSON object, with Content-Type: application/json")
    body = strict_json.parse(sent)
    if not isinstance(body, dict):
        raise InvalidInputError.at_path("", "Expected a JSON object")
    return body
