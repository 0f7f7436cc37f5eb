"""Search for tools by the words of their names, descriptions and arguments."""

from __future__ import annotations

import math
import re
from collections import Counter
from collections.abc import Iterator
from typing import Any

from typing_extensions import TypedDict

from workspace.accounts.dispatch import Caller
from workspace.lib.text import search_key
from workspace.tools.answer import Answer
from workspace.tools.catalog import Catalog
from workspace.tools.tool import Tool

FIND_TOOL = "svc_find_tools"  # every search would find it
MAX_RESULTS = 6
MAX_QUERY_WORDS = 40  # words of the query that are used; more add nothing
_WORD = re.compile(r"[^\W_]+")
_ENDINGS = ("ings", "ing", "ies", "ed", "es", "s", "e", "y")
_STOP_WORD_TEXT = (
    "svc the and for with how want can please need that this to of by in on my is it at or an do me we be as "
)
_STOP_WORD_TEXT += "what who which where when many much some all any did will would let"
_STOP_WORDS = frozenset(_STOP_WORD_TEXT.split())
# Common words, and the verbs of tools that match them.
_VERBS = {
    "make": ["create"],
    "new": ["create"],
    "add": ["create", "save"],
    "change": ["edit", "save"],
    "update": ["edit", "save"],
    "rename": ["edit"],
    "remove": ["delete"],
    "show": ["list", "get"],
    "see": ["list", "get"],
    "download": ["export"],
    "visitors": ["stats"],
    "contacts": ["leads"],
}


class Argument(TypedDict):
    name: str
    type: str
    required: bool
    description: str


class ToolMatch(TypedDict):
    name: str
    title: str
    description: str
    product: str
    arguments: list[Argument]
    connected: bool
    why_not: str


class ToolMatches(TypedDict):
    tools: list[ToolMatch]


class ToolIndex:
    """An index of a catalog's tools with the weights of their words."""

    def __init__(self, catalog: Catalog) -> None:
        self.weights = {tool: _word_weights(tool) for tool in catalog if tool.name != FIND_TOOL}
        self.tool_counts = Counter(word for weights in self.weights.values() for word in weights)

    def search(self, query: str) -> list[Tool[Any]]:
        """Return the best tools, best first. The list is empty if no word matches."""
        said = _WORD.findall(search_key(query))[:MAX_QUERY_WORDS]
        meant = [verb for word in said for verb in _VERBS.get(word, [])]
        words = dict.fromkeys(_stems(" ".join([*said, *meant])))
        rarity = {
            word: math.log(1 + len(self.weights) / self.tool_counts[word]) for word in words if self.tool_counts[word]
        }
        scores = {
            tool: sum(rarity[word] * weights[word] for word in rarity if word in weights)
            for tool, weights in self.weights.items()
        }
        ranked = sorted(scores, key=lambda tool: -scores[tool])  # ties are in the order of the catalog
        return [tool for tool in ranked[:MAX_RESULTS] if scores[tool] > 0]


def search_answer(tools: list[Tool[Any]], caller: Caller) -> Answer[ToolMatches]:
    rows = [_match_data(tool, caller) for tool in tools]
    if not rows:
        text = "No tool is about that. Say it in other words; svc_list_products tells what each product does."
        return Answer({"tools": rows}, text)
    return Answer({"tools": rows}, "\n".join(["The tools that fit best:", "", *map(_format_match, rows)]))


def _match_data(tool: Tool[Any], caller: Caller) -> ToolMatch:
    why_not = caller.product_denial_reason(tool.product, tool.product_title)
    if not why_not and not tool.reads and not caller.can_write:
        why_not = "it changes something, and this connection may only read"
    if not why_not:
        why_not = caller.tool_denial_reason(tool)
    return {
        "name": tool.name,
        "title": tool.title,
        "description": " ".join(tool.description.split()),
        "product": tool.product_title,
        "arguments": list(_list_arguments(tool)),
        "connected": not why_not,
        "why_not": why_not,
    }


def _format_match(row: ToolMatch) -> str:
    argument_texts = [
        f"  - {argument['name']} ({argument['type']}{', required' if argument['required'] else ''})"
        + (f": {argument['description']}" if argument["description"] else "")
        for argument in row["arguments"]
    ]
    has = "This connection has it." if row["connected"] else f"This connection does not have it: {row['why_not']}."
    return "\n".join(
        [f"- **{row['name']}**, {row['title']} ({row['product']}). {row['description']} {has}", *argument_texts]
    )


def _list_arguments(tool: Tool[Any]) -> Iterator[Argument]:
    required = tool.input_schema.get("required", [])
    for name, part in tool.input_schema["properties"].items():
        yield {
            "name": name,
            "type": " or ".join(str(choice) for choice in part.get("enum", [])) or part.get("type", "object"),
            "required": name in required,
            "description": part.get("description", ""),
        }


def _word_weights(tool: Tool[Any]) -> dict[str, float]:
    """Return each word with the weight of the most significant text that contains it."""
    weights: dict[str, float] = {}
    places = [
        (0.5, " ".join(_description_texts(tool.input_schema))),
        (1, tool.product_title),
        (1.5, " ".join(_argument_names(tool.input_schema))),
        (2, tool.description),
        (4, tool.title),
        (4, tool.name),
    ]
    for weight, text in places:
        weights |= dict.fromkeys(_stems(text), weight)
    return weights


def _argument_names(node: Any) -> Iterator[str]:
    if isinstance(node, dict):
        yield from node.get("properties", {})
        for part in node.values():
            yield from _argument_names(part)
    elif isinstance(node, list):
        for part in node:
            yield from _argument_names(part)


def _description_texts(node: Any) -> Iterator[str]:
    if isinstance(node, dict):
        for key, part in node.items():
            if key == "description" and isinstance(part, str):
                yield part
            else:
                yield from _description_texts(part)
    elif isinstance(node, list):
        for part in node:
            yield part if isinstance(part, str) else ""
            yield from _description_texts(part)


def _stems(text: str) -> Iterator[str]:
    for word in _WORD.findall(search_key(text)):
        if len(word) > 1 and word not in _STOP_WORDS:
            yield next((word[: -len(end)] for end in _ENDINGS if word.endswith(end) and len(word) > len(end) + 2), word)
