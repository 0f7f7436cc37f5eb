"""What an agent is shown of a tool: less than the full schema, which REST, the command line and the door keep, since a
model reads the whole list before each conversation. What is left out is still refused, in words that say what to mend.

A description is cut to its first clause: begin one with a few words that can stand alone, `Where a scan leads: …`.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

from workspace.tools.tool import DRY_RUN, Tool

Schema = dict[str, Any]

MAX_ARGUMENT_LENGTH = 28
MAX_CLAUSE_LENGTH = 40  # a clause is left whole up to here: half of one misleads
MAX_DESCRIPTION_LENGTH = 150
MAX_SENTENCE_LENGTH = 200
MIN_SHARED_FIELDS = 4  # fields that an object must have to be told by another one
# Names that say it all, and some that the instructions explain once for all tools.
_PLAIN_NAMES_TEXT = """name full_name title email phone company website url address price text description bio note
notes message
    subject slug password folder q limit offset days city country currency language time_zone items remove order live
    ids hidden sold_out"""
PLAIN_NAMES = frozenset([*_PLAIN_NAMES_TEXT.split(), DRY_RUN])
_OMITTED_KEYWORDS_TEXT = """minLength maxLength minimum maximum exclusiveMinimum exclusiveMaximum multipleOf minItems
maxItems
    uniqueItems minProperties maxProperties pattern examples contentEncoding description $defs"""
OMITTED_KEYWORDS = frozenset(_OMITTED_KEYWORDS_TEXT.split())
_CLAUSE = re.compile(r"[:;.?!](?=\s|$)|\(")
_SENTENCE = re.compile(r"(?<=[.!?])\s+")
_TRAILING_WORDS_TEXT = "a an the of in on at to by for with from as is are was and or that which it its your when"
TRAILING_WORDS = frozenset(_TRAILING_WORDS_TEXT.split())


def first_sentences(tool: Tool[Any]) -> str:
    """The description's first sentences, as many as fit."""
    sentences = _SENTENCE.split(" ".join(tool.description.split()))
    found = sentences[0]
    for sentence in sentences[1:]:
        if len(found) + 1 + len(sentence) > MAX_DESCRIPTION_LENGTH:
            break
        found += f" {sentence}"
    return found if len(found) <= MAX_SENTENCE_LENGTH else _cut_at_word(found, MAX_DESCRIPTION_LENGTH)


def compact_schema(tool: Tool[Any]) -> Schema:
    """The input schema without bounds, with short descriptions, and without what a sibling tells already."""
    return _SchemaWriter(tool.input_schema, list(_list_sibling_objects(tool))).write()


def shorten_description(name: str, description: str) -> str:
    """What is said of an argument; empty where its name says enough."""
    clause = _CLAUSE.split(description, maxsplit=1)[0].strip()
    found = clause if len(clause) <= MAX_CLAUSE_LENGTH else _cut_at_word(clause, MAX_ARGUMENT_LENGTH)
    is_id = name.endswith("id") and clause.split(",")[0].endswith(" id")  # `The card's id, as … tells it`
    return "" if name in PLAIN_NAMES or is_id else found


def _cut_at_word(text: str, most: int) -> str:
    words = text[: most + 1].rsplit(" ", 1)[0].split()
    while words and words[-1].lower() in TRAILING_WORDS:
        words.pop()
    return " ".join(words).rstrip(",;:") + "…"


def _list_sibling_objects(tool: Tool[Any]) -> Iterator[tuple[str, Schema]]:
    """The objects that siblings list before it: what saves a list of children comes first, then what edits."""
    ranked = sorted(tool.siblings, key=_sibling_rank)
    for sibling in ranked[: ranked.index(tool)] if tool in ranked else []:
        for node in _find_objects(sibling.input_schema, sibling.input_schema.get("$defs", {}), top=True):
            yield sibling.name, _SchemaWriter(sibling.input_schema, []).write_members(node)


def _sibling_rank(tool: Tool[Any]) -> int:
    return 0 if "save" in tool.words else 1 if "edit" in tool.words else 2


def _find_objects(
    node: Any, defs: Schema, *, top: bool = False, seen: frozenset[str] = frozenset()
) -> Iterator[Schema]:
    """Every object below the arguments themselves."""
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
    """Writes one schema anew. What it refers to once stands where it is used, what it refers to again stays apart."""

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
                if written or key == "items":  # an empty one allows whatever it would without it
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
            self.shared_definitions[name] = {}  # before it is written, for one that holds itself
            self.shared_definitions[name] = self.write_node(self.defs[name])
        return {"$ref": f"#/$defs/{name}"}

    def collapse_if_shared(self, written: Schema, node: Schema) -> Schema:
        """Return the object with all its fields, or with none where a sibling lists each of them in the same way: its
        name then stands for them. Some of them would be taken for all."""
        own = _SchemaWriter(self.schema, []).write_members(node) if self.elsewhere else {}
        for name, told in self.elsewhere:
            if len(own) >= MIN_SHARED_FIELDS and all(told.get(key) == part for key, part in own.items()):
                kept = {key: part for key, part in written.items() if key != "properties"}
                return {**kept, "description": f"as in {name}"}
        return written


def _collect_references(node: Any, kept: Schema) -> set[str]:
    """The names among `shared_definitions` that the node refers to, and those that they refer to."""
    found: set[str] = set()
    waiting = [node]
    while waiting:
        node = waiting.pop()
        if isinstance(node, dict) and "$ref" in node:
            name = node["$ref"].rsplit("/", 1)[1]
            waiting += [kept[name]] if name not in found else []
            found.add(name)
        elif isinstance(node, dict | list):
            waiting += node.values() if isinstance(node, dict) else node
    return found
