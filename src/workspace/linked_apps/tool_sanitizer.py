"""What another application offers, before anybody here reads it: names, descriptions and schemas of its tools are a
stranger's text. What is too much is cut, what cannot be used is left out and said."""

from __future__ import annotations

import hashlib
import json
import re
from collections.abc import Iterable
from typing import Any

from workspace.linked_apps.config import Application

MAX_TOOLS = 200  # tools of one application
MAX_TOTAL_BYTES = 300_000  # of all of them together
MAX_SCHEMA_BYTES = 12_000  # bytes of one
MAX_SCHEMA_DEPTH = 16
MAX_NAME_LENGTH = 64
MAX_DESCRIPTION_LENGTH = 1000
MAX_TITLE_LENGTH = 80
MAX_REJECTIONS = 20  # that are named
_VALID_NAME = re.compile(r"[A-Za-z0-9_-]+")
_INVALID_CHARACTERS = re.compile(r"[^A-Za-z0-9_-]+")
# all controls but the line feed and the tab, and what turns the direction of text round or hides in it
_CONTROL_CHARACTERS = re.compile(
    "[\x00-\x08\x0b-\x1f\x7f-\x9f\u200b-\u200f\u202a-\u202e\u2060-\u2069\ufeff\U000e0000-\U000e007f]"
)


def clean_text(text: Any, most: int, *, lines: bool = False) -> str:
    """A stranger's text, plain, within its length; on one line if not `lines`."""
    if not isinstance(text, str):
        return ""
    text = _CONTROL_CHARACTERS.sub("", text[: most * 2].replace("\r\n", "\n").encode("utf-8", "ignore").decode())
    text = text.strip() if lines else " ".join(text.split())
    return text if len(text) <= most else f"{text[: most - 1]}…"


def local_tool_name(prefix: str, name: str) -> str:
    """The name here of another's tool: PREFIX_name as long as that is a name of at most 64 letters, digits, _ and -;
    else cut, with eight digits of the whole one's hash, so that it is always the same."""
    whole = f"{prefix}_{name}"
    if len(whole) <= MAX_NAME_LENGTH and _VALID_NAME.fullmatch(whole):
        return whole
    mark = hashlib.sha256(whole.encode("utf-8", "replace")).hexdigest()[:8]
    return f"{_INVALID_CHARACTERS.sub('_', whole)[: MAX_NAME_LENGTH - 9]}_{mark}"


def sanitize_tools(
    app: Application, given: Iterable[dict[str, Any]], *, more: bool = False
) -> tuple[list[dict[str, Any]], list[str]]:
    """Its tools as they are kept, and what was left out. Each has `name` (here), `theirs` (there), `reads`, and `told`,
    which is how MCP lists it. `more`: it would have told of more than was taken."""
    kept: dict[str, dict[str, Any]] = {}
    left: list[str] = []
    size = 0
    for number, one in enumerate(given):
        if number >= MAX_TOOLS:
            more = True
            break
        theirs = one.get("name")
        shown = clean_text(theirs, 80) or f"tool {number + 1}"
        if not isinstance(theirs, str) or not 0 < len(theirs) <= 200 or shown != theirs:
            left.append(f"{shown}: its name cannot be used")
            continue
        tool = _sanitize_tool(app, theirs, one)
        if isinstance(tool, str):
            left.append(f"{shown}: {tool}")
            continue
        if tool["name"] in kept:
            left.append(f"{shown}: another one has this name")
            continue
        size += len(json.dumps(tool))
        if size > MAX_TOTAL_BYTES:
            more = True
            break
        kept[tool["name"]] = tool
    if more:
        left.insert(0, f"It offers more than the {len(kept)} tools that were taken")
    if len(left) > MAX_REJECTIONS:
        left = [*left[: MAX_REJECTIONS - 1], f"and {len(left) - MAX_REJECTIONS + 1} more"]
    return list(kept.values()), left


def _sanitize_tool(app: Application, theirs: str, one: dict[str, Any]) -> dict[str, Any] | str:
    """As it is kept, or why it is not."""
    schema = one.get("inputSchema")
    if not isinstance(schema, dict) or schema.get("type") != "object":
        return "its arguments are described in no way that can be used"
    if len(json.dumps(schema)) > MAX_SCHEMA_BYTES:
        return "its arguments are described at too great a length"
    try:
        schema = _sanitize_schema(schema, 0)
    except ValueError as problem:
        return str(problem)
    annotations = one.get("annotations")
    hints = annotations if isinstance(annotations, dict) else {}
    title = clean_text(one.get("title") or hints.get("title"), MAX_TITLE_LENGTH) or theirs
    title = f"{title} ({app.title})"
    reads = hints.get("readOnlyHint") is True
    about = clean_text(one.get("description"), MAX_DESCRIPTION_LENGTH, lines=True)
    return {
        "name": local_tool_name(app.name, theirs),
        "theirs": theirs,
        "reads": reads,
        "told": {
            "name": local_tool_name(app.name, theirs),
            "title": title,
            "description": f"{app.title}: {about}" if about else app.title,
            "inputSchema": schema,
            "annotations": {
                "title": title,
                "readOnlyHint": reads,
                # what is not said counts as the protocol has it: it may destroy, again each time, anywhere
                "destructiveHint": not reads and hints.get("destructiveHint") is not False,
                "idempotentHint": reads or hints.get("idempotentHint") is True,
                "openWorldHint": hints.get("openWorldHint") is not False,
            },
        },
    }


def _sanitize_schema(value: Any, depth: int) -> Any:
    """A schema whose texts are clean, and which leads nowhere else."""
    if depth > MAX_SCHEMA_DEPTH:
        raise ValueError("its arguments are nested too deeply")
    if isinstance(value, dict):
        target = value.get("$ref", value.get("$dynamicRef"))
        if target is not None and not (isinstance(target, str) and target.startswith("#")):
            raise ValueError("its arguments are described elsewhere")
        return {clean_text(name, 100): _sanitize_schema(one, depth + 1) for name, one in value.items()}
    if isinstance(value, list):
        return [_sanitize_schema(one, depth + 1) for one in value]
    return clean_text(value, MAX_DESCRIPTION_LENGTH, lines=True) if isinstance(value, str) else value
