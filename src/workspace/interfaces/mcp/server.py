"""The protocol's handlers: list the tools, call one. One server serves all callers; each request brings its own."""

from __future__ import annotations

import logging
from typing import Any

import mcp_types as types
from mcp.server.caching import CacheHint
from mcp.server.context import CallNext, HandlerResult, ServerRequestContext
from mcp.server.lowlevel import Server
from mcp.shared.exceptions import MCPError

from workspace.accounts.door import Caller, perform, take_call
from workspace.interfaces.http.pool import PoolBusy
from workspace.interfaces.mcp import results
from workspace.interfaces.mcp.gate import CALLER, PRODUCTS, REQUEST_ID, Runs
from workspace.interfaces.mcp.instructions import INSTRUCTIONS
from workspace.interfaces.mcp.listing import Products, described, find, listed
from workspace.toolkit.answer import Answer
from workspace.toolkit.catalogue import Catalogue
from workspace.toolkit.errors import Refusal
from workspace.toolkit.tool import Tool

log = logging.getLogger("workspace.mcp")
Context = ServerRequestContext[Any, Any]
LIST_TTL_MS = 5 * 60 * 1000
MAX_LISTS = 64  # remembered; a further narrowing is worked out each time


def serve(catalogue: Catalogue, pool: Runs, *, version: str) -> Server[Any]:
    async def list_tools(ctx: Context, params: types.PaginatedRequestParams | None) -> types.ListToolsResult:
        if params is not None and params.cursor:
            raise MCPError(code=types.INVALID_PARAMS, message="The list has one page: leave cursor out")
        tools = listed(catalogue, _scope(ctx)[PRODUCTS])
        return types.ListToolsResult(tools=[described(tool) for tool in tools])

    async def call_tool(ctx: Context, params: types.CallToolRequestParams) -> types.CallToolResult:
        scope = _scope(ctx)
        tool = find(catalogue, params.name, scope[PRODUCTS])
        try:
            if tool is None:
                # counted like every call, then told apart from a tool's own refusals
                await pool.run(take_call, scope[CALLER])
                raise MCPError(code=types.INVALID_PARAMS, message=_unknown(params.name, scope[PRODUCTS]))
            return results.answered(await pool.run(_call, tool, scope[CALLER], params.arguments))
        except Refusal as refusal:
            return results.refused(refusal)
        except PoolBusy:
            return results.busy()
        except MCPError:
            raise
        except Exception:
            log.exception("request %s: %s failed", scope[REQUEST_ID], params.name[:64])
            return results.broke(scope[REQUEST_ID])

    def input_schema(name: str) -> dict[str, Any] | None:
        tool = catalogue.by_name.get(name)
        return tool.input_schema if tool else None

    server: Server[Any] = Server(
        "workspace-tools",
        version=version,
        title="Workspace Tools",
        instructions=INSTRUCTIONS,
        cache_hints={"tools/list": CacheHint(ttl_ms=LIST_TTL_MS, scope="private")},
        # without it every call of the newer protocol would list all tools first
        get_tool_input_schema=input_schema,
        on_list_tools=list_tools,
        on_call_tool=call_tool,
    )
    server.middleware.append(_RememberedLists())
    return server


def _scope(ctx: Context) -> Any:
    """The HTTP request's scope, in which the gate left who calls."""
    assert ctx.request is not None
    return ctx.request.scope


def _call(tool: Tool, caller: Caller, arguments: dict[str, Any] | None) -> Answer[Any]:
    """In a thread of the pool: one call off the day, then the tool."""
    take_call(caller)
    return perform(tool, caller, arguments)


def _unknown(name: str, products: Products | None) -> str:
    narrowed = f" among {', '.join(sorted(products))}" if products else ""
    return f"There is no tool {name[:80]}{narrowed}: tools/list names those there are"


class _RememberedLists:
    """A list is the same for all callers until the program changes: making it costs several milliseconds."""

    def __init__(self) -> None:
        self._lists: dict[tuple[str, Products | None], Any] = {}

    async def __call__(self, ctx: Context, call_next: CallNext) -> HandlerResult:
        if ctx.method != "tools/list" or (ctx.params or {}).get("cursor"):
            return await call_next(ctx)
        key = (ctx.protocol_version, _scope(ctx)[PRODUCTS])
        known = self._lists.get(key)
        if known is None:
            known = await call_next(ctx)
            if len(self._lists) < MAX_LISTS:
                self._lists[key] = known
        return known
