"""Reading a tool's JSON Schema for forms: the type and the constraints of a dotted path."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from workspace.tools.json_schema import LABEL_KEY

Schema = dict[str, Any]


@dataclass(frozen=True, slots=True)
class Constraints:
    """The constraints of a path. `kind` is a JSON type, and `choices` are the values of an enum as text."""

    kind: str = "string"
    format: str = ""
    required: bool = False
    choices: tuple[str, ...] = ()
    min_length: int | None = None
    max_length: int | None = None
    minimum: float | None = None
    maximum: float | None = None
    max_items: int | None = None
    default: Any = None
    description: str = ""
    label: str = ""


def node_at(schema: Schema, path: str) -> Schema | None:
    """Return the schema at a dotted path (`links.0.url`), with references and unions resolved, or None."""
    node = schema
    for part in path.split("."):
        found = _child_schema(schema, node, part)
        if found is None:
            return None
        node = found
    return _resolve_node(schema, node)


def constraints_at(schema: Schema, path: str) -> Constraints:
    """Return the constraints of a path.

    Raise KeyError for an unknown path, so that the tests of a page detect misspelled paths.
    """
    node = node_at(schema, path)
    if node is None:
        raise KeyError(f"This tool has no argument {path!r}")
    above, _, name = path.rpartition(".")
    parent = node_at(schema, above) if above else schema
    return Constraints(
        kind=node_kind(node),
        format=node.get("format", ""),
        required=name in (parent or {}).get("required", ()),
        choices=tuple(
            str(value) for value in node_choices(item_schema(schema, node) if node_kind(node) == "array" else node)
        ),
        min_length=node.get("minLength"),
        max_length=node.get("maxLength"),
        minimum=node.get("minimum", node.get("exclusiveMinimum")),
        maximum=node.get("maximum", node.get("exclusiveMaximum")),
        max_items=node.get("maxItems"),
        default=node.get("default"),
        description=node.get("description", ""),
        label=node.get(LABEL_KEY, ""),
    )


def node_kind(node: Schema) -> str:
    """Return the JSON type of a node, without null."""
    kind = node.get("type", "string")
    if isinstance(kind, list):
        kind = next((one for one in kind if one != "null"), "string")
    return str(kind)


def node_choices(node: Schema) -> list[Any]:
    """Return the allowed values of a node, or [] if any value is allowed."""
    if "const" in node:
        return [node["const"]]
    return [value for value in node.get("enum", []) if value is not None]


def item_schema(schema: Schema, node: Schema) -> Schema:
    """Return the schema of a list's items."""
    return _resolve_node(schema, node.get("items") or {})


def _child_schema(root: Schema, node: Schema, part: str) -> Schema | None:
    node = _resolve_node(root, node)
    if node_kind(node) == "array":
        return node.get("items") or {} if part.isascii() and part.isdigit() else None
    properties = node.get("properties", {})
    if part in properties:
        found: Schema = properties[part]
        return found
    extra = node.get("additionalProperties")
    return extra if isinstance(extra, dict) else None


def _resolve_node(root: Schema, node: Schema) -> Schema:
    """Return the node without `$ref`; for a union, the first member other than null and the empty string."""
    for _ in range(10):
        if "$ref" in node:
            target = root.get("$defs", {}).get(str(node["$ref"]).rpartition("/")[2], {})
            node = {**target, **{key: value for key, value in node.items() if key != "$ref"}}
        elif "allOf" in node and len(node["allOf"]) == 1:
            node = {**node["allOf"][0], **{key: value for key, value in node.items() if key != "allOf"}}
        elif "anyOf" in node or "oneOf" in node:
            union = "anyOf" if "anyOf" in node else "oneOf"
            members = [one for one in node[union] if one.get("type") != "null" and one.get("const", 1) != ""]
            node = {**(members[0] if members else {}), **{key: value for key, value in node.items() if key != union}}
        else:
            break
    return node
