"""Tools of linked apps, which are listed next to ours.

Each call is forwarded with the caller's own grant at the other app. If an app is slow or down, it delays the list by at
most two seconds, and calls to it return a short error.
"""

from __future__ import annotations

import asyncio
import logging
from collections import Counter
from collections.abc import Coroutine, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any

import mcp_types as types
from django.conf import settings
from mcp.shared.exceptions import MCPError
from starlette.types import Receive, Scope

from workspace.accounts import change_log
from workspace.accounts.dispatch import Caller, closure_notice, consume_quota
from workspace.interfaces.mcp.request_scope import CALLER, RECEIVE, SELECTION, ThreadRunner
from workspace.interfaces.mcp.tool_list import ToolSelection
from workspace.interfaces.mcp.tool_list_cache import STAMP
from workspace.lib.errors import BusyError, ConflictError, ForbiddenError, OperationNotAllowedError, UnavailableError
from workspace.linked_apps import caller_apps, health, tokens, tool_cache
from workspace.linked_apps.config import Application
from workspace.linked_apps.http_json import LINKED_APP_HEADER, AppUnreachableError, LinkedAppError, find_application
from workspace.linked_apps.models import LinkedApp
from workspace.linked_apps.tool_sanitizer import clean_text
from workspace.storage.database.errors import translate_storage_errors
from workspace.storage.database.transactions import write_transaction

log = logging.getLogger("workspace.mcp")
OFFERED_TOOLS = "workspace.linked_apps"
LIST_TIMEOUT_SECONDS = 2.0  # how long a list waits for the lists of other apps
MAX_CALLS_PER_APP, MAX_CALLS_PER_GRANT = 12, 4  # concurrent calls to an app, and of one grant to it
MAX_BLOCKS = 50  # blocks of a result
MAX_TEXT_LENGTH = 1_000_000
_LINKED_APP_HEADER = LINKED_APP_HEADER.lower().encode()
_active_calls: Counter[str] = Counter()


@dataclass(frozen=True, slots=True)
class RemoteCall:
    """A call to a tool of a linked app."""

    grant: str
    tool: str
    reads: bool
    protocol_version: str
    token: str  # empty if it must be renewed first


def find_tool_app(scope: Scope, name: str) -> Application | None:
    """Return the linked app that the tool's name refers to, or None.

    Requests from a linked app are not forwarded. Otherwise, two instances that are linked to each other would list each
    other's tools endlessly.
    """
    if not settings.FAMILY or _is_from_linked_app(scope):
        return None
    return find_application(name.partition("_")[0])


def describe_offered_tools(scope: Scope) -> list[dict[str, Any]]:
    """Return the tools found by `load_offered_tools` in MCP's format."""
    found: list[dict[str, Any]] = scope.get(OFFERED_TOOLS, [])
    return found


async def load_offered_tools(scope: Scope, pool: ThreadRunner) -> Scope:
    """Return a scope that includes the tools that linked apps offer to the caller.

    Outdated lists are fetched again, which takes at most LIST_TIMEOUT_SECONDS.
    """
    if _is_from_linked_app(scope):
        return scope
    caller, selection = scope[CALLER], scope[SELECTION]
    due = await pool.run(_due_grants, caller)
    if due:
        looks = [asyncio.wrap_future(one) for one in tool_cache.refresh_soon(due)]
        done, _ = await asyncio.wait(looks, timeout=LIST_TIMEOUT_SECONDS)
        for one in done:
            if (problem := one.exception()) is not None:
                log.error("the tool list of a linked app was not read", exc_info=problem)
    tools, stamp = await pool.run(_list_offered_tools, caller, selection)
    return {**scope, OFFERED_TOOLS: tools, STAMP: stamp}


