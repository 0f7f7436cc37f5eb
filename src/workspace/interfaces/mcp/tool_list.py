"""The catalog in MCP's format: compact for a model, and limited to the tools that the connection may use."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any
from urllib.parse import parse_qs

import mcp_types as types

from workspace.accounts import plans, product_scope
from workspace.accounts.dispatch import Caller
from workspace.interfaces.mcp.bulk_write_summaries import with_left_out_schema
from workspace.interfaces.mcp.http_errors import INVALID_PARAMS, HttpResponseError, rpc_error
from workspace.tools.catalog import Catalog
from workspace.tools.compact_schema import compact_schema
from workspace.tools.tool import Tool

ALL_PRODUCTS = "all"


@dataclass(frozen=True, slots=True)
class ToolSelection:
    """The tools selected by the query of the MCP URL.

    `?products=qr,card` selects some of the products that the owner chose. `?products=all` lists the others too. Calls
    to those are rejected with a message on how to add them. `?schemas=full` lists complete schemas, including those of
    results, and the rarely needed tools, which otherwise only `svc_find_tools` finds.
    """

    products: frozenset[str] | None = None
    all: bool = False
    full: bool = False

    def includes(self, tool: Tool[Any], caller: Caller) -> bool:
        """Return whether the selection includes a tool that the caller may use."""
        if tool.rare and not self.full:
            return False
        has = self.all or not caller.product_denial_reason(tool.product, tool.product_title)
        reach = caller.member_scope if self.all else caller.permission_scope
        may = reach.can_access(tool.area, writes=not tool.reads)
        return has and may and (tool.reads or caller.can_write)


def describe_tool(tool: Tool[Any], *, full: bool) -> types.Tool:
    return types.Tool(
        name=tool.name,
        title=tool.title,
        description=tool.description if full else tool.short,
        input_schema=tool.input_schema if full else compact_schema(tool),
        output_schema=_output_schema(tool) if full else None,
        annotations=types.ToolAnnotations(
            title=tool.title,
            read_only_hint=tool.reads,
            destructive_hint=tool.destructive or tool.sends,  # what has been sent cannot be taken back
            idempotent_hint=tool.reads or tool.idempotent,
            open_world_hint=tool.sends,  # all other tools work on the account's own items
        ),
    )


def _output_schema(tool: Tool[Any]) -> dict[str, Any]:
    return tool.output_schema if tool.reads else with_left_out_schema(tool.output_schema)


def parse_selection(catalog: Catalog, query: bytes) -> ToolSelection:
    """Parse the URL's query. Raise HttpResponseError for an unknown product."""
    given = parse_qs(query.decode("latin-1"), keep_blank_values=True)
    schemas = given.get("schemas", [""])[-1]
    if schemas not in ("", "full"):
        raise _invalid_params_error("The only allowed value of schemas is full: ?schemas=full")
    full = schemas == "full"
    if "products" not in given:
        return ToolSelection(full=full)
    names = {part.strip().lower() for value in given["products"] for part in value.split(",")} - {""}
    return (
        ToolSelection(all=True, full=full)
        if names == {ALL_PRODUCTS}
        else ToolSelection(_parse_products(catalog, names), full=full)
    )


def _parse_products(catalog: Catalog, names: set[str]) -> frozenset[str]:
    known = _known_products(catalog)
    # people use the words in tool names, which may differ from the product's key: links for link, bid for quote
    by_word = {tool.name_parts[0]: tool.product for tool in catalog}
    names = {name if name in known else by_word.get(name, name) for name in names}
    unknown = sorted(names - set(known))
    if unknown or not names:
        named = f"There is no product {unknown[0][:40]}" if unknown else "No product given"
        raise _invalid_params_error(f"{named}. Choose from {', '.join(known)}, or omit ?products=")
    return frozenset(names)


def _invalid_params_error(message: str) -> HttpResponseError:
    return rpc_error(400, INVALID_PARAMS, message)


def _known_products(catalog: Catalog) -> list[str]:
    return _unique_names([*(tool.product for tool in catalog), *plans.PRODUCTS, *product_scope.linked_app_titles()])


def _unique_names(names: Iterable[str]) -> list[str]:
    return list(dict.fromkeys(names))
