"""Suggestions for unknown names: the name that was probably meant, or the tool that accepts it."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from difflib import SequenceMatcher, get_close_matches
from typing import Any

from workspace.lib.messages import Message
from workspace.tools import messages
from workspace.tools.json_schema import resolve_alternatives
from workspace.tools.tool import DRY_RUN, Tool

MIN_SIMILARITY = 0.75  # from 0 to 1; below this, two names only share letters
MAX_NAME_LENGTH = 64
Schema = dict[str, Any]


def find_nearest_tools(name: str, tools: Iterable[Tool[Any]], count: int = 3) -> list[Tool[Any]]:
    """Return the tools with the most similar names, by words first, then by letters."""
    words = set(name[:MAX_NAME_LENGTH].lower().split("_")) - {"svc"}

    def likeness(tool: Tool[Any]) -> float:
        shared = len(words & set(tool.name_parts)) / len(tool.name_parts)
        return shared + SequenceMatcher(None, name[:MAX_NAME_LENGTH].lower(), tool.name).ratio()

    return sorted(tools, key=likeness, reverse=True)[:count]


def explain_unknown_argument(tool: Tool[Any], path: str) -> Message:
    """Return the message for an unknown argument at a dotted path."""
    *parents, name = path.split(".")
    own = _property_names(_schemas_at(tool.input_schema, parents), tool.input_schema)
    close = get_close_matches(name[:MAX_NAME_LENGTH], own, 1, MIN_SIMILARITY) or [
        one for one in own if name in one.split("_")
    ]
    if close:
        return messages.UNKNOWN_ARGUMENT_SIMILAR(name=close[0])
    if name == DRY_RUN and tool.reads:
        return messages.UNKNOWN_ARGUMENT_OF_READING_TOOL
    elsewhere = _explain_where_known(tool, name, nested=bool(parents))
    if not elsewhere and parents and own:
        elsewhere = messages.UNKNOWN_ENTRY_ARGUMENT(names=", ".join(dict.fromkeys(own)))
    return elsewhere or messages.UNKNOWN_ARGUMENT


def _explain_where_known(tool: Tool[Any], name: str, *, nested: bool) -> Message | None:
    """Return a message about where an argument with this name belongs, or None."""
    if nested and name in tool.input_schema["properties"]:
        return messages.UNKNOWN_ARGUMENT_BESIDE_LIST
    if nested:  # an entry's argument is not looked up in other tools
        return None
    for place in _find_containers(tool.input_schema, name):
        return messages.UNKNOWN_ARGUMENT_INSIDE(place=place)
    # only tools of the same kind, so that a caller who writes is not sent to a tool that reads
    siblings = [other for other in tool.siblings if other is not tool and other.reads is tool.reads]
    for other in siblings:
        if name in other.input_schema["properties"] and name != DRY_RUN:
            return messages.UNKNOWN_ARGUMENT_OF_TOOL(tool=other.name)
    for other in siblings:
        for place in _find_containers(other.input_schema, name):
            return messages.UNKNOWN_ARGUMENT_INSIDE_OF_TOOL(tool=other.name, place=place)
    return None


def _find_containers(schema: Schema, name: str) -> Iterator[str]:
    """Yield the arguments that are objects, or lists of objects, with a member of this name."""
    for place, part in schema["properties"].items():
        if name in _property_names([part], schema):
            yield place


def _schemas_at(schema: Schema, path: list[str]) -> list[Schema]:
    """Return the schemas at a path."""
    nodes = [schema]
    for step in path:
        found = []
        for node in _resolve_alternatives(nodes, schema):
            if step.isdecimal() and isinstance(node.get("items"), dict):
                found.append(node["items"])
            elif step in node.get("properties", {}):
                found.append(node["properties"][step])
        nodes = found
    return nodes


def _property_names(nodes: list[Schema], schema: Schema) -> list[str]:
    """Return the members of objects and of lists of objects."""
    found = _resolve_alternatives(nodes, schema)
    found += _resolve_alternatives([node["items"] for node in found if isinstance(node.get("items"), dict)], schema)
    return [name for node in found for name in node.get("properties", {})]


def _resolve_alternatives(nodes: list[Schema], schema: Schema) -> list[Schema]:
    return resolve_alternatives(nodes, schema.get("$defs", {}))
