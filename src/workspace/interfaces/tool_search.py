"""Which tools are about what somebody wants: by the words of their names, descriptions and arguments."""

from __future__ import annotations

import math
import re
from collections import Counter
from collections.abc import Iterator
from typing import Any

from typing_extensions import TypedDict

from workspace.accounts.dispatch import Caller
from workspace.lib.text import fold
from workspace.tools.answer import Answer
from workspace.tools.catalog import Catalogue
from workspace.tools.tool import Tool

FIND = "svc_find_tools"  # which every search would find
MOST = 6
WORDS = 40  # of what is wanted; the rest adds nothing
_WORD = re.compile(r"[^\W_]+")
_ENDINGS = ("ings", "ing", "ies", "ed", "es", "s", "e", "y")
_HOLLOW = "svc the and for with how want can please need that this to of by in on my is it at or an do me we be as "
_HOLLOW += "what who which where when many much some all any did will would let"
_EMPTY = frozenset(_HOLLOW.split())
# What people say, and the tools' own verbs for it.
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


class FoundTool(TypedDict):
    name: str
    title: str
    description: str
    product: str
    arguments: list[Argument]
    connected: bool
    why_not: str


class Found(TypedDict):
    tools: list[FoundTool]


class Index:
    """The tools of a catalogue with the weights of their words."""

    def __init__(self, catalogue: Catalogue) -> None:
        self.weights = {tool: _weights(tool) for tool in catalogue if tool.name != FIND}
        self.holding = Counter(word for weights in self.weights.values() for word in weights)

    def find(self, want: str) -> list[Tool[Any]]:
        """The best first; none where no word fits."""
        said = _WORD.findall(fold(want))[:WORDS]
        meant = [verb for word in said for verb in _VERBS.get(word, [])]
        words = dict.fromkeys(_stems(" ".join([*said, *meant])))
        rarity = {word: math.log(1 + len(self.weights) / self.holding[word]) for word in words if self.holding[word]}
        scores = {
            tool: sum(rarity[word] * weights[word] for word in rarity if word in weights)
            for tool, weights in self.weights.items()
        }
        ranked = sorted(scores, key=lambda tool: -scores[tool])  # of equals, in the catalogue's order
        return [tool for tool in ranked[:MOST] if scores[tool] > 0]


def answer(tools: list[Tool[Any]], caller: Caller) -> Answer[Found]:
    rows = [_row(tool, caller) for tool in tools]
    if not rows:
        text = "No tool is about that. Say it in other words; svc_list_products tells what each product does."
        return Answer({"tools": rows}, text)
    return Answer({"tools": rows}, "\n".join(["The tools that fit best:", "", *map(_line, rows)]))


def _row(tool: Tool[Any], caller: Caller) -> FoundTool:
    why_not = caller.lacks(tool.product, tool.product_title)
    if not why_not and not tool.reads and not caller.may_write:
        why_not = "it changes something, and this connection may only read"
    if not why_not:
        why_not = caller.kept_from(tool)
    return {
        "name": tool.name,
        "title": tool.title,
        "description": " ".join(tool.description.split()),
        "product": tool.product_title,
        "arguments": list(_arguments(tool)),
        "connected": not why_not,
        "why_not": why_not,
    }


def _line(row: FoundTool) -> str:
    told = [
        f"  - {argument['name']} ({argument['type']}{', required' if argument['required'] else ''})"
        + (f": {argument['description']}" if argument["description"] else "")
        for argument in row["arguments"]
    ]
    has = "This connection has it." if row["connected"] else f"This connection does not have it: {row['why_not']}."
    return "\n".join([f"- **{row['name']}**, {row['title']} ({row['product']}). {row['description']} {has}", *told])


def _arguments(tool: Tool[Any]) -> Iterator[Argument]:
    required = tool.input_schema.get("required", [])
    for name, part in tool.input_schema["properties"].items():
        yield {
            "name": name,
            "type": " or ".join(str(choice) for choice in part.get("enum", [])) or part.get("type", "object"),
            "required": name in required,
            "description": part.get("description", ""),
        }


def _weights(tool: Tool[Any]) -> dict[str, float]:
    """Each word with the weight of the most telling place where it stands."""
    weights: dict[str, float] = {}
    places = [
        (0.5, " ".join(_texts(tool.input_schema))),
        (1, tool.product_title),
        (1.5, " ".join(_names(tool.input_schema))),
        (2, tool.description),
        (4, tool.title),
        (4, tool.name),
    ]
    for weight, text in places:
        weights |= dict.fromkeys(_stems(text), weight)
    return weights


def _names(node: Any) -> Iterator[str]:
    if isinstance(node, dict):
        yield from node.get("properties", {})
        for part in node.values():
            yield from _names(part)
    elif isinstance(node, list):
        for part in node:
            yield from _names(part)


def _texts(node: Any) -> Iterator[str]:
    if isinstance(node, dict):
        for key, part in node.items():
            if key == "description" and isinstance(part, str):
                yield part
            else:
                yield from _texts(part)
    elif isinstance(node, list):
        for part in node:
            yield part if isinstance(part, str) else ""
            yield from _texts(part)


def _stems(text: str) -> Iterator[str]:
    for word in _WORD.findall(fold(text)):
        if len(word) > 1 and word not in _EMPTY:
            yield next((word[: -len(end)] for end in _ENDINGS if word.endswith(end) and len(word) > len(end) + 2), word)
