"""What guests choose from: texts, or objects with a value of their own and a score to count with."""

from __future__ import annotations

from typing import Any

from workspace.products.form.rules.numbers import typed_number
from workspace.tools.object_parser import Entry, Issues, array, flag, line

MOST_OPTIONS = 200
_OPTION = {"value": ("key", "id"), "label": ("name", "title", "text"), "score": ("points",)}


def read_options(entry: Entry) -> dict[str, Any]:
    """Of a field with choices: `options`, and `other` where guests may say something else."""
    found: dict[str, Any] = {"other": True} if entry.read("other", flag, False) else {}
    if not entry.has("options"):
        if entry.is_object:
            entry.wrong("options", "Required")
        return found
    key = entry.key("options")
    path = entry.at(key)
    told: list[dict[str, str]] = []
    values: set[str] = set()
    given = array(entry.given[key], path, MOST_OPTIONS, entry.issues)
    if not given and entry.given[key] == []:
        entry.wrong("options", "Must not be empty")
    for place, one in enumerate(given):
        option = _option(one, f"{path}.{place}", entry.issues)
        if option["value"] in values and option["value"]:
            entry.issues.at(f"{path}.{place}", "Stands twice")
        values.add(option["value"])
        told.append(option)
    return {**found, "options": told}


def _option(given: Any, path: str, issues: Issues) -> dict[str, str]:
    if isinstance(given, (str, int)) and not isinstance(given, bool):
        given = {"label": str(given)}
    entry = Entry(given, path, _OPTION, issues, "an option")
    label = entry.read("label", line(200, 1), "")
    if not entry.has("label") and entry.is_object:
        entry.wrong("label", "Required")
    option = {"value": entry.read("value", line(200, 1), "") or label, "label": label}
    if entry.has("score"):
        option["score"] = entry.read("score", typed_number, "0")
    entry.finish()
    return option
