"""Summaries of writes to many items for AI assistants: the first entries, and the number of the others.

The list tools return complete lists, and REST returns every entry.
"""

from __future__ import annotations

import re
from typing import Any

MAX_ENTRIES = 20  # entries of a list
_MORE_ENTRIES = re.compile(r"- and (\d+) more")
LEFT_OUT_KEY = "left_out"
_LEFT_OUT_SCHEMA = {
    "description": f"Number of entries left out of a list, which shows the first {MAX_ENTRIES}. "
    "Tools that list show all.",
    "type": "object",
    "additionalProperties": {"type": "integer"},
}


def summarize_data(data: dict[str, Any]) -> dict[str, Any]:
    """Shorten lists in the data to their first entries. Put the number of omitted entries into `left_out`.

    Previous values of many items are left out completely, because `svc_activity` returns them.
    """
    left = {
        name: len(part) - MAX_ENTRIES
        for name, part in data.items()
        if isinstance(part, list) and len(part) > MAX_ENTRIES
    }
    shown = {name: part[:MAX_ENTRIES] if name in left else part for name, part in data.items()}
    change = data.get("change")
    if change and len(change["before"]) > MAX_ENTRIES:
        left["change.before"] = len(change["before"])
        shown["change"] = {**change, "before": {}}
    return {**shown, LEFT_OUT_KEY: left} if left else data


def summarize_text(text: str) -> str:
    """Shorten lists in the text to their first entries and the number of omitted entries."""
    lines: list[str] = []
    count = 0
    for line in [*text.split("\n"), ""]:
        is_entry, is_part = line.startswith("- "), line.startswith("  ")
        if is_entry:
            more = _MORE_ENTRIES.fullmatch(line)
            count += int(more[1]) if more else 1
        if count > MAX_ENTRIES and not (is_entry or is_part):
            lines.append(f"- and {count - MAX_ENTRIES} more")
        if not (is_entry or is_part):
            count = 0
        if count <= MAX_ENTRIES:
            lines.append(line)
    return "\n".join(lines[:-1])


def with_left_out_schema(schema: dict[str, Any]) -> dict[str, Any]:
    """Add the field with the number of omitted entries to the output schema of a write."""
    return {**schema, "properties": {**schema.get("properties", {}), LEFT_OUT_KEY: _LEFT_OUT_SCHEMA}}
