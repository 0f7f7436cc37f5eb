"""MCP client for linked apps.

The official package implements both versions of the protocol. Its HTTP requests go through `http_client` in a thread,
so that one timeout and one size limit apply to each exchange. The package is imported late, because it takes megabytes
of memory that are needed only for connected apps.
"""

from __future__ import annotations

import logging
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from functools import partial
from typing import TYPE_CHECKING, Any

from workspace.http_client.client import CancelHandle, HttpError, HttpTimeoutError, Reply, ResponseTooLargeError, fetch
from workspace.linked_apps import messages
from workspace.linked_apps.config import Application
from workspace.linked_apps.http_json import LINKED_APP_HEADER, AppUnreachableError, guard_for

if TYPE_CHECKING:
    import httpx2  # noqa: TID251
    from mcp.client.client import Client

LIST_SECONDS = 8.0
CALL_SECONDS = 45.0
MAX_LIST_BYTES = 2 * 1024 * 1024  # of one page of the list
MAX_ANSWER_BYTES = 1024 * 1024  # of a tool's answer
MAX_PAGES = 10
_TRANSPORT_HEADERS = {"host", "connection", "content-length", "transfer-encoding", "accept-encoding", "user-agent"}
_JSON_TYPE = b"application/json"


class AppAccessDeniedError(Exception):
    """The app rejected the token. If `more` is set, a token with a wider scope is needed."""

    def __init__(self, *, needs_wider_scope: bool = False) -> None:
        super().__init__("denied")
        self.more = needs_wider_scope


class AppTimeoutError(AppUnreachableError):
    """The app took too long."""


class InvalidAppResponseError(Exception):
    """The app's response is not usable. The message is a human-readable description of the problem."""


@dataclass
class Conversation:
    """The state of a conversation's exchanges.

    It stores statuses and network errors, which the package does not report.
    """

    app: Application
    token: str
    seconds: float
    max_bytes: int
    status: int = 0
    problem: HttpError | None = None
    hang_up: list[CancelHandle] = field(default_factory=list)

    async def send_request(self, request: httpx2.Request) -> tuple[int, dict[str, str], bytes]:
        import anyio.to_thread

        if request.method == "GET":
            return 405, {}, b""  # server-initiated messages are not supported
        headers = {name: value for name, value in request.headers.items() if name.lower() not in _TRANSPORT_HEADERS}
        headers |= {"authorization": f"Bearer {self.token}", LINKED_APP_HEADER.lower(): "1"}
        line = CancelHandle()
        call = partial(
            fetch,
            request.method,
            str(request.url),
            await request.aread(),
            headers,
            seconds=self.seconds,
            max_bytes=self.max_bytes,
            guard=guard_for(self.app),
            hang_up=line,
        )
        try:
            reply: Reply = await anyio.to_thread.run_sync(
                call, abandon_on_cancel=True, limiter=anyio.CapacityLimiter(1)
            )
        except HttpError as problem:
            self.problem = self.problem or problem
            return 502, {}, b""
        finally:
            line.cancel()  # if the caller is gone, closing the connection tells the app
        if reply.status >= 400:
            self.status = reply.status
            if reply.status == 403 and "insufficient_scope" in reply.headers.get("www-authenticate", ""):
                self.status = 4030
        kept = ("content-type", "mcp-session-id")
        return reply.status, {name: reply.headers[name] for name in kept if name in reply.headers}, reply.body


@asynccontextmanager
async def _open_client(line: Conversation, protocol_version: str) -> AsyncIterator[Client]:
    import httpx2  # noqa: TID251  # the package's HTTP client uses our transport
    from mcp.client.client import Client
    from mcp.client.streamable_http import streamable_http_client
    from mcp_types.version import MODERN_PROTOCOL_VERSIONS

    class Through(httpx2.AsyncBaseTransport):
        async def handle_async_request(self, request: httpx2.Request) -> httpx2.Response:
            status, headers, body = await line.send_request(request)
            return httpx2.Response(status, headers=headers, content=body, request=request)

    mode = protocol_version if protocol_version in (*MODERN_PROTOCOL_VERSIONS, "legacy") else "auto"
    # The package logs input that it cannot parse.
    logging.getLogger("mcp.client").setLevel(logging.CRITICAL)
    async with httpx2.AsyncClient(transport=Through(), follow_redirects=False, trust_env=False) as http:
        spoken = streamable_http_client(line.app.mcp_url, http_client=http, max_sse_event_size=line.max_bytes)
        async with Client(spoken, mode=mode, cache=None, read_timeout_seconds=line.seconds + 2) as client:
            yield client


