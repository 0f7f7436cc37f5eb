"""Invalid values everywhere at once: each is reported at its path, in our own words."""

from __future__ import annotations

from typing import Any

import pytest

from workspace.interfaces.tool_catalog import CATALOG
from workspace.lib.errors import InvalidInputError
from workspace.tools.json_schema import resolve_alternatives
from workspace.tools.validation import validate_arguments

DEEPEST = 4


def wrong(node: dict[str, Any], defs: dict[str, Any], depth: int = 0) -> list[Any]:
    """Return values that the schema does not allow, including objects that contain such values."""
    found: list[Any] = []
    for part in resolve_alternatives([node], defs):
        kind = part.get("type")
        if kind == "array" and isinstance(part.get("items"), dict) and depth < DEEPEST:
            found += [[value] for value in wrong(part["items"], defs, depth + 1)] + [{"nonsense": 1}]
        elif "properties" in part and depth < DEEPEST:
            members = {name: wrong(member, defs, depth + 1) for name, member in part["properties"].items()}
            found += [
                {name: values[place] for name, values in members.items() if len(values) > place} for place in range(3)
            ]
            found[-3]["nonsense"] = 1
            found += [7, True]
        elif kind == "string":
            found += [5, True, {"nonsense": 1}]
        elif kind in ("integer", "number"):
            found += ["x", -(10**9), True]
        else:
            found += ["x", 3, [[1]]]
    return found


def leads(path: str, value: Any) -> bool:
    """Return whether a path refers to a part of the value, or to a missing part of it."""
    for step in path.split("."):
        if isinstance(value, dict) and step in value:
            value = value[step]
        elif isinstance(value, list) and step.isdecimal() and int(step) < len(value):
            value = value[int(step)]
        else:
            return path.endswith(step)
    return True


@pytest.mark.parametrize("name", list(CATALOG.by_name))
def test_each_invalid_value_is_reported_at_its_path_in_our_words(name: str) -> None:
    tool = CATALOG.by_name[name]
    given = [value for value in wrong(tool.input_schema, tool.input_schema.get("$defs", {})) if isinstance(value, dict)]
    for value in given:
        if not value:
            continue
        with pytest.raises(InvalidInputError) as caught:
            validate_arguments(tool, value)
        for issue in caught.value.issues:
            assert issue.path == "" or leads(issue.path, value), issue
            assert not issue.message.startswith(("Input should", "Value error")) and "pydantic" not in issue.message
        if "nonsense" in value:
            assert {step.path for step in caught.value.issues} >= {"nonsense"}
            assert len(caught.value.issues) >= len(value)
