"""Checks before the protocol: credential, host and origin, and a readable body.

The SDK's own bearer check supports neither `scope=` nor a 403 for a single tool.
"""

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

from workspace.accounts.dispatch import Caller, consume_quota
from workspace.accounts.models.redirect_uri import LOOPBACK_HOSTS
from workspace.interfaces import authentication
from workspace.interfaces.mcp import http_errors, linked_app_tools
from workspace.interfaces.mcp.compression import gzip_responses
from workspace.interfaces.mcp.http_errors import HttpResponseError, http_error, rpc_error
from workspace.interfaces.mcp.raw_json import RawJson
from workspace.interfaces.mcp.request_scope import CALLER, RECEIVE, SELECTION, ThreadRunner
from workspace.interfaces.mcp.tool_list import parse_selection
from workspace.interfaces.mcp.tool_list_cache import ToolListCache
from workspace.interfaces.server.thread_pool import PoolBusyError
from workspace.lib import strict_json
from workspace.lib.errors import InvalidInputError, RateLimitedError, UnauthorizedError, UnavailableError
from workspace.storage.database.errors import translate_storage_errors
from workspace.tools.catalog import Catalog

log = logging.getLogger("workspace.mcp")
MAX_BODY_BYTES = 1_500_000  # enough for 1 MB as base64
DATA = "workspace.data"
REQUEST_ID = "workspace.request_id"


class RequestChecker:
    """A gate that passes a POST request with a valid credential and a readable JSON body to `inner`.

    It stores the caller in the request's scope.
    """

    def __init__(self, inner: ASGIApp, catalog: Catalog, pool: ThreadRunner) -> None:
        self.inner = inner
        self.catalog = catalog
        self.pool = pool
        self.list_cache = ToolListCache()

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        request_id = scope.get("state", {}).get(REQUEST_ID) or uuid.uuid4().hex
        send = gzip_responses(scope, send)
        try:
            scope, receive, message = await self._admit_request({**scope, REQUEST_ID: request_id}, receive)
        except HttpResponseError as turned:
            await turned.to_response(request_id)(scope, receive, send)
            return
        except PoolBusyError:
            busy = http_error(503, "busy", "Too many requests at once. Try again in a few seconds.", retry_after="2")
            await busy.to_response(request_id)(scope, receive, send)
            return
        except UnavailableError as refusal:
            down = rpc_error(refusal.status, http_errors.UNAVAILABLE, refusal.message, retry_after=refusal.retry_after)
            await down.to_response(request_id)(scope, receive, send)
            return
        if settings.FAMILY and message.get("method") == "tools/list":
            scope = await linked_app_tools.load_offered_tools(scope, self.pool)
        send = _with_headers(send, request_id)
        question = self.list_cache.cache_key(scope, message, scope[CALLER], scope[SELECTION])
        if question is not None:
            if await self.list_cache.send_cached(question, message["id"], send):
                return
            send = self.list_cache.capture_response(question, send)
        await self.inner({**scope, RECEIVE: receive}, receive, scope[DATA].wrap_send(send))

    async def _admit_request(self, scope: Scope, receive: Receive) -> tuple[Scope, Receive, dict[str, Any]]:
        headers = Headers(scope=scope)
        _check_host(headers)
        caller = await self._get_caller(headers)
        if scope["method"] != "POST":
            # The server sends nothing on its own and has no sessions, so there is no stream to open and no session to
            # delete.
            raise http_error(405, "method_not_allowed", "Use POST to send JSON-RPC messages", allow="POST")
        kind = headers.get("content-type", "").partition(";")[0].strip().lower()
        if kind != "application/json":
            raise http_error(415, "unsupported_media_type", "Send the message as application/json")
        if headers.get("content-encoding", "").strip().lower() not in ("", "identity"):
            raise http_error(415, "unsupported_media_type", "Send the message without Content-Encoding")
        selection = parse_selection(self.catalog, scope["query_string"])
        body = await _read_body(headers, receive)
        message = _parse_message(body)
        await self._check_scope(
            message, caller, is_key=authentication.is_api_key(authentication.parse_bearer(headers["authorization"]))
        )
        caller = replace(caller, url_products=selection.products)
        return {**scope, CALLER: caller, SELECTION: selection, DATA: RawJson()}, _replay_body(body, receive), message

    async def _get_caller(self, headers: Headers) -> Caller:
        given = headers.get("authorization", "")
        try:
            return await self.pool.run(_authenticate_caller, given)
        except UnauthorizedError as refusal:
            raise http_error(
                401, refusal.code, refusal.message, www_authenticate=authentication.build_header_challenge(given)
            ) from None

    async def _check_scope(self, message: Any, caller: Caller, *, is_key: bool) -> None:
        """Raise a 403 if a token without `write` calls a writing tool, so that the client can ask the person for more.

        A read-only API key cannot get more access, so its call continues to the dispatcher and is rejected there.
        """
        if caller.can_write or is_key or not isinstance(message, dict) or message.get("method") != "tools/call":
            return
        params = message.get("params")
        name = params.get("name") if isinstance(params, dict) else None
        tool = self.catalog.by_name.get(name) if isinstance(name, str) else None
        if tool is None or tool.reads:
            return
        try:
            await self.pool.run(consume_quota, caller)
        except RateLimitedError as refusal:
            headers = authentication.rate_limit_headers(refusal.limit, 0, refusal.retry_after) | {
                "Retry-After": str(refusal.retry_after)
            }
            raise http_error(429, refusal.code, refusal.message, **headers) from None
        raise http_error(
            403,
            "insufficient_scope",
            f"{tool.name} makes changes, and this connection is read-only. Connect again and allow changes",
            www_authenticate=authentication.build_challenge("insufficient_scope"),
        )


