"""Tools that save a list in one call, which adds or changes each of the `items`.

The flags of their command build one of the items.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from svc import json_schema
from svc.catalog import Tool

LIST, ID = "items", "id"
# Arguments outside the list, which therefore cannot be fields of an entry.
LIST_ARGUMENTS = ("items", "remove", "order", "csv", "match", "dry_run")


@dataclass(frozen=True)
class EntrySchema:
    """The entries of a list.

    `root` is the schema of an entry, `most` the maximum per call (None if there is no limit), `noun` the name of an
    entry (`item` in svc_menu_save_items, `card` in svc_card_save), and `beside` the tool's other arguments.
    """

    root: json_schema.Schema
    most: int | None
    noun: str
    beside: frozenset[str]

    @property
    def reads_csv(self) -> bool:
        """True if the tool itself parses the text of a table."""
        return "csv" in self.beside

    @property
    def has_id(self) -> bool:
        return ID in self.fields

    @property
    def fields(self) -> dict[str, Any]:
        found: dict[str, Any] = self.root["properties"]
        return found

    @property
    def aliases(self) -> dict[str, str]:
        """Other names of fields: `card_id` for the id of a card."""
        other = f"{self.noun.replace(' ', '_')}_id"
        return {other: ID} if self.has_id and other not in self.beside | set(self.fields) else {}


def find_entry_schema(tool: Tool) -> EntrySchema | None:
    """Return the schema of the entries in a tool's list, or None if the tool accepts no list of objects."""
    root = tool.input_schema
    properties = root.get("properties") or {}
    listed = json_schema.resolve_schema(properties.get(LIST), root)
    entry = json_schema.resolve_schema(listed.get("items"), root)
    if "array" not in json_schema.json_types(listed, root) or not entry.get("properties"):
        return None
    *others, last = tool.name_parts
    noun = " ".join(others) if last == "save" else last
    return EntrySchema(
        root={**entry, "$defs": root.get("$defs") or {}},
        most=listed.get("maxItems"),
        noun=noun.removesuffix("s"),
        beside=frozenset(properties),
    )


def main_argument(tool: Tool) -> str | None:
    """Return the argument that can be given without its flag, or None.

    It is the only id that the tool needs, the list of ids that it accepts, or the only text that a read needs.
    """
    root = tool.input_schema
    properties = root.get("properties") or {}
    required = [name for name in root.get("required") or [] if name in properties]
    named = [name for name in required if _is_id(name)]
    if not named and not required:
        # a read of one item or of all, or a tool that only acts on a change
        free = [name for name in properties if _is_id(name)]
        alone = tool.read_only or set(properties) <= {*free, "dry_run"}
        named = free if alone else []
    if not named and "ids" in required:
        named = ["ids"]
    if not named and tool.read_only and len(required) == 1:
        named = [name for name in required if json_schema.json_types(properties[name], root) == {"string"}]
    return named[0] if len(named) == 1 else None


def _is_id(name: str) -> bool:
    return name in ("id", "thing") or name.endswith("_id")
