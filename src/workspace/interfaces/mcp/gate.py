"""Before the protocol: who asks, from where, and a body that can be read. The SDK's own bearer check knows neither
`scope=` nor a 403 for one tool."""

from __future__ import annotations

import logging
import uuid
from collections.abc import MutableMapping
from dataclasses import replace
from typing import Any
from urllib.parse import urlsplit

from django.conf import settings
from starlette.datastructures import Headers
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from workspace.accounts.dispatch import Caller, take_call
from workspace.accounts.models.redirect_uri import LOOPBACK
from workspace.interfaces import authentication
from workspace.interfaces.mcp import http_errors, linked_apps
from workspace.interfaces.mcp.compression import gzip_answers
from workspace.interfaces.mcp.http_errors import Turned, refused, rpc_error
from workspace.interfaces.mcp.raw_json import OwnData
from workspace.interfaces.mcp.request_scope import CALLER, RECEIVE, SELECTION, Runs
from workspace.interfaces.mcp.tool_list import chosen
from workspace.interfaces.mcp.tool_list_cache import KnownLists
from workspace.interfaces.server.thread_pool import PoolBusy
from workspace.lib import strict_json
from workspace.lib.errors import InvalidInput, RateLimited, Unauthorized, Unavailable
from workspace.storage.database.errors import refusing
from workspace.tools.catalog import Catalogue

log = logging.getLogger("workspace.mcp")
MAX_BODY = 1_500_000  # room for 1 MB as base64
DATA = "workspace.data"
REQUEST_ID = "workspace.request_id"


class Gate:
    """Lets a POST with a valid credential and a readable JSON body through to `inner`, with the caller in its scope."""

    def __init__(self, inner: ASGIApp, catalogue: Catalogue, pool: Runs) -> None:
        self.inner = inner
        self.catalogue = catalogue
        self.pool = pool
        self.lists = KnownLists()

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        request_id = scope.get("state", {}).get(REQUEST_ID) or uuid.uuid4().hex
        send = gzip_answers(scope, send)
        try:
            scope, receive, message = await self._admit({**scope, REQUEST_ID: request_id}, receive)
        except Turned as turned:
            await turned.response(request_id)(scope, receive, send)
            return
        except PoolBusy:
            busy = refused(503, "busy", "Too many requests at once. Please try again in a moment.", retry_after="2")
            await busy.response(request_id)(scope, receive, send)
            return
        except Unavailable as refusal:
            down = rpc_error(refusal.status, http_errors.UNAVAILABLE, refusal.message, retry_after=refusal.retry_after)
            await down.response(request_id)(scope, receive, send)
            return
        if settings.FAMILY and message.get("method") == "tools/list":
            scope = await linked_apps.with_offers(scope, self.pool)
        send = _with_headers(send, request_id)
        question = self.lists.question(scope, message, scope[CALLER], scope[SELECTION])
        if question is not None:
            if await self.lists.answer(question, message["id"], send):
                return
            send = self.lists.listen(question, send)
        await self.inner({**scope, RECEIVE: receive}, receive, scope[DATA].through(send))

    async def _admit(self, scope: Scope, receive: Receive) -> tuple[Scope, Receive, dict[str, Any]]:
        headers = Headers(scope=scope)
        _check_host(headers)
        caller = await self._caller(headers)
        if scope["method"] != "POST":
            # Nothing is sent unasked and there is no session to end, so there is no stream to open and none to delete.
            raise refused(405, "method_not_allowed", "Send JSON-RPC messages with POST here", allow="POST")
        kind = headers.get("content-type", "").partition(";")[0].strip().lower()
        if kind != "application/json":
            raise refused(415, "unsupported_media_type", "Send the message as application/json")
        if headers.get("content-encoding", "").strip().lower() not in ("", "identity"):
            raise refused(415, "unsupported_media_type", "Send the message as it is, without Content-Encoding")
        selection = chosen(self.catalogue, scope["query_string"])
        body = await _body(headers, receive)
        message = _parsed(body)
        await self._check_scope(
            message, caller, is_key=authentication.is_key(authentication.bearer(headers["authorization"]))
        )
        caller = replace(caller, narrowed=selection.products)
        return {**scope, CALLER: caller, SELECTION: selection, DATA: OwnData()}, _replay(body, receive), message

    async def _caller(self, headers: Headers) -> Caller:
        given = headers.get("authorization", "")
        try:
            return await self.pool.run(_caller_of, given)
        except Unauthorized as refusal:
            raise refused(
                401, refusal.code, refusal.message, www_authenticate=authentication.challenge_to(given)
            ) from None

    async def _check_scope(self, message: Any, caller: Caller, *, is_key: bool) -> None:
        """A token without `write` asked for a writing tool: a client may then ask the person for more. A read-only key
        can get no more, so its call goes on to the door and is refused there."""
        if caller.may_write or is_key or not isinstance(message, dict) or message.get("method") != "tools/call":
            return
        params = message.get("params")
        name = params.get("name") if isinstance(params, dict) else None
        tool = self.catalogue.by_name.get(name) if isinstance(name, str) else None
        if tool is None or tool.reads:
            return
        try:
            await self.pool.run(take_call, caller)
        except RateLimited as refusal:
            told = authentication.limits(refusal.limit, 0, refusal.retry_after) | {
                "Retry-After": str(refusal.retry_after)
            }
            raise refused(429, refusal.code, refusal.message, **told) from None
        raise refused(
            403,
            "insufficient_scope",
            f"{tool.name} changes something and this connection may only read: connect again and allow changes",
            www_authenticate=authentication.challenge("insufficient_scope"),
        )


