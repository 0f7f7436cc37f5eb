"""All tools of an instance, by name, path and product."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any

from workspace.tools.suggestions import find_nearest_tools
from workspace.tools.tool import Tool

# The command line's own commands. They would hide a tool whose command starts with one of them.
RESERVED_WORDS = frozenset({"tools", "call", "login", "logout", "import"})


class Catalog:
    def __init__(self, boxes: Iterable[Iterable[Tool[Any]]]) -> None:
        self.by_name: dict[str, Tool[Any]] = {}
        self.by_path: dict[str, Tool[Any]] = {}
        for box in boxes:
            for tool in box:
                self._add_tool(tool)

    def _add_tool(self, tool: Tool[Any]) -> None:
        if tool.name in self.by_name or tool.path in self.by_path:
            raise ValueError(f"{tool.name} is declared twice")
        if tool.name_parts[0] in RESERVED_WORDS:
            raise ValueError(f"{tool.name} hides the command {tool.name_parts[0]}")
        for other in self:
            shorter, longer = sorted((tool.name_parts, other.name_parts), key=len)
            if longer[: len(shorter)] == shorter:
                # a command line cannot have a command and a group of the same name
                raise ValueError(f"{tool.name} and {other.name}: one name starts with the other")
        self.by_name[tool.name] = tool
        self.by_path[tool.path] = tool

    def __iter__(self) -> Iterator[Tool[Any]]:
        return iter(self.by_name.values())

    def suggest_names(self, name: str) -> list[str]:
        """Return the names of the three tools that are most similar to an unknown name."""
        return [tool.name for tool in find_nearest_tools(name, self)]

    def tools_for(self, products: Iterable[str]) -> list[Tool[Any]]:
        wanted = set(products)
        return [tool for tool in self if tool.product in wanted]

    def describe(self) -> list[dict[str, Any]]:
        """Return all tools as JSON data, as in `GET /api/v1/tools`."""
        return [
            {
                "name": tool.name,
                "title": tool.title,
                "description": tool.description,
                "product": tool.product,
                "product_title": tool.product_title,
                "method": tool.method,
                "path": tool.path,
                "input_schema": tool.input_schema,
                "output_schema": tool.output_schema,
                "hints": tool.hints,
                "columns": list(tool.columns),
            }
            for tool in self
        ]
