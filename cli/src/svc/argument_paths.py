"""Paths inside arguments: the schema at a path, and setting values one by one."""

from __future__ import annotations

from typing import Any

from svc import json_schema

ArgumentPath = tuple[str, ...]
MAX_INDEX = 999


def schema_at_step(outer: json_schema.Schema, step: str, root: json_schema.Schema) -> json_schema.Schema | None:
    """Return the schema inside `outer` at `step`, or None if it accepts nothing there."""
    outer = json_schema.resolve_schema(outer, root)
    kinds = json_schema.json_types(outer, root)
    if "array" in kinds and step.isascii() and step.isdigit() and int(step) <= MAX_INDEX:
        return json_schema.resolve_schema(outer.get("items") or {}, root)
    properties = outer.get("properties") or {}
    if step in properties:
        return json_schema.resolve_schema(properties[step], root)
    if "object" in kinds and outer.get("additionalProperties") not in (False, None):
        return json_schema.resolve_schema(outer["additionalProperties"], root)
    free = "object" in kinds and not properties and outer.get("additionalProperties") is None
    return {} if free or not (kinds or properties) else None


def set_at_path(tree: dict[str, Any], path: ArgumentPath, value: Any) -> None:
    """Set a value at a path of nested dicts, which are created as needed."""
    for step in path[:-1]:
        tree = tree.setdefault(step, {})
    tree[path[-1]] = value


def build_lists(value: Any, leaf: json_schema.Schema, root: json_schema.Schema) -> Any:
    """Convert numbered entries to lists without gaps: if there is no `links.0.url`, `links.1.url` becomes the first."""
    if not isinstance(value, dict):
        return value
    leaf = json_schema.resolve_schema(leaf, root)
    if "array" in json_schema.json_types(leaf, root):
        numbered = sorted(value.items(), key=lambda pair: int(pair[0]))
        return [build_lists(item, leaf.get("items") or {}, root) for _, item in numbered]
    properties = leaf.get("properties") or {}
    return {name: build_lists(item, properties.get(name) or {}, root) for name, item in value.items()}