def _caller_of(given: str) -> Caller:
    with refusing():
        return authentication.caller_of(given, "mcp")


def _check_host(headers: Headers) -> None:
    """Against DNS rebinding: a page in a browser must not reach the connector under a name or an origin of its own."""
    own = urlsplit(settings.BASE_URL)
    host = headers.get("host", "")
    names = {own.netloc, own.hostname}
    if host not in names and not (settings.LOOPBACK and _name(f"//{host}") in LOOPBACK):
        raise refused(421, "misdirected_request", f"The connector answers at {settings.BASE_URL}/mcp")
    origin = headers.get("origin")
    if not origin or origin == f"{own.scheme}://{own.netloc}":
        return
    if not (settings.LOOPBACK and _name(origin) in LOOPBACK):
        raise refused(403, "forbidden", "Web pages of other sites may not call the connector")


def _name(address: str) -> str:
    try:
        return urlsplit(address).hostname or ""
    except ValueError:
        return ""


async def _body(headers: Headers, receive: Receive) -> bytes:
    declared = headers.get("content-length", "")
    if declared.isdigit() and int(declared[:20]) > MAX_BODY:
        raise _too_large()
    parts: list[bytes] = []
    size, more = 0, True
    while more:
        message = await receive()
        if message["type"] != "http.request":
            raise refused(400, "invalid_input", "The body broke off before its end")
        parts.append(message.get("body", b""))
        size += len(parts[-1])
        if size > MAX_BODY:
            raise _too_large()
        more = message.get("more_body", False)
    return b"".join(parts)


def _too_large() -> Turned:
    text = f"A message holds at most {MAX_BODY:,} bytes: send less at once, or upload files over REST"
    return rpc_error(413, http_errors.INVALID_REQUEST, text)


def _parsed(body: bytes) -> dict[str, Any]:
    try:
        message = strict_json.parse(body)
    except InvalidInput as refusal:
        raise rpc_error(400, http_errors.PARSE_ERROR, f"Parse error: {refusal.issues[0].message}") from None
    if isinstance(message, list):
        raise rpc_error(400, http_errors.INVALID_REQUEST, "Send one message at a time: batches are not served")
    if not isinstance(message, dict):
        raise rpc_error(400, http_errors.INVALID_REQUEST, "A message is a JSON object")
    id = message.get("id", 0)
    if isinstance(id, bool) or not isinstance(id, str | int):
        # it would pass for a notification, to which nobody gets an answer
        raise rpc_error(400, http_errors.INVALID_REQUEST, "A request's id is a text or a whole number")
    return message


def _replay(body: bytes, receive: Receive) -> Receive:
    given = False

    async def again() -> Message:
        nonlocal given
        if given:
            return await receive()
        given = True
        return {"type": "http.request", "body": body, "more_body": False}

    return again


def _with_headers(send: Send, request_id: str) -> Send:
    async def sent(message: MutableMapping[str, Any]) -> None:
        if message["type"] == "http.response.start":
            own = [
                (b"cache-control", b"no-store"),
                (b"x-request-id", request_id.encode("latin-1", "replace")),
            ]
            names = {name for name, _ in own}
            kept = [(name, value) for name, value in message.get("headers", []) if name.lower() not in names]
            message = {**message, "headers": [*kept, *own]}
        await send(message)

    return sent
