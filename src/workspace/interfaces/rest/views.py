"""REST: key → quota → catalogue → `perform` → JSON. It only translates."""

from __future__ import annotations

from collections.abc import Callable
from hashlib import sha256
from typing import Any
from urllib.parse import parse_qsl

from django.http import HttpRequest, HttpResponse

from workspace.accounts.dispatch import perform, take_call
from workspace.interfaces import authentication
from workspace.interfaces.rest.openapi import document
from workspace.interfaces.rest.responses import Asked, Reply, answered, faced, metered, only, refused, unpacked
from workspace.interfaces.tool_catalog import CATALOGUE
from workspace.lib import strict_json
from workspace.lib.errors import InvalidInput, NotFound, Refusal, TooLarge, UnsupportedMediaType
from workspace.lib.etags import is_known
from workspace.lib.lazy import once
from workspace.tools.tool import Tool
from workspace.tools.validation import from_query

MAX_JSON = 2 * 1024 * 1024


@faced
def tools(request: HttpRequest) -> HttpResponse:
    """The catalogue. It needs no key and costs no call, so that a client can look before it signs in."""
    only(request.method, "GET", "HEAD", "POST")
    return _fixed(request, _catalogue())


@once
def _catalogue() -> tuple[bytes, str]:
    found = CATALOGUE.describe()
    lines = [f"- `{tool['name']}` {tool['title']}" for tool in found]
    return _tagged({"ok": True, "text": "\n".join(["Tools:", "", *lines]), "data": {"tools": found}})


@faced
def openapi(request: HttpRequest) -> HttpResponse:
    """The description of all this. It needs no key and costs no call either."""
    only(request.method, "GET", "HEAD")
    return _fixed(request, _document())


@once
def _document() -> tuple[bytes, str]:
    return _tagged(document())


def _tagged(told: dict[str, Any]) -> tuple[bytes, str]:
    body = strict_json.written(told)
    return body, f'"{sha256(body).hexdigest()[:32]}"'


def _fixed(request: HttpRequest, written: tuple[bytes, str]) -> HttpResponse:
    """What stays the same until the program changes, and is sent again only to who does not have it."""
    body, tag = written
    if is_known(tag, request.headers.get("If-None-Match")):
        response = HttpResponse(status=304)
    else:
        response = HttpResponse(body, content_type="application/json")
    response.headers["ETag"] = tag
    return response


def call(asked: Asked) -> Reply:
    """Any tool by its name: {name, arguments}."""
    only(asked.method, "POST")
    return _perform(asked, lambda: _named(_body(asked)))


def run(asked: Asked) -> Reply:
    """A tool by its path: GET for reads, POST for all."""
    return _perform(asked, lambda: _at_path(asked))


def _perform(asked: Asked, find: Callable[[], tuple[Tool[Any], Any]]) -> Reply:
    face = "command" if asked.headers.get("user-agent", "").startswith("svc/") else "api"
    caller = authentication.caller_of(asked.headers.get("authorization", ""), face)
    # every authenticated call counts, refused ones too: so the call is taken before anything of it is looked at
    allowance = take_call(caller)
    try:
        tool, arguments = find()
        answer = perform(tool, caller, arguments, idempotency_key=asked.headers.get("idempotency-key"))
    except Refusal as refusal:
        return metered(refused(asked, refusal), allowance)
    return metered(answered(answer), allowance)


def _named(body: dict[str, Any]) -> tuple[Tool[Any], Any]:
    # names only: what the arguments hold is judged where their paths begin
    strict_json.check([*body, body.get("name")])
    name, arguments = body.get("name"), body.get("arguments")
    issues = [(key, "Unknown argument") for key in body if key not in ("name", "arguments")]
    if name is None:
        issues.append(("name", "Required"))
    elif not isinstance(name, str):
        issues.append(("name", "Expected text"))
    if arguments is not None and not isinstance(arguments, dict):
        issues.append(("arguments", "Expected an object"))
    if issues:
        raise InvalidInput.of(issues)
    tool = CATALOGUE.by_name.get(str(name))
    if tool is None:
        near = ", ".join(CATALOGUE.nearest(str(name)))
        raise NotFound(f"There is no tool {str(name)[:80]}. The nearest are {near}; GET /api/v1/tools lists all")
    return tool, arguments


def _at_path(asked: Asked) -> tuple[Tool[Any], Any]:
    tool = CATALOGUE.by_path.get(asked.path)
    if tool is None:
        words = asked.path.removeprefix("/api/v1/").strip("/").replace("/", "_")
        near = ", ".join(CATALOGUE.by_name[name].path for name in CATALOGUE.nearest(f"svc_{words}"))
        raise NotFound(f"There is no such endpoint. The nearest are {near}; GET /api/v1/tools lists all")
    if tool.reads and asked.method in ("GET", "HEAD"):
        return tool, from_query(tool, _pairs(asked.query))
    only(asked.method, *(("GET", "HEAD", "POST") if tool.reads else ("POST",)))
    if asked.query:
        raise InvalidInput.at("", "Send the arguments of a POST in its JSON body, not in the query string")
    return tool, _body(asked)


def _pairs(query: str) -> list[tuple[str, str]]:
    try:
        return parse_qsl(query, keep_blank_values=True, errors="strict", max_num_fields=200)
    except ValueError:
        raise InvalidInput.at("", "The query is not valid UTF-8, or holds too many arguments") from None


def _body(asked: Asked) -> dict[str, Any]:
    sent = asked.read()
    if len(sent) > MAX_JSON:
        raise TooLarge(f"A JSON body may hold up to {MAX_JSON // 1024 // 1024} MB")
    unpacked(asked.headers.get("content-encoding", ""))
    if not sent.strip():
        return {}
    kind = asked.headers.get("content-type", "").partition(";")[0].strip().lower()
    if kind not in ("", "application/json") and not (kind.startswith("application/") and kind.endswith("+json")):
        raise UnsupportedMediaType("Send the arguments as a JSON object, with Content-Type: application/json")
    body = strict_json.parse(sent)
    if not isinstance(body, dict):
        raise InvalidInput.at("", "Expected a JSON object")
    return body
