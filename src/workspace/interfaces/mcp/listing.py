"""The catalogue as MCP lists it."""

from __future__ import annotations

from collections.abc import Iterable
from urllib.parse import parse_qs

import mcp_types as types

from workspace.accounts import plans
from workspace.interfaces.mcp.http_answers import INVALID_PARAMS, rpc_error
from workspace.toolkit.catalogue import Catalogue
from workspace.toolkit.tool import Tool

Products = frozenset[str]


def described(tool: Tool) -> types.Tool:
    return types.Tool(
        name=tool.name,
        title=tool.title,
        description=tool.description,
        input_schema=tool.input_schema,
        output_schema=tool.output_schema,
        annotations=types.ToolAnnotations(
            title=tool.title,
            read_only_hint=tool.reads,
            destructive_hint=tool.destructive,
            idempotent_hint=tool.reads or tool.idempotent,
            open_world_hint=False,  # a tool works on the account's own things
        ),
    )


def listed(catalogue: Catalogue, products: Products | None) -> list[Tool]:
    """The tools of a connection, in the catalogue's own order; None means all products."""
    return list(catalogue) if products is None else catalogue.of(products)


def find(catalogue: Catalogue, name: str, products: Products | None) -> Tool | None:
    tool = catalogue.by_name.get(name)
    return tool if tool is not None and (products is None or tool.product in products) else None


def chosen(catalogue: Catalogue, query: bytes) -> Products | None:
    """The products of `?products=qr,card`; None when the address does not narrow. Raises Turned for an unknown one."""
    given = parse_qs(query.decode("latin-1"), keep_blank_values=True).get("products")
    if given is None:
        return None
    names = {part.strip().lower() for value in given for part in value.split(",")} - {""}
    known = _known(catalogue)
    # people know the tools' own words, which are not always the product's key: links for link, bid for quote
    by_word = {tool.words[0]: tool.product for tool in catalogue}
    names = {name if name in known else by_word.get(name, name) for name in names}
    unknown = sorted(names - set(known))
    if unknown or not names:
        named = f"There is no product {unknown[0][:40]}" if unknown else "No product is named"
        raise rpc_error(400, INVALID_PARAMS, f"{named}: choose from {', '.join(known)}, or leave ?products= out")
    return frozenset(names)


def _known(catalogue: Catalogue) -> list[str]:
    return _unique([*(tool.product for tool in catalogue), *plans.PRODUCTS])


def _unique(names: Iterable[str]) -> list[str]:
    return list(dict.fromkeys(names))
