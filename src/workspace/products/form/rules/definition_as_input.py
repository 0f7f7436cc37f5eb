"""Converting a stored form to input, so that it can be changed and submitted again."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from workspace.products.form.rules import field_types
from workspace.products.form.rules.definition_fields import Definition
from workspace.products.form.rules.numbers import parse_number, to_json_number

_DERIVED_SETTINGS = ("program", "tree", "scores", "section", "begins_section")
_NUMBER_SETTINGS = ("min", "max", "step")


def pages_as_input(definition: Definition) -> list[dict[str, Any]]:
    """Return the pages in the format of `svc_form_create`."""
    return [_page_as_input(page) for page in definition["pages"]]


def _page_as_input(page: Mapping[str, Any]) -> dict[str, Any]:
    result: dict[str, Any] = {"key": page["key"], "title": page["title"]}
    result["fields"] = [field_as_input(field) for field in page["fields"]]
    leaps = [
        {"if": condition_as_input(leap["if"]), "go_to": leap["go_to"]} if "if" in leap else {"go_to": leap["go_to"]}
        for leap in page.get("next", ())
    ]
    return {**result, "next": leaps} if leaps else result


def field_as_input(field: Mapping[str, Any]) -> dict[str, Any]:
    result = {name: value for name, value in field.items() if name not in _DERIVED_SETTINGS}
    for name in _NUMBER_SETTINGS:
        if name in result and field_types.answer_family(field["type"]) == field_types.NUMBER:
            result[name] = _to_number(result[name])
    if "options" in result:
        result["options"] = [
            {**option, "score": _to_number(option["score"])} if "score" in option else dict(option)
            for option in result["options"]
        ]
    for name in ("show_if", "require_if"):
        if name in result:
            result[name] = condition_as_input(result[name])
    if field["type"] in field_types.REQUIRED_BY_DEFAULT:  # the default would be true
        result["required"] = bool(field.get("required"))
    if field.get("begins_section"):
        result["section"] = True
    return result


def condition_as_input(condition: Mapping[str, Any]) -> dict[str, Any]:
    for joint in ("all", "any"):
        if joint in condition:
            return {joint: [condition_as_input(part) for part in condition[joint]]}
    if "not" in condition:
        return {"not": condition_as_input(condition["not"])}
    return {name: value for name, value in condition.items() if name != "day"}


def _to_number(text: str) -> int | float:
    value = parse_number(text)
    return to_json_number(value) if value is not None else 0
