"""The options of choices: strings, or objects with a value and a score for calculations."""

from __future__ import annotations

from typing import Any

from workspace.products.form import messages
from workspace.products.form.rules.numbers import normalize_number
from workspace.tools.object_parser import Issues, ObjectReader, line_parser, parse_array, parse_flag

MAX_OPTIONS = 200
_OPTION_SETTINGS = {"value": ("key", "id"), "label": ("name", "title", "text"), "score": ("points",)}


def parse_options(entry: ObjectReader) -> dict[str, Any]:
    """Return the `options` of a field, and `other`, which says whether guests may enter their own text."""
    options: dict[str, Any] = {"other": True} if entry.read_key("other", parse_flag, False) else {}
    if not entry.has_key("options"):
        if entry.is_object:
            entry.add_issue("options", messages.REQUIRED)
        return options
    key = entry.given_key("options")
    path = entry.key_path(key)
    lines: list[dict[str, str]] = []
    values: set[str] = set()
    items = parse_array(entry.values[key], path, MAX_OPTIONS, entry.issues)
    if not items and entry.values[key] == []:
        entry.add_issue("options", messages.EMPTY)
    for place, item in enumerate(items):
        option = _parse_option(item, f"{path}.{place}", entry.issues)
        if option["value"] in values and option["value"]:
            entry.issues.add(f"{path}.{place}", messages.OPTION_REPEATED)
        values.add(option["value"])
        lines.append(option)
    return {**options, "options": lines}


def _parse_option(value: Any, path: str, issues: Issues) -> dict[str, str]:
    if isinstance(value, (str, int)) and not isinstance(value, bool):
        value = {"label": str(value)}
    entry = ObjectReader(value, path, _OPTION_SETTINGS, issues, "an option")
    label = entry.read_key("label", line_parser(200, 1), "")
    if not entry.has_key("label") and entry.is_object:
        entry.add_issue("label", messages.REQUIRED)
    option = {"value": entry.read_key("value", line_parser(200, 1), "") or label, "label": label}
    if entry.has_key("score"):
        option["score"] = entry.read_key("score", normalize_number, "0")
    entry.reject_unknown_keys()
    return option