async def call_tool(
    app: Application, name: str, arguments: dict[str, Any] | None, scope: Scope, pool: ThreadRunner
) -> types.CallToolResult:
    """Call a tool of the app and return its result. Raise a ToolError, or MCPError for an unknown tool."""
    caller: Caller = scope[CALLER]
    remote_call = await pool.run(_prepare_call, app, name, caller)
    with _limit_concurrency(app, remote_call):
        try:
            result = await _cancel_on_disconnect(scope[RECEIVE], _forward_call(app, remote_call, arguments))
        except tokens.GrantExpiredError:
            why = f"{app.title} revoked our access. Reconnect it at {caller_apps.page_url(app.name)}"
            raise OperationNotAllowedError(why) from None
        except AppUnreachableError as problem:
            await pool.run(_record_failure, app, problem)
            raise UnavailableError(f"{app.title} did not respond: {problem}. Other tools still work", 5) from None
        except LinkedAppError as problem:
            await pool.run(health.record_success, app.name)
            raise OperationNotAllowedError(f"{app.title}: {clean_text(str(problem), 500)}") from None
    await pool.run(_record_success, app, remote_call, None if remote_call.reads or result.is_error else caller, name)
    return _clean_result(app, result)


async def _cancel_on_disconnect(receive: Receive, work: Coroutine[Any, Any, Any]) -> Any:
    """Await the work while the client is connected.

    If the client disconnects, cancel the work, so that the other app stops too.
    """

    async def watch() -> None:
        while (await receive())["type"] != "http.disconnect":
            pass

    working, watching = asyncio.ensure_future(work), asyncio.ensure_future(watch())
    try:
        await asyncio.wait((working, watching), return_when=asyncio.FIRST_COMPLETED)
        if working.done():
            return working.result()
        raise OperationNotAllowedError("The caller closed the connection")
    finally:
        for one in (working, watching):
            one.cancel()
        await asyncio.gather(working, watching, return_exceptions=True)


async def _forward_call(app: Application, remote_call: RemoteCall, arguments: dict[str, Any] | None) -> Any:
    """Forward the call to the app. Raise GrantExpiredError, LinkedAppError or ForbiddenError if the call fails."""
    from workspace.linked_apps import mcp_client  # noqa: PLC0415 - only for connected applications

    async def call_with_token(token: str) -> Any:
        try:
            return await mcp_client.call_tool(
                app, token, remote_call.tool, arguments, remote_call.protocol_version, seconds=mcp_client.CALL_SECONDS
            )
        except mcp_client.InvalidAppResponseError as odd:
            raise LinkedAppError(str(odd)) from None

    token = remote_call.token or await _renew_token(remote_call)
    try:
        return await call_with_token(token)
    except mcp_client.AppAccessDeniedError as denied:
        if denied.more:
            raise _scope_error(app) from None
    token = await _renew_token(remote_call, expired_token=token)
    try:
        return await call_with_token(token)
    except mcp_client.AppAccessDeniedError as denied:
        if denied.more:
            raise _scope_error(app) from None
    why = f"{app.title} no longer accepts the access"
    await asyncio.wrap_future(tool_cache.run_in_thread(lambda: tokens.invalidate_grant(remote_call.grant, token, why)))
    raise tokens.GrantExpiredError


def _scope_error(app: Application) -> ForbiddenError:
    return ForbiddenError(f"{app.title} needs more permissions. Reconnect it at {caller_apps.page_url(app.name)}")


async def _renew_token(remote_call: RemoteCall, expired_token: str = "") -> str:
    return await asyncio.wrap_future(
        tool_cache.run_in_thread(lambda: tokens.get_access_token(remote_call.grant, rejected_token=expired_token))
    )


@contextmanager
def _limit_concurrency(app: Application, remote_call: RemoteCall) -> Iterator[None]:
    """Limit concurrent calls. It runs only on the event loop, so it needs no lock."""
    most = {app.name: MAX_CALLS_PER_APP, remote_call.grant: MAX_CALLS_PER_GRANT}
    if any(_active_calls[name] >= number for name, number in most.items()):
        raise BusyError(2)
    _active_calls.update(most.keys())
    try:
        yield
    finally:
        _active_calls.subtract(most.keys())
        for name in most:
            if _active_calls[name] <= 0:
                del _active_calls[name]


