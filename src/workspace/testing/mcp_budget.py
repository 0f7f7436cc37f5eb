"""What the list of tools costs each conversation, in tokens as they are estimated here: four bytes to one."""

from __future__ import annotations

import json
from collections.abc import Iterable
from typing import Any

from workspace.interfaces.mcp.tool_list import describe_tool
from workspace.tools.tool import Tool

FIVE = frozenset({"account", "qr", "card", "link", "review", "menu"})
MOST_FOR_FIVE = 11_000
MOST = 28_000


def tokens(tools: Iterable[Tool[Any]], *, full: bool = False) -> int:
    """Of what a model reads: names, descriptions and input schemas of what is listed."""
    return sum(_bytes(tool, full=full) for tool in tools if full or not tool.rare) // 4


def _bytes(tool: Tool[Any], *, full: bool) -> int:
    told = describe_tool(tool, full=full)
    schema = json.dumps(told.input_schema, ensure_ascii=False, separators=(",", ":"))
    return len(f"{told.name}{told.description}{schema}".encode())
