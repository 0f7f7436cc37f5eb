"""Text of tools, from the catalog itself. Django is set up before the first call."""

from __future__ import annotations

import inspect
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from tests.words.text import Text, relative


def list_tool_texts() -> Iterator[Text]:
    """Yield title, description and arguments of all tools, each text of a module once."""
    from workspace.interfaces.tool_catalog import CATALOG  # noqa: PLC0415 - Django is set up first

    seen = set()
    for tool in CATALOG:
        function = inspect.unwrap(tool.function)
        path, line = relative(Path(function.__code__.co_filename)), function.__code__.co_firstlineno
        texts = [
            Text("tool title", tool.title, path, line, context=tool.name),
            Text("tool description", tool.description, path, line, context=tool.name),
            *_argument_texts(tool.input_schema, tool.name, path, line),
        ]
        for text in texts:
            key = (text.kind, text.text or text.context, text.path)
            if key not in seen:
                seen.add(key)
                yield text


def _argument_texts(schema: dict[str, Any], tool: str, path: str, line: int) -> Iterator[Text]:
    """Yield the description of each argument, or an empty string if it has none."""
    for name, argument in schema.get("properties", {}).items():
        yield Text("tool argument", _description(argument), path, line, context=f"{tool}: {name}")
        yield from _nested_texts(argument, f"{tool}: {name}", path, line)
    for name, model in schema.get("$defs", {}).items():
        yield from _nested_texts(model, f"{tool}: {name}", path, line)


def _nested_texts(schema: dict[str, Any], owner: str, path: str, line: int) -> Iterator[Text]:
    """Yield the descriptions of fields of objects. Fields without a description are skipped."""
    for name, field in schema.get("properties", {}).items():
        if isinstance(field, dict):
            if text := _description(field):
                yield Text("tool argument", text, path, line, context=f"{owner}.{name}")
            yield from _nested_texts(field, f"{owner}.{name}", path, line)
    branches = [*schema.get("anyOf", []), *schema.get("oneOf", []), schema.get("items")]
    for branch in branches:
        if isinstance(branch, dict):
            yield from _nested_texts(branch, owner, path, line)


def _description(schema: dict[str, Any]) -> str:
    return str(schema.get("description", ""))
