"""The protocol's handlers: list the tools, call one. One server serves all callers; each request brings its own."""

from __future__ import annotations

import logging
from typing import Any

import mcp_types as types
from mcp.server.caching import CacheHint
from mcp.server.context import CallNext, HandlerResult, ServerMiddleware, ServerRequestContext
from mcp.server.lowlevel import Server
from mcp.shared.exceptions import MCPError

from workspace.accounts.dispatch import perform, take_call
from workspace.interfaces.mcp import linked_apps, results
from workspace.interfaces.mcp.gate import DATA, REQUEST_ID
from workspace.interfaces.mcp.instructions import instructions
from workspace.interfaces.mcp.request_scope import CALLER, SELECTION, Runs
from workspace.interfaces.mcp.tool_list import described
from workspace.interfaces.server.thread_pool import PoolBusy
from workspace.lib.errors import Refusal
from workspace.tools.catalog import Catalogue
from workspace.tools.tool import Tool

log = logging.getLogger("workspace.mcp")
Context = ServerRequestContext[Any, Any]
LIST_TTL_MS = 5 * 60 * 1000


def serve(catalogue: Catalogue, pool: Runs, *, version: str) -> Server[Any]:
    async def list_tools(ctx: Context, params: types.PaginatedRequestParams | None) -> types.ListToolsResult:
        if params is not None and params.cursor:
            raise MCPError(code=types.INVALID_PARAMS, message="The list has one page: leave cursor out")
        # in a thread: the schemas of all tools take a third of a second
        return types.ListToolsResult(tools=await pool.run(_whole, catalogue, _scope(ctx)[SELECTION].full))

    async def call_tool(ctx: Context, params: types.CallToolRequestParams) -> types.CallToolResult:
        return await _answer_call(catalogue, pool, _scope(ctx), params)

    def input_schema(name: str) -> dict[str, Any] | None:
        tool = catalogue.by_name.get(name)
        return tool.input_schema if tool else None

    server: Server[Any] = Server(
        "workspace-tools",
        version=version,
        title="Workspace Tools",
        instructions=instructions(),  # each connection is given its own in their place
        cache_hints={"tools/list": CacheHint(ttl_ms=LIST_TTL_MS, scope="private")},
        # without it every call of the newer protocol would list all tools first
        get_tool_input_schema=input_schema,
        on_list_tools=list_tools,
        on_call_tool=call_tool,
    )
    server.middleware.append(_refuse_unserved(server))
    server.middleware.append(_own_instructions)
    server.middleware.append(_RememberedLists(catalogue))
    return server


async def _answer_call(
    catalogue: Catalogue, pool: Runs, scope: Any, params: types.CallToolRequestParams
) -> types.CallToolResult:
    tool = catalogue.by_name.get(params.name)
    try:
        if tool is None and (other := linked_apps.named(scope, params.name)) is not None:
            return await linked_apps.call(other, params.name, params.arguments, scope, pool)
        if tool is None:
            # counted like every call, then told apart from a tool's own refusals
            await pool.run(take_call, scope[CALLER])
            raise MCPError(code=types.INVALID_PARAMS, message=_unknown(catalogue, params.name))
        return await pool.run(_call, tool, scope, params.arguments)
    except Refusal as refusal:
        return results.refused(refusal)
    except PoolBusy:
        return results.busy()
    except MCPError:
        raise
    except Exception:
        log.exception("request %s: %s failed", scope[REQUEST_ID], params.name[:64])
        return results.broke(scope[REQUEST_ID])


def _refuse_unserved(server: Server[Any]) -> ServerMiddleware[Any]:
    """Answer a method that is not served with -32601, whatever its params are: the protocol's package checks the params
    of every method that it knows first, and would call them invalid."""

    async def served(ctx: Context, call_next: CallNext) -> HandlerResult:
        is_request = not ctx.method.startswith("notifications/")
        if is_request and ctx.method != "initialize" and server.get_request_handler(ctx.method) is None:
            raise MCPError(code=types.METHOD_NOT_FOUND, message="Method not found", data=ctx.method)
        return await call_next(ctx)

    return served


async def _own_instructions(ctx: Context, call_next: CallNext) -> HandlerResult:
    result = await call_next(ctx)
    if isinstance(result, dict) and "instructions" in result:
        return {**result, "instructions": instructions(_scope(ctx)[CALLER])}
    return result


def _scope(ctx: Context) -> Any:
    """The HTTP request's scope, in which the gate left who calls."""
    assert ctx.request is not None
    return ctx.request.scope


def _call(tool: Tool[Any], scope: Any, arguments: dict[str, Any] | None) -> types.CallToolResult:
    """In a thread of the pool: one call off the day, then the tool, then its picture where it has one."""
    take_call(scope[CALLER])
    caller = scope[CALLER]
    answer = perform(tool, caller, arguments)
    return results.answered(answer, scope[DATA], zone=caller.account.zone, is_write=not tool.reads)


def _whole(catalogue: Catalogue, full: bool) -> list[types.Tool]:
    return [described(tool, full=full) for tool in catalogue]


def _unknown(catalogue: Catalogue, name: str) -> str:
    near = ", ".join(catalogue.nearest(name))
    return f"There is no tool {name[:80]}. The nearest are {near}; tools/list names those there are"


class _RememberedLists:
    """The whole list is the same for all callers until the program changes, and making it takes long: so it is made
    once for each version of the protocol, and each caller is given their part of it."""

    def __init__(self, catalogue: Catalogue) -> None:
        self._catalogue = catalogue
        self._whole: dict[tuple[str, bool], dict[str, Any]] = {}

    async def __call__(self, ctx: Context, call_next: CallNext) -> HandlerResult:
        if ctx.method != "tools/list" or (ctx.params or {}).get("cursor"):
            return await call_next(ctx)
        scope = _scope(ctx)
        selection, caller = scope[SELECTION], scope[CALLER]
        key = (ctx.protocol_version, selection.full)
        whole = self._whole.get(key)
        if whole is None:
            made = await call_next(ctx)
            assert isinstance(made, dict)  # as it is sent
            whole = self._whole[key] = made
        tools = [tool for tool in whole["tools"] if selection.lists(self._catalogue.by_name[tool["name"]], caller)]
        return {**whole, "tools": [*tools, *linked_apps.offered(scope)]}
