"""Places inside arguments: what a schema takes there, and values put there one by one."""

from __future__ import annotations

from typing import Any

from svc import json_schema

Path = tuple[str, ...]
LARGEST_INDEX = 999


def inside(outer: json_schema.Schema, step: str, root: json_schema.Schema) -> json_schema.Schema | None:
    """What `outer` takes at `step`, None when it takes nothing there."""
    outer = json_schema.resolve(outer, root)
    kinds = json_schema.kinds(outer, root)
    if "array" in kinds and step.isascii() and step.isdigit() and int(step) <= LARGEST_INDEX:
        return json_schema.resolve(outer.get("items") or {}, root)
    properties = outer.get("properties") or {}
    if step in properties:
        return json_schema.resolve(properties[step], root)
    if "object" in kinds and outer.get("additionalProperties") not in (False, None):
        return json_schema.resolve(outer["additionalProperties"], root)
    free = "object" in kinds and not properties and outer.get("additionalProperties") is None
    return {} if free or not (kinds or properties) else None


def put(tree: dict[str, Any], path: Path, value: Any) -> None:
    for step in path[:-1]:
        tree = tree.setdefault(step, {})
    tree[path[-1]] = value


def lists_made(value: Any, leaf: json_schema.Schema, root: json_schema.Schema) -> Any:
    """Numbered entries become lists without gaps: an empty `links.0.url` lets `links.1.url` move up."""
    if not isinstance(value, dict):
        return value
    leaf = json_schema.resolve(leaf, root)
    if "array" in json_schema.kinds(leaf, root):
        numbered = sorted(value.items(), key=lambda pair: int(pair[0]))
        return [lists_made(item, leaf.get("items") or {}, root) for _, item in numbered]
    properties = leaf.get("properties") or {}
    return {name: lists_made(item, properties.get(name) or {}, root) for name, item in value.items()}
