"""A compact form of tools' arguments for agents, because a model reads the whole list before each conversation.

REST, the command line and the dispatcher use the full schema. Rules that are left out here still apply, and errors
explain how to fix the argument. Only the first sentence of an argument's description is used, so that sentence must be
complete and have at most `MAX_SENTENCE_LENGTH` characters, such as `Destination of the QR code.`
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

from workspace.tools.tool import DRY_RUN, Tool

Schema = dict[str, Any]

MAX_SENTENCE_LENGTH = 60
MIN_SHARED_FIELDS = 4  # fields that an object must have to be replaced with a reference to another tool
# Names that need no description, and some that the instructions explain once for all tools.
_PLAIN_NAMES_TEXT = """name full_name title email phone company website url address price text description bio note
notes message
    subject slug password folder q limit offset days city country currency language time_zone items remove order live
    ids hidden sold_out"""
PLAIN_NAMES = frozenset([*_PLAIN_NAMES_TEXT.split(), DRY_RUN])
_OMITTED_KEYWORDS_TEXT = """minLength maxLength minimum maximum exclusiveMinimum exclusiveMaximum multipleOf minItems
maxItems
    uniqueItems minProperties maxProperties pattern examples contentEncoding description $defs"""
OMITTED_KEYWORDS = frozenset(_OMITTED_KEYWORDS_TEXT.split())
_PLAIN_ID = re.compile(r"[A-Z][\w ]* IDs?")  # such as `Card ID`
_SOURCE = re.compile(r", from svc_\w+(?: or svc_\w+)?$")
_SENTENCE_END = re.compile(r"(?<=[.!?])\s+")


def compact_schema(tool: Tool[Any]) -> Schema:
    """Return the input schema with short descriptions, without bounds, and without fields that a sibling lists."""
    return _SchemaWriter(tool.input_schema, list(_list_sibling_objects(tool))).write()


def shorten_description(name: str, description: str) -> str:
    """Return the first sentence of an argument's description, or "" if the argument's name is sufficient.

    The name of the tool that returns an ID is left out, because the argument's name implies it."""
    sentence = _SOURCE.sub("", _SENTENCE_END.split(description, maxsplit=1)[0].removesuffix("."))
    return "" if name in PLAIN_NAMES or _PLAIN_ID.fullmatch(sentence) else sentence


def _list_sibling_objects(tool: Tool[Any]) -> Iterator[tuple[str, Schema]]:
    """Yield objects of siblings that come first: tools that save lists of children, then tools that edit."""
    ranked = sorted(tool.siblings, key=_sibling_rank)
    for sibling in ranked[: ranked.index(tool)] if tool in ranked else []:
        for node in _find_objects(sibling.input_schema, sibling.input_schema.get("$defs", {}), top=True):
            yield sibling.name, _SchemaWriter(sibling.input_schema, []).write_members(node)


def _sibling_rank(tool: Tool[Any]) -> int:
    return 0 if "save" in tool.name_parts else 1 if "edit" in tool.name_parts else 2


def _find_objects(
    node: Any, defs: Schema, *, top: bool = False, seen: frozenset[str] = frozenset()
) -> Iterator[Schema]:
    """Yield every object below the arguments."""
    if isinstance(node, list):
        for part in node:
            yield from _find_objects(part, defs, seen=seen)
    elif isinstance(node, dict):
        if "$ref" in node:
            name = node["$ref"].rsplit("/", 1)[1]
            if name not in seen:
                yield from _find_objects(defs[name], defs, seen=seen | {name})
            return
        if "properties" in node and not top:
            yield node
        for key, part in node.items():
            if key != "$defs":
                yield from _find_objects(list(part.values()) if key == "properties" else part, defs, seen=seen)


class _SchemaWriter:
    """Writes a compact schema.

    A definition that is used once is inlined, and one that is used again stays a reference.
    """

    def __init__(self, schema: Schema, elsewhere: list[tuple[str, Schema]]) -> None:
        self.schema = schema
        self.defs: Schema = schema.get("$defs", {})
        self.elsewhere = elsewhere
        self.shared_definitions: Schema = {}

    def write(self) -> Schema:
        found = self.write_node(self.schema, top=True)
        found.setdefault("properties", {})
        used = _collect_references(found, self.shared_definitions)
        return (
            {
                **found,
                "$defs": {name: self.shared_definitions[name] for name in self.shared_definitions if name in used},
            }
            if used
            else found
        )

    def write_node(self, node: Schema, *, top: bool = False) -> Schema:
        if "$ref" in node:
            return self.write_reference(node["$ref"].rsplit("/", 1)[1])
        options = [part for part in node.get("anyOf", []) if part != {"type": "null"}]
        if len(options) == 1:  # `X or null` in a list's entries, where null means left out as everywhere
            return self.write_node({**{key: part for key, part in node.items() if key != "anyOf"}, **options[0]})
        found: Schema = {}
        for key, part in node.items():
            if key in OMITTED_KEYWORDS or (isinstance(part, bool) and not (key == "default" and part)):
                continue
            if key == "default" and part in (0, "", [], {}):
                continue
            if key == "properties":
                found[key] = self.write_members(node)
            elif key in ("anyOf", "oneOf", "allOf"):
                found[key] = [self.write_node(option) for option in part]
            elif key in ("items", "additionalProperties", "propertyNames"):
                written = self.write_node(part)
                if written or key == "items":  # an empty one allows the same as none
                    found[key] = written
            else:
                found[key] = part
        return found if top or "properties" not in found else self.collapse_if_shared(found, node)

    def write_members(self, node: Schema) -> Schema:
        found = {}
        for name, part in node["properties"].items():
            said = shorten_description(name, part.get("description", ""))
            written = self.write_node(part)
            found[name] = {"description": said, **written} if said else written
        return found

    def write_reference(self, name: str) -> Schema:
        again = str(self.schema).count(f"'#/$defs/{name}'") > 1
        if not again:
            return self.write_node(self.defs[name])
        if name not in self.shared_definitions:
            self.shared_definitions[name] = {}  # before it is written, for a definition that refers to itself
            self.shared_definitions[name] = self.write_node(self.defs[name])
        return {"$ref": f"#/$defs/{name}"}

    def collapse_if_shared(self, schema: Schema, node: Schema) -> Schema:
        """Return the object with all of its fields, or without them if a sibling lists all of them identically.

        In that case, the sibling's name replaces them. A partial list of fields would look complete.
        """
        own = _SchemaWriter(self.schema, []).write_members(node) if self.elsewhere else {}
        for name, sibling in self.elsewhere:
            if len(own) >= MIN_SHARED_FIELDS and all(sibling.get(key) == part for key, part in own.items()):
                kept = {key: part for key, part in schema.items() if key != "properties"}
                return {**kept, "description": f"as in {name}"}
        return schema


def _collect_references(node: Any, schema: Schema) -> set[str]:
    """Return the names of the shared definitions that the node refers to, directly or indirectly."""
    found: set[str] = set()
    waiting = [node]
    while waiting:
        node = waiting.pop()
        if isinstance(node, dict) and "$ref" in node:
            name = node["$ref"].rsplit("/", 1)[1]
            waiting += [schema[name]] if name not in found else []
            found.add(name)
        elif isinstance(node, dict | list):
            waiting += node.values() if isinstance(node, dict) else node
    return found