# --- in a thread of the pool ------------------------------------------------------------------------------------------


def _due_grants(caller: Caller) -> list[str]:
    with translate_storage_errors():
        return tool_cache.claim_due_grants(caller_apps.grants_for(caller))


def _list_offered_tools(caller: Caller, selection: ToolSelection) -> tuple[list[dict[str, Any]], tuple[Any, ...]]:
    tools: list[dict[str, Any]] = []
    stamp: list[Any] = []
    with translate_storage_errors():
        for row in caller_apps.grants_for(caller):
            app = find_application(row.application)
            if app is None or row.last_error:
                continue
            stamp.append((row.pk, row.tools_at))
            tools += [
                one["told"]
                for one in row.tools
                if not caller_apps.denial_reason(caller, app, one, everything=selection.all)
            ]
    return tools, tuple(stamp)


def _prepare_call(app: Application, name: str, caller: Caller) -> RemoteCall:
    consume_quota(caller)
    with translate_storage_errors():
        row = next((one for one in caller_apps.grants_for(caller) if one.application == app.name), None)
        if row is None or row.last_error:
            again = f"{row.last_error}. Reconnect it" if row else "is not connected. Connect it"
            raise OperationNotAllowedError(
                f"{'' if row else f'{app.title} '}{again} at {caller_apps.page_url(app.name)}"
            )
        tool = next((one for one in row.tools if one["name"] == name), None)
        if tool is None:
            message = f"{app.title} has no tool {name[:80]}. tools/list names all tools"
            raise MCPError(code=types.INVALID_PARAMS, message=message)
        caller_apps.check_tool_allowed(caller, app, tool)
        if caller.account.closes_at is not None and not tool["reads"]:
            raise ConflictError(closure_notice(caller.account))
        if down := health.find_outage(app.name):
            raise UnavailableError(health.describe_outage(app.title, down), 5)
        return RemoteCall(
            row.pk, tool["theirs"], tool["reads"], row.protocol_version, row.access_token if row.is_fresh else ""
        )


def _record_failure(app: Application, problem: AppUnreachableError) -> None:
    from workspace.linked_apps.mcp_client import AppTimeoutError  # noqa: PLC0415 - only for connected applications

    health.record_failure(app.name, str(problem), slow=isinstance(problem, AppTimeoutError))


def _record_success(app: Application, remote_call: RemoteCall, changing_caller: Caller | None, name: str) -> None:
    """Record the success.

    `changing_caller` is set if the call may have changed something, which is then logged as a change.
    """
    health.record_success(app.name)
    if changing_caller is not None:
        text, final = (
            f"{app.title}: called {remote_call.tool}"[:200],
            f"This happened in {app.title}. Undo it there",
        )
        with write_transaction():
            change_log.log_change(changing_caller.account, changing_caller, name, text, final)
    LinkedApp.record_use(remote_call.grant)


# --- results ----------------------------------------------------------------------------------------------------------


def _clean_result(app: Application, result: types.CallToolResult) -> types.CallToolResult:
    """Reduce the result to plain text, with errors attributed to the app."""
    content: list[types.ContentBlock] = []
    for block in result.content[:MAX_BLOCKS]:
        if isinstance(block, types.TextContent):
            content.append(types.TextContent(type="text", text=clean_text(block.text, MAX_TEXT_LENGTH, lines=True)))
        else:
            content.append(block)
    if result.is_error:
        text = " ".join(block.text for block in content if isinstance(block, types.TextContent)) or "no reason given"
        return types.CallToolResult(
            content=[types.TextContent(type="text", text=f"{app.title} reported: {text}")], is_error=True
        )
    data = result.structured_content if isinstance(result.structured_content, dict) else None
    return types.CallToolResult(content=content, structured_content=data)


def _is_from_linked_app(scope: Scope) -> bool:
    return any(name == _LINKED_APP_HEADER for name, _ in scope["headers"])