def _authenticate_caller(credential: str) -> Caller:
    with translate_storage_errors():
        return authentication.authenticate(credential, "mcp")


def _check_host(headers: Headers) -> None:
    """Raise an error for a foreign host or origin, against DNS rebinding.

    A web page must not reach the MCP server under the page's own name or from its own origin.
    """
    own = urlsplit(settings.BASE_URL)
    host = headers.get("host", "")
    names = {own.netloc, own.hostname}
    if host not in names and not (settings.LOOPBACK and _hostname(f"//{host}") in LOOPBACK_HOSTS):
        raise http_error(421, "misdirected_request", f"Wrong URL. Connect to {settings.BASE_URL}/mcp")
    origin = headers.get("origin")
    if not origin or origin == f"{own.scheme}://{own.netloc}":
        return
    if not (settings.LOOPBACK and _hostname(origin) in LOOPBACK_HOSTS):
        raise http_error(403, "forbidden", "Pages on other websites can't connect to this server")


def _hostname(address: str) -> str:
    try:
        return urlsplit(address).hostname or ""
    except ValueError:
        return ""


async def _read_body(headers: Headers, receive: Receive) -> bytes:
    declared = headers.get("content-length", "")
    if declared.isdigit() and int(declared[:20]) > MAX_BODY_BYTES:
        raise _too_large_error()
    parts: list[bytes] = []
    size, more = 0, True
    while more:
        message = await receive()
        if message["type"] != "http.request":
            raise http_error(400, "invalid_input", "The body is incomplete")
        parts.append(message.get("body", b""))
        size += len(parts[-1])
        if size > MAX_BODY_BYTES:
            raise _too_large_error()
        more = message.get("more_body", False)
    return b"".join(parts)


def _too_large_error() -> HttpResponseError:
    text = f"The message is too large (max. {MAX_BODY_BYTES:,} bytes). Send less at once, or upload files over REST"
    return rpc_error(413, http_errors.INVALID_REQUEST, text)


def _parse_message(body: bytes) -> dict[str, Any]:
    try:
        message = strict_json.parse(body)
    except InvalidInputError as refusal:
        raise rpc_error(400, http_errors.PARSE_ERROR, f"Parse error: {refusal.issues[0].message}") from None
    if isinstance(message, list):
        raise rpc_error(400, http_errors.INVALID_REQUEST, "Send one message at a time. Batches are not supported.")
    if not isinstance(message, dict):
        raise rpc_error(400, http_errors.INVALID_REQUEST, "A message must be a JSON object")
    id = message.get("id", 0)
    if isinstance(id, bool) or not isinstance(id, str | int):
        # it would be treated as a notification, which gets no response
        raise rpc_error(400, http_errors.INVALID_REQUEST, "The ID of a request must be a string or an integer")
    return message


def _replay_body(body: bytes, receive: Receive) -> Receive:
    given = False

    async def receive_again() -> Message:
        nonlocal given
        if given:
            return await receive()
        given = True
        return {"type": "http.request", "body": body, "more_body": False}

    return receive_again


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
