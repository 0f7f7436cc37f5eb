"""Validating arguments for a tool. Every channel uses this, so that all apply the same rules."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from pydantic import BaseModel, ValidationError

from workspace.lib import strict_json
from workspace.lib.errors import InvalidInputError, Issue
from workspace.lib.messages import Message
from workspace.tools import messages, suggestions
from workspace.tools.json_schema import normalize_value
from workspace.tools.tool import Tool

MAX_ISSUES = 50

_MESSAGES = {
    "missing": messages.REQUIRED,
    "extra_forbidden": messages.UNKNOWN_ARGUMENT,
    "string_type": messages.TEXT_EXPECTED,
    "int_type": messages.WHOLE_NUMBER_EXPECTED,
    "int_from_float": messages.WHOLE_NUMBER_EXPECTED,
    "float_type": messages.NUMBER_EXPECTED,
    "bool_type": messages.FLAG_EXPECTED,
    "list_type": messages.ARRAY_EXPECTED,
    "dict_type": messages.OBJECT_EXPECTED,
    "date_type": messages.INVALID_DATE,
    "model_type": messages.OBJECT_EXPECTED,
    "model_attributes_type": messages.OBJECT_EXPECTED,
}
_EMPTY_MESSAGES = {"string_too_short": messages.EMPTY, "too_short": messages.EMPTY_LIST}
# the message for each kind of error that has a bound, its parameter, and the bound's name in pydantic's context
_BOUND_MESSAGES: dict[str, tuple[Message, str, str]] = {
    "string_too_long": (messages.TOO_LONG, "most", "max_length"),
    "string_too_short": (messages.TOO_SHORT, "least", "min_length"),
    "greater_than_equal": (messages.TOO_SMALL, "least", "ge"),
    "less_than_equal": (messages.TOO_LARGE, "most", "le"),
    "too_long": (messages.TOO_MANY_ENTRIES, "most", "max_length"),
    "too_short": (messages.TOO_FEW_ENTRIES, "least", "min_length"),
    "literal_error": (messages.NOT_ALLOWED_VALUE, "allowed", "expected"),
    "enum": (messages.NOT_ALLOWED_VALUE, "allowed", "expected"),
}


def validate_arguments(
    tool: Tool[Any], arguments: Any, resolve_reference: Callable[..., str] | None = None
) -> BaseModel:
    """Return the arguments as the tool's model. Raise InvalidInputError with the dotted paths of the invalid ones.

    `resolve_reference(text, own=…)` returns the id of an item that is given in another way. With `own`, the item must
    belong to the tool's product.
    """
    if arguments is None:
        arguments = {}
    if not isinstance(arguments, dict):
        raise InvalidInputError.at_path("", messages.ARGUMENTS_EXPECTED)
    strict_json.check_storable(arguments)
    try:
        return tool.arguments.model_validate(
            normalize_value(arguments, tool.input_schema), strict=True, context={"refer": resolve_reference}
        )
    except ValidationError as error:
        raise InvalidInputError(_build_issues(tool, error)) from None


def _build_issues(tool: Tool[Any], error: ValidationError) -> list[Issue]:
    """Return all issues in the order of the arguments, at most `MAX_ISSUES`, and how many more there are."""
    details = error.errors()
    if len(details) > MAX_ISSUES:  # unknown names come first, so that they are never cut off
        details.sort(key=lambda detail: detail["type"] != "extra_forbidden" or len(detail["loc"]) > 1)
    found = [issue_from_error(detail) for detail in details[:MAX_ISSUES]]
    for place, detail in enumerate(details[:MAX_ISSUES]):
        if detail["type"] == "extra_forbidden":
            found[place] = Issue(found[place].path, suggestions.explain_unknown_argument(tool, found[place].path))
    if len(details) > MAX_ISSUES:
        found.append(Issue("", messages.MORE_ERRORS(count=len(details) - MAX_ISSUES)))
    return found


def parse_query(tool: Tool[Any], pairs: list[tuple[str, str]]) -> dict[str, Any]:
    """Return the arguments of a query string, converted to the types that the tool's schema declares.

    An array is given as in OpenAPI, with one parameter per entry (`kinds=a&kinds=b`), or as one JSON array. Reject any
    other argument that is given more than once.
    """
    properties = tool.input_schema.get("properties", {})
    given: dict[str, list[str]] = {}
    for name, text in pairs:
        given.setdefault(name, []).append(text)
    arrays = {name for name in given if properties.get(name, {}).get("type") == "array"}
    if repeated := [name for name, texts in given.items() if len(texts) > 1 and name not in arrays]:
        raise InvalidInputError.from_pairs([(name[:80], messages.REPEATED) for name in repeated])
    return {
        name: _coerce_entries(texts, properties[name])
        if name in arrays
        else coerce_text(texts[0], _schema_type(properties.get(name)))
        for name, texts in given.items()
    }


def _coerce_entries(texts: list[str], schema: dict[str, Any]) -> list[Any]:
    whole = coerce_text(texts[0], "array") if len(texts) == 1 else None
    return (
        whole if isinstance(whole, list) else [coerce_text(text, _schema_type(schema.get("items"))) for text in texts]
    )


def _schema_type(schema: dict[str, Any] | None) -> str | None:
    return (schema or {}).get("type")


def coerce_text(text: str, kind: str | None) -> Any:
    """Convert text to a JSON value of the declared type.

    If that is not possible, return it unchanged, so that `validate_arguments` rejects it.
    """
    if kind == "boolean":
        return {"true": True, "1": True, "false": False, "0": False}.get(text.strip().lower(), text)
    wanted: Any = {"integer": (int, float), "number": (int, float), "array": list, "object": dict}.get(kind or "")
    if wanted is None or (kind in ("integer", "number") and (len(text) > 40 or not text.strip().isascii())):
        return text
    try:
        value = strict_json.parse(text.strip().encode("utf-8", "surrogatepass"))
    except InvalidInputError:
        return text
    return value if isinstance(value, wanted) and not isinstance(value, bool) else text


def issue_from_error(detail: Any) -> Issue:
    """Convert one of pydantic's errors to an issue with our own wording."""
    # members of a union add their names to the path, which mean nothing to the caller
    path = ".".join(str(part) for part in detail["loc"] if not (isinstance(part, str) and "[" in part))
    return Issue(path, _error_message(detail["type"], detail.get("ctx") or {}, detail["msg"]))


def _error_message(kind: str, context: dict[str, Any], fallback: str) -> str | Message:
    if kind == "value_error":
        return _value_error_message(context.get("error"))
    if kind in _EMPTY_MESSAGES and context["min_length"] == 1:
        return _EMPTY_MESSAGES[kind]
    if kind in _BOUND_MESSAGES:
        message, parameter, bound = _BOUND_MESSAGES[kind]
        return message(**{parameter: context[bound]})
    return _MESSAGES.get(kind, fallback)


def _value_error_message(error: Exception | None) -> str | Message:
    """Return the message that a validator raised, to be translated when it is shown."""
    reason = error.args[0] if error is not None and error.args else messages.NOT_VALID
    return reason if isinstance(reason, Message) else str(error or reason)