@dataclass(frozen=True, slots=True)
class ToolListing:
    tools: list[dict[str, Any]]
    more: bool
    protocol_version: str


async def list_tools(app: Application, token: str) -> ToolListing:
    """Return the tools of an app.

    Raise AppAccessDeniedError, AppUnreachableError or InvalidAppResponseError on failure.
    """
    from mcp_types import PaginatedRequestParams
    from mcp_types.version import MODERN_PROTOCOL_VERSIONS

    line = Conversation(app, token, LIST_SECONDS, MAX_LIST_BYTES)
    async with _translate_errors(line, LIST_SECONDS * 2), _open_client(line, "") as client:
        found: list[dict[str, Any]] = []
        cursor: str | None = None
        for _ in range(MAX_PAGES):
            params = PaginatedRequestParams(cursor=cursor) if cursor else None
            page = await client.session.list_tools(params=params)
            found += [one.model_dump(by_alias=True, exclude_none=True, mode="json") for one in page.tools]
            cursor = page.next_cursor
            if not cursor or len(found) > 1000:
                break
        version = client.protocol_version
        return ToolListing(found, bool(cursor), version if version in MODERN_PROTOCOL_VERSIONS else "legacy")
    raise AssertionError("a conversation either returns or raises")


async def call_tool(
    app: Application,
    token: str,
    tool: str,
    arguments: dict[str, Any] | None,
    protocol_version: str,
    *,
    seconds: float = CALL_SECONDS,
) -> Any:
    """Call a tool. Return the CallToolResult unchanged.

    Raise AppAccessDeniedError, AppUnreachableError or InvalidAppResponseError on failure.
    """
    import mcp_types as types
    from mcp.shared.exceptions import MCPError

    line = Conversation(app, token, seconds, MAX_ANSWER_BYTES)
    request = types.CallToolRequest(params=types.CallToolRequestParams(name=tool, arguments=arguments))
    async with _translate_errors(line, seconds), _open_client(line, protocol_version) as client:
        try:
            return await client.session.send_request(request, types.CallToolResult)
        except MCPError as mismatch:
            if mismatch.code != types.HEADER_MISMATCH:
                raise
            # Some arguments must also be sent as headers, which the list of tools declares.
            await client.session.list_tools()
            return await client.session.send_request(request, types.CallToolResult)
    raise AssertionError("a conversation either returns or raises")


@asynccontextmanager
async def _translate_errors(line: Conversation, seconds: float) -> AsyncIterator[None]:
    """Limit the time, and translate all errors of a conversation to those of this module."""
    import anyio
    from mcp.shared.exceptions import MCPError

    problem: BaseException | None = None
    with anyio.move_on_after(seconds + 3) as scope:
        try:
            yield
        except* Exception as broken:  # of many types, because the package parses the response
            problem = _first_error(broken)
    if line.status == 401:
        raise AppAccessDeniedError
    if line.status == 4030:
        raise AppAccessDeniedError(needs_wider_scope=True)
    if problem is None and not scope.cancelled_caught:
        return
    if isinstance(line.problem, ResponseTooLargeError):
        raise InvalidAppResponseError(str(messages.RESPONSE_TOO_LARGE(bytes=f"{line.max_bytes:,}")))
    if isinstance(line.problem, HttpTimeoutError) or scope.cancelled_caught:
        raise AppTimeoutError(messages.NO_RESPONSE(seconds=f"{line.seconds:g}"))
    if line.problem is not None:
        raise AppUnreachableError(str(line.problem))
    if line.status >= 500:
        raise AppUnreachableError(messages.STATUS_RECEIVED(status=line.status))
    if isinstance(problem, MCPError) and not line.status:
        raise InvalidAppResponseError(str(messages.APP_RESPONDED(text=problem.error.message)))
    raise InvalidAppResponseError(
        str(messages.INVALID_STATUS(status=line.status) if line.status else messages.INVALID_RESPONSE)
    )


def _first_error(broken: BaseExceptionGroup[BaseException]) -> BaseException:
    found: BaseException = broken
    while isinstance(found, BaseExceptionGroup):
        found = found.exceptions[0]
    return found
