"""The size of the tool list in each conversation, in tokens, estimated as four bytes each."""

from __future__ import annotations

import json
from collections.abc import Iterable
from typing import Any

from workspace.interfaces.mcp.tool_list import describe_tool
from workspace.tools.tool import Tool

FIVE = frozenset({"account", "qr", "card", "link", "review", "menu"})
MOST_FOR_FIVE = 11_000
MOST = 28_000


def count_tokens(tools: Iterable[Tool[Any]], *, full: bool = False) -> int:
    """Return the tokens that a model reads: names, descriptions and input schemas of the listed tools."""
    return sum(_bytes(tool, full=full) for tool in tools if full or not tool.rare) // 4


def _bytes(tool: Tool[Any], *, full: bool) -> int:
    told = describe_tool(tool, full=full)
    schema = json.dumps(told.input_schema, ensure_ascii=False, separators=(",", ":"))
    return len(f"{told.name}{told.description}{schema}".encode())
