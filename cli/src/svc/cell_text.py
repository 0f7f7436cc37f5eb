"""Values as text for display."""

from __future__ import annotations

import json
from typing import Any


def format_cell(value: Any) -> str:
    if value is None:
        return ""
    if isinstance(value, bool):
        return "true" if value else "false"
    return json.dumps(value, ensure_ascii=False) if isinstance(value, (dict, list)) else str(value)


def replace_controls(text: str) -> str:
    """Replace control characters. Guests write some of these values, and they must not control the terminal."""
    return "".join(
        character if character in "\n\t" or not (ord(character) < 32 or 127 <= ord(character) < 160) else "\ufffd"
        for character in text
    )
