"""The protocol's handlers, which list tools and call a tool. One server serves all callers."""

from __future__ import annotations

import logging
from typing import Any

import mcp_types as types
from mcp.server.caching import CacheHint
from mcp.server.context import CallNext, HandlerResult, ServerMiddleware, ServerRequestContext
from mcp.server.lowlevel import Server
from mcp.shared.exceptions import MCPError

from workspace.accounts.dispatch import consume_quota, execute_tool
from workspace.interfaces.mcp import linked_app_tools, tool_results
from workspace.interfaces.mcp.instructions import build_instructions
from workspace.interfaces.mcp.request_checks import DATA, REQUEST_ID
from workspace.interfaces.mcp.request_scope import CALLER, SELECTION, ThreadRunner
from workspace.interfaces.mcp.tool_list import describe_tool
from workspace.interfaces.server.thread_pool import PoolBusyError
from workspace.lib.errors import ToolError
from workspace.tools.catalog import Catalog
from workspace.tools.tool import Tool

log = logging.getLogger("workspace.mcp")
Context = ServerRequestContext[Any, Any]
LIST_TTL_MS = 5 * 60 * 1000


def build_server(catalog: Catalog, pool: ThreadRunner, *, version: str) -> Server[Any]:
    async def list_tools(ctx: Context, params: types.PaginatedRequestParams | None) -> types.ListToolsResult:
        if params is not None and params.cursor:
            raise MCPError(code=types.INVALID_PARAMS, message="The list has only one page. Omit cursor")
        # in a thread, because the schemas of all tools take a third of a second
        return types.ListToolsResult(
            tools=await pool.run(_list_all_tools, catalog, _request_scope(ctx)[SELECTION].full)
        )

    async def call_tool(ctx: Context, params: types.CallToolRequestParams) -> types.CallToolResult:
        return await _handle_call(catalog, pool, _request_scope(ctx), params)

    def input_schema(name: str) -> dict[str, Any] | None:
        tool = catalog.by_name.get(name)
        return tool.input_schema if tool else None

    server: Server[Any] = Server(
        "workspace-tools",
        version=version,
        title="Workspace Tools",
        instructions=build_instructions(),  # each connection gets its own instructions in place of these
        cache_hints={"tools/list": CacheHint(ttl_ms=LIST_TTL_MS, scope="private")},
        # without it every call in the newer protocol would list all tools first
        get_tool_input_schema=input_schema,
        on_list_tools=list_tools,
        on_call_tool=call_tool,
    )
    server.middleware.append(_reject_unknown_methods(server))
    server.middleware.append(_personalize_instructions)
    server.middleware.append(_CachedToolList(catalog))
    return server


async def _handle_call(
    catalog: Catalog, pool: ThreadRunner, scope: Any, params: types.CallToolRequestParams
) -> types.CallToolResult:
    tool = catalog.by_name.get(params.name)
    try:
        if tool is None and (other := linked_app_tools.find_tool_app(scope, params.name)) is not None:
            return await linked_app_tools.call_tool(other, params.name, params.arguments, scope, pool)
        if tool is None:
            # counted like every call, but reported differently from a tool's own errors
            await pool.run(consume_quota, scope[CALLER])
            raise MCPError(code=types.INVALID_PARAMS, message=_unknown_tool_message(catalog, params.name))
        return await pool.run(_execute_call, tool, scope, params.arguments)
    except ToolError as refusal:
        return tool_results.error_result(refusal)
    except PoolBusyError:
        return tool_results.busy_result()
    except MCPError:
        raise
    except Exception:
        log.exception("request %s: %s failed", scope[REQUEST_ID], params.name[:64])
        return tool_results.internal_error_result(scope[REQUEST_ID])


def _reject_unknown_methods(server: Server[Any]) -> ServerMiddleware[Any]:
    """Answer a method that is not supported with -32601, regardless of its params.

    Otherwise, the protocol library would first check the params of every method that it knows, and report them as
    invalid.
    """

    async def served(ctx: Context, call_next: CallNext) -> HandlerResult:
        is_request = not ctx.method.startswith("notifications/")
        if is_request and ctx.method != "initialize" and server.get_request_handler(ctx.method) is None:
            raise MCPError(code=types.METHOD_NOT_FOUND, message="Method not found", data=ctx.method)
        return await call_next(ctx)

    return served


async def _personalize_instructions(ctx: Context, call_next: CallNext) -> HandlerResult:
    result = await call_next(ctx)
    if isinstance(result, dict) and "instructions" in result:
        return {**result, "instructions": build_instructions(_request_scope(ctx)[CALLER])}
    return result


def _request_scope(ctx: Context) -> Any:
    """Return the scope of the HTTP request, in which the request checker stored the caller."""
    assert ctx.request is not None
    return ctx.request.scope


def _execute_call(tool: Tool[Any], scope: Any, arguments: dict[str, Any] | None) -> types.CallToolResult:
    """Execute one call in a thread of the pool: quota, tool, and its picture if there is one."""
    consume_quota(scope[CALLER])
    caller = scope[CALLER]
    answer = execute_tool(tool, caller, arguments)
    return tool_results.success_result(answer, scope[DATA], zone=caller.account.zone, is_write=not tool.reads)


def _list_all_tools(catalog: Catalog, full: bool) -> list[types.Tool]:
    return [describe_tool(tool, full=full) for tool in catalog]


def _unknown_tool_message(catalog: Catalog, name: str) -> str:
    near = ", ".join(catalog.suggest_names(name))
    return f"There is no tool {name[:80]}. Similar tools: {near}. tools/list names all tools"


class _CachedToolList:
    """The complete list of tools, built once for each version of the protocol.

    It is the same for all callers until the program changes, and building it is slow. Each caller gets the part that
    they can use.
    """

    def __init__(self, catalog: Catalog) -> None:
        self._catalog = catalog
        self._lists: dict[tuple[str, bool], dict[str, Any]] = {}

    async def __call__(self, ctx: Context, call_next: CallNext) -> HandlerResult:
        if ctx.method != "tools/list" or (ctx.params or {}).get("cursor"):
            return await call_next(ctx)
        scope = _request_scope(ctx)
        selection, caller = scope[SELECTION], scope[CALLER]
        key = (ctx.protocol_version, selection.full)
        whole = self._lists.get(key)
        if whole is None:
            made = await call_next(ctx)
            assert isinstance(made, dict)  # in the form in which it is sent
            whole = self._lists[key] = made
        tools = [tool for tool in whole["tools"] if selection.includes(self._catalog.by_name[tool["name"]], caller)]
        return {**whole, "tools": [*tools, *linked_app_tools.describe_offered_tools(scope)]}
