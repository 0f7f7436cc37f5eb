"""Conversion of a stored form to input, so that it can be changed and sent back."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from workspace.products.form.rules import field_types
from workspace.products.form.rules.numbers import parse_number, to_json_number

_DERIVED_SETTINGS = ("program", "tree", "scores", "section", "begins_section")
_NUMBER_SETTINGS = ("min", "max", "step")
Definition = Mapping[str, Any]


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
        if name in result and field_types.type_family(field["type"]) == field_types.NUMBER:
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


def list_fields(definition: Definition) -> list[dict[str, Any]]:
    """Return all fields in the order of display."""
    return [field for page in definition["pages"] for field in page["fields"]]


def answerable_fields(definition: Definition) -> list[dict[str, Any]]:
    """Return the fields that have answers."""
    return [field for field in list_fields(definition) if field_types.type_family(field["type"]) != field_types.NOTHING]


def types_by_key(definition: Definition) -> dict[str, str]:
    return {field["key"]: field["type"] for field in list_fields(definition)}


def format_answer(field: Mapping[str, Any], value: Any) -> str:
    """Format an answer for emails, tables and lists."""
    return format_value(value, option_labels(field))


def option_labels(field: Mapping[str, Any]) -> dict[str, str]:
    return {option["value"]: option["label"] for option in field.get("options", ())}


def format_value(value: Any, labels: Mapping[str, str]) -> str:
    """Format an answer with the labels of options, for many answers to the same question."""
    if isinstance(value, str):
        return labels.get(value, value)
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, Mapping):  # a signature
        return str(value.get("name") or "signed")
    if isinstance(value, list):
        return ", ".join(labels.get(item, item) if isinstance(item, str) else str(item.get("name")) for item in value)
    return f"{value:,}" if abs(value) >= 1e15 else str(value)
