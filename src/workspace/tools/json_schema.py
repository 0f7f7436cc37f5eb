"""JSON Schema (draft 2020-12) for agents and people: simplifying pydantic's schema, and normalizing values by it."""

from __future__ import annotations

from typing import Any

from workspace.lib.strict_json import MAX_INTEGER

# pydantic uses its own name for a bound that comes after a validator
_BOUNDS = {"ge": "minimum", "le": "maximum", "gt": "exclusiveMinimum", "lt": "exclusiveMaximum"}
LABEL_KEY = "x-label"  # of `argument_types.Label`; only forms read it


def simplify_schema(schema: dict[str, Any], *, with_labels: bool = False) -> dict[str, Any]:
    """Return the schema without generated titles and without `default: null`, which means optional here.

    Published schemas contain no argument labels. Schemas for forms do (`with_labels`).
    """
    dropped = frozenset(["title"] if with_labels else ["title", LABEL_KEY])
    simple: dict[str, Any] = _simplify_node(schema, dropped)
    return simple if "properties" in schema else {**simple, "type": "object"}


def _simplify_node(node: Any, dropped: frozenset[str], *, names: bool = False) -> Any:
    if isinstance(node, list):
        return [_simplify_node(part, dropped) for part in node]
    if not isinstance(node, dict):
        return node
    if names:  # the keys are property names, and one of them may be `title`
        return {name: _simplify_node(part, dropped) for name, part in node.items()}
    kept = {}
    for key, part in node.items():
        if key in dropped or (key == "default" and part is None):
            continue
        kept[_BOUNDS.get(key, key)] = _simplify_node(part, dropped, names=key in ("properties", "$defs"))
    return kept


def normalize_value(value: Any, schema: dict[str, Any]) -> Any:
    """Normalize a JSON value for pydantic's strict model of `schema`.

    Members that are null are left out. A null member that a closed schema does not have is kept, and then rejected. A
    number without a fraction is an integer, as in JSON Schema.
    """
    return _normalize_value(value, [schema], schema.get("$defs", {}))


def _normalize_value(value: Any, nodes: list[dict[str, Any]], defs: dict[str, Any]) -> Any:
    if isinstance(value, float) and value.is_integer() and abs(value) <= MAX_INTEGER:
        return int(value)
    if isinstance(value, list):
        items = [node["items"] for node in resolve_alternatives(nodes, defs) if isinstance(node.get("items"), dict)]
        return [_normalize_value(part, items, defs) for part in value]
    if not isinstance(value, dict):
        return value
    objects = resolve_alternatives(nodes, defs)
    members = [node["properties"] for node in objects if "properties" in node]
    closed = bool(objects) and all(node.get("additionalProperties") is False for node in objects if _is_object(node))
    found = {}
    for name, part in value.items():
        known = [properties[name] for properties in members if name in properties]
        if part is not None:
            found[name] = _normalize_value(part, known, defs)
        elif closed and not known:
            found[name] = None
    return found


def _is_object(node: dict[str, Any]) -> bool:
    return node.get("type") == "object" or "properties" in node


def resolve_alternatives(nodes: list[dict[str, Any]], defs: dict[str, Any]) -> list[dict[str, Any]]:
    """Return the schemas behind references and alternatives."""
    found = []
    for node in nodes:
        if "$ref" in node:
            found += resolve_alternatives([defs[node["$ref"].rsplit("/", 1)[1]]], defs)
        elif options := [*node.get("anyOf", []), *node.get("oneOf", []), *node.get("allOf", [])]:
            found += resolve_alternatives(options, defs)
        else:
            found.append(node)
    return found
