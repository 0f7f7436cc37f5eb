"""What to say of a name that nobody knows: which one was probably meant, or who does know it."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from difflib import SequenceMatcher, get_close_matches
from typing import Any

from workspace.tools.json_schema import resolve_alternatives
from workspace.tools.tool import DRY_RUN, Tool

MIN_SIMILARITY = 0.75  # of 1: below it, two names only share letters
MAX_NAME_LENGTH = 64
Schema = dict[str, Any]


def find_nearest_tools(name: str, tools: Iterable[Tool[Any]], count: int = 3) -> list[Tool[Any]]:
    """The tools whose names are most like this one: by their words first, then by their letters."""
    words = set(name[:MAX_NAME_LENGTH].lower().split("_")) - {"svc"}

    def likeness(tool: Tool[Any]) -> float:
        shared = len(words & set(tool.words)) / len(tool.words)
        return shared + SequenceMatcher(None, name[:MAX_NAME_LENGTH].lower(), tool.name).ratio()

    return sorted(tools, key=likeness, reverse=True)[:count]


def explain_unknown_argument(tool: Tool[Any], path: str) -> str:
    """What to do with an argument that the tool does not take, named by its dotted path."""
    *way, name = path.split(".")
    own = _property_names(_schemas_at(tool.input_schema, way), tool.input_schema)
    close = get_close_matches(name[:MAX_NAME_LENGTH], own, 1, MIN_SIMILARITY) or [
        one for one in own if name in one.split("_")
    ]
    if close:
        return f"Unknown argument: did you mean {close[0]}?"
    if name == DRY_RUN and tool.reads:
        return "Unknown argument: this tool only reads"
    elsewhere = _explain_where_known(tool, name, nested=bool(way))
    if not elsewhere and way and own:
        elsewhere = f"an entry takes {', '.join(dict.fromkeys(own))}"
    return f"Unknown argument: {elsewhere}" if elsewhere else "Unknown argument"


def _explain_where_known(tool: Tool[Any], name: str, *, nested: bool) -> str:
    """Where an argument of this name belongs; empty where nowhere."""
    if nested and name in tool.input_schema["properties"]:
        return "it stands beside the list, not in it"
    if nested:  # who writes an entry is not sent to another tool's
        return ""
    for place in _find_containers(tool.input_schema, name):
        return f"it stands inside {place}"
    # another tool of the same kind: who writes is not sent to what reads
    siblings = [other for other in tool.siblings if other is not tool and other.reads is tool.reads]
    for other in siblings:
        if name in other.input_schema["properties"] and name != DRY_RUN:
            return f"{other.name} takes it"
    for other in siblings:
        for place in _find_containers(other.input_schema, name):
            return f"{other.name} takes it, in {place}"
    return ""


def _find_containers(schema: Schema, name: str) -> Iterator[str]:
    """The arguments that are objects, or lists of them, with a member of this name."""
    for place, part in schema["properties"].items():
        if name in _property_names([part], schema):
            yield place


def _schemas_at(schema: Schema, way: list[str]) -> list[Schema]:
    """What the schema says of the place that a path leads to."""
    nodes = [schema]
    for step in way:
        found = []
        for node in _resolve_alternatives(nodes, schema):
            if step.isdecimal() and isinstance(node.get("items"), dict):
                found.append(node["items"])
            elif step in node.get("properties", {}):
                found.append(node["properties"][step])
        nodes = found
    return nodes


def _property_names(nodes: list[Schema], schema: Schema) -> list[str]:
    """The members of the objects that these are, or are lists of."""
    found = _resolve_alternatives(nodes, schema)
    found += _resolve_alternatives([node["items"] for node in found if isinstance(node.get("items"), dict)], schema)
    return [name for node in found for name in node.get("properties", {})]


def _resolve_alternatives(nodes: list[Schema], schema: Schema) -> list[Schema]:
    return resolve_alternatives(nodes, schema.get("$defs", {}))
