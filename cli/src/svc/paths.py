"""Places inside arguments: what a schema takes there, and values put there one by one."""

from __future__ import annotations

from typing import Any

from svc import schema

Path = tuple[str, ...]
LARGEST_INDEX = 999


def inside(outer: schema.Schema, step: str, root: schema.Schema) -> schema.Schema | None:
    """What `outer` takes at `step`, None when it takes nothing there."""
    outer = schema.resolve(outer, root)
    kinds = schema.kinds(outer, root)
    if "array" in kinds and step.isascii() and step.isdigit() and int(step) <= LARGEST_INDEX:
        return schema.resolve(outer.get("items") or {}, root)
    properties = outer.get("properties") or {}
    if step in properties:
        return schema.resolve(properties[step], root)
    if "object" in kinds and outer.get("additionalProperties") not in (False, None):
        return schema.resolve(outer["additionalProperties"], root)
    free = "object" in kinds and not properties and outer.get("additionalProperties") is None
    return {} if free or not (kinds or properties) else None


def put(tree: dict[str, Any], path: Path, value: Any) -> None:
    for step in path[:-1]:
        tree = tree.setdefault(step, {})
    tree[path[-1]] = value


def lists_made(value: Any, leaf: schema.Schema, root: schema.Schema) -> Any:
    """Numbered entries become lists without gaps: an empty `links.0.url` lets `links.1.url` move up."""
    if not isinstance(value, dict):
        return value
    leaf = schema.resolve(leaf, root)
    if "array" in schema.kinds(leaf, root):
        numbered = sorted(value.items(), key=lambda pair: int(pair[0]))
        return [lists_made(item, leaf.get("items") or {}, root) for _, item in numbered]
    properties = leaf.get("properties") or {}
    return {name: lists_made(item, properties.get(name) or {}, root) for name, item in value.items()}
