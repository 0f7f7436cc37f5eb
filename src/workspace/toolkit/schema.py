"""JSON Schema (draft 2020-12) as shown to agents and people: pydantic's, without its noise."""

from __future__ import annotations

from typing import Any


def tidy(schema: dict[str, Any]) -> dict[str, Any]:
    """The schema without generated titles and without `default: null`, which here means `may be left out`."""
    return {**_tidy(schema), "type": "object"} if "properties" not in schema else _tidy(schema)


def _tidy(node: Any, *, names: bool = False) -> Any:
    if isinstance(node, list):
        return [_tidy(part) for part in node]
    if not isinstance(node, dict):
        return node
    if names:  # the keys are property names, of which one may well be `title`
        return {name: _tidy(part) for name, part in node.items()}
    kept = {}
    for key, part in node.items():
        if key == "title" or (key == "default" and part is None):
            continue
        kept[key] = _tidy(part, names=key in ("properties", "$defs"))
    return kept
