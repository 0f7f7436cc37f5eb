"""Sanitizing an app's tools, whose names, descriptions and schemas are untrusted texts.

Long texts are cut. Unusable tools are rejected with a reason.
"""

from __future__ import annotations

import hashlib
import json
import re
from collections.abc import Iterable
from typing import Any

from workspace.linked_apps import messages
from workspace.linked_apps.config import Application

MAX_TOOLS = 200  # of one app
MAX_TOTAL_BYTES = 300_000  # of all tools of an app
MAX_SCHEMA_BYTES = 12_000  # of one tool
MAX_SCHEMA_DEPTH = 16
MAX_NAME_LENGTH = 64
MAX_DESCRIPTION_LENGTH = 1000
MAX_TITLE_LENGTH = 80
MAX_REJECTIONS = 20  # maximum number of reasons
_VALID_NAME = re.compile(r"[A-Za-z0-9_-]+")
_INVALID_CHARACTERS = re.compile(r"[^A-Za-z0-9_-]+")
# All control characters except line feed and tab, and characters that change the text direction or are invisible.
_CONTROL_CHARACTERS = re.compile(
    "[\x00-\x08\x0b-\x1f\x7f-\x9f\u200b-\u200f\u202a-\u202e\u2060-\u2069\ufeff\U000e0000-\U000e007f]"
)


def clean_text(text: Any, max_length: int, *, lines: bool = False) -> str:
    """Return untrusted text without control characters and with limited length.

    The result is a single line unless `lines` is set.
    """
    if not isinstance(text, str):
        return ""
    text = _CONTROL_CHARACTERS.sub("", text[: max_length * 2].replace("\r\n", "\n").encode("utf-8", "ignore").decode())
    text = text.strip() if lines else " ".join(text.split())
    return text if len(text) <= max_length else f"{text[: max_length - 1]}…"


def local_tool_name(prefix: str, name: str) -> str:
    """Return our name of an app's tool: PREFIX_name, if that has at most 64 letters, digits, _ and -.

    A longer name is cut and gets eight digits of the complete name's hash, so that the result is stable.
    """
    whole = f"{prefix}_{name}"
    if len(whole) <= MAX_NAME_LENGTH and _VALID_NAME.fullmatch(whole):
        return whole
    mark = hashlib.sha256(whole.encode("utf-8", "replace")).hexdigest()[:8]
    return f"{_INVALID_CHARACTERS.sub('_', whole)[: MAX_NAME_LENGTH - 9]}_{mark}"


def sanitize_tools(
    app: Application, tools: Iterable[dict[str, Any]], *, has_more: bool = False
) -> tuple[list[dict[str, Any]], list[str]]:
    """Return the sanitized tools and the reasons why others were rejected.

    Each tool has `name` (our name), `theirs` (the app's name), `reads`, and `told` (the description listed over MCP).
    `has_more` means that the app has additional tools.
    """
    kept: dict[str, dict[str, Any]] = {}
    left: list[str] = []
    size = 0
    for number, one in enumerate(tools):
        if number >= MAX_TOOLS:
            has_more = True
            break
        app_tool_name = one.get("name")
        shown = clean_text(app_tool_name, 80) or f"tool {number + 1}"
        if not isinstance(app_tool_name, str) or not 0 < len(app_tool_name) <= 200 or shown != app_tool_name:
            left.append(str(messages.INVALID_TOOL_NAME(tool=shown)))
            continue
        tool = _sanitize_tool(app, app_tool_name, one)
        if isinstance(tool, str):
            left.append(f"{shown}: {tool}")
            continue
        if tool["name"] in kept:
            left.append(str(messages.TOOL_NAME_TAKEN(tool=shown)))
            continue
        size += len(json.dumps(tool))
        if size > MAX_TOTAL_BYTES:
            has_more = True
            break
        kept[tool["name"]] = tool
    if has_more:
        left.insert(0, str(messages.MORE_TOOLS(count=len(kept))))
    if len(left) > MAX_REJECTIONS:
        left = [*left[: MAX_REJECTIONS - 1], str(messages.FURTHER_REASONS(count=len(left) - MAX_REJECTIONS + 1))]
    return list(kept.values()), left


def _sanitize_tool(app: Application, app_tool_name: str, tool: dict[str, Any]) -> dict[str, Any] | str:
    """Return the sanitized tool, or the reason why it is rejected."""
    schema = tool.get("inputSchema")
    if not isinstance(schema, dict) or schema.get("type") != "object":
        return str(messages.INVALID_SCHEMA)
    if len(json.dumps(schema)) > MAX_SCHEMA_BYTES:
        return str(messages.SCHEMA_TOO_LONG)
    try:
        schema = _sanitize_schema(schema, 0)
    except ValueError as problem:
        return str(problem)
    annotations = tool.get("annotations")
    hints = annotations if isinstance(annotations, dict) else {}
    title = clean_text(tool.get("title") or hints.get("title"), MAX_TITLE_LENGTH) or app_tool_name
    title = f"{title} ({app.title})"
    reads = hints.get("readOnlyHint") is True
    about = clean_text(tool.get("description"), MAX_DESCRIPTION_LENGTH, lines=True)
    return {
        "name": local_tool_name(app.name, app_tool_name),
        "theirs": app_tool_name,
        "reads": reads,
        "told": {
            "name": local_tool_name(app.name, app_tool_name),
            "title": title,
            "description": f"{app.title}: {about}" if about else app.title,
            "inputSchema": schema,
            "annotations": {
                "title": title,
                "readOnlyHint": reads,
                # Defaults of the protocol: destructive, not idempotent, open world.
                "destructiveHint": not reads and hints.get("destructiveHint") is not False,
                "idempotentHint": reads or hints.get("idempotentHint") is True,
                "openWorldHint": hints.get("openWorldHint") is not False,
            },
        },
    }


def _sanitize_schema(value: Any, depth: int) -> Any:
    """Return a schema with sanitized text. Raise ValueError if it is too deep or refers to another document."""
    if depth > MAX_SCHEMA_DEPTH:
        raise ValueError(str(messages.SCHEMA_TOO_DEEP))
    if isinstance(value, dict):
        target = value.get("$ref", value.get("$dynamicRef"))
        if target is not None and not (isinstance(target, str) and target.startswith("#")):
            raise ValueError(str(messages.SCHEMA_ELSEWHERE))
        return {clean_text(name, 100): _sanitize_schema(one, depth + 1) for name, one in value.items()}
    if isinstance(value, list):
        return [_sanitize_schema(one, depth + 1) for one in value]
    return clean_text(value, MAX_DESCRIPTION_LENGTH, lines=True) if isinstance(value, str) else value
