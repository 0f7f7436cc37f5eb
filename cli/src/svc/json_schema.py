"""The part of JSON Schema that tools use: reading it, converting text to values, and checking values.

The service makes the final decision. These checks report errors immediately, so that a CSV file is rejected before its
first row is sent.
"""

from __future__ import annotations

import json
import re
from contextlib import suppress
from pathlib import Path
from typing import Any

Schema = dict[str, Any]
_TRUE, _FALSE = {"true", "yes", "y", "on", "1"}, {"false", "no", "n", "off", "0"}


def resolve_schema(schema: Any, root: Schema) -> Schema:
    """Resolve a schema: follow references, drop `null` alternatives, and merge single alternatives."""
    found: Schema = schema if isinstance(schema, dict) else {}
    for _ in range(10):
        outer = {key: value for key, value in found.items() if key not in ("$ref", "anyOf", "oneOf", "allOf")}
        if isinstance(found.get("$ref"), str):
            target: Any = root
            for step in found["$ref"].removeprefix("#/").split("/"):
                target = target.get(step, {}) if isinstance(target, dict) else {}
            found = {**target, **outer} if isinstance(target, dict) else outer
            continue
        choices = found.get("anyOf") or found.get("oneOf") or found.get("allOf") or []
        choices = [choice for choice in choices if isinstance(choice, dict) and choice.get("type") != "null"]
        if len(choices) != 1:
            break
        found = {**choices[0], **outer}
    return found


def json_types(schema: Schema, root: Schema) -> set[str]:
    """Return the JSON types that a value may have. An empty set means any type."""
    schema = resolve_schema(schema, root)
    named = schema.get("type")
    if isinstance(named, str):
        return {named}
    if isinstance(named, list):
        return {kind for kind in named if kind != "null"}
    if "const" in schema or "enum" in schema:
        return {_json_type(value) for value in list_choices(schema, root) or []}
    found: set[str] = set()
    for choice in schema.get("anyOf") or schema.get("oneOf") or []:
        found |= {"null"} if choice.get("type") == "null" else json_types(choice, root)
    return found - {"null"}


def list_choices(schema: Schema, root: Schema) -> list[Any] | None:
    """Return the values of an enumeration, or None if any value is allowed."""
    schema = resolve_schema(schema, root)
    if "const" in schema:
        return [schema["const"]]
    listed = schema.get("enum")
    return [value for value in listed if value is not None] if isinstance(listed, list) else None


def parse_value(text: str, schema: Schema, root: Schema) -> Any:
    """Convert the text of a flag or a cell to a value of the schema.

    Raise ValueError with a message that says what is expected.
    """
    try:
        text.encode()
    except UnicodeEncodeError:
        raise ValueError("is not valid UTF-8") from None
    allowed = json_types(schema, root)
    if resolve_schema(schema, root).get("contentEncoding") == "base64" and text.startswith("@"):
        return _read_as_base64(text[1:])
    if options := list_choices(schema, root):
        return _match_choice(text, options)
    if "boolean" in allowed and text.strip().lower() in _TRUE | _FALSE and "string" not in allowed:
        return text.strip().lower() in _TRUE
    if allowed & {"integer", "number"}:
        number = _parse_number(text, "number" in allowed)
        if number is not None:
            return number
    if allowed & {"array", "object"} and ("string" not in allowed or text.lstrip()[:1] in ("[", "{")):
        return parse_json(text, allowed & {"array", "object"}, _find_required_entry_field(schema, root))
    if not allowed or _accepts_text(schema, root) or text in _literal_words(schema, root):
        return text
    wanted = {"boolean": "true or false", "integer": "a whole number", "number": "a number"}
    expected = [wanted.get(kind, kind) for kind in sorted(allowed) if kind != "string"]
    raise ValueError("must be " + " or ".join(expected + [word or "empty" for word in _literal_words(schema, root)]))


def _match_choice(text: str, options: list[Any]) -> Any:
    """Return the option that the text names, preferring one in the same case. Raise ValueError if there is none."""
    for option in options:
        if text == str(option):
            return option
    for option in options:
        if text.strip().casefold() == str(option).casefold():
            return option
    raise ValueError(f"must be one of: {', '.join(map(str, options))}")


def _find_required_entry_field(schema: Schema, root: Schema) -> str:
    """Return a required field of a list's entries, or ""."""
    required = resolve_schema(resolve_schema(schema, root).get("items") or {}, root).get("required")
    return str(required[0]) if isinstance(required, list) and required else ""


def is_list_of_scalars(schema: Schema, root: Schema) -> bool:
    """Return whether the schema is a list of strings or numbers."""
    schema = resolve_schema(schema, root)
    inner = json_types(schema.get("items") or {}, root)
    return "array" in json_types(schema, root) and bool(inner) and not inner & {"array", "object"}


def empty_value(schema: Any, root: Schema) -> Any:
    """Return the value that clears a field: null, or an empty string, list or object.

    Raise ValueError if there is none.
    """
    outer: Schema = schema if isinstance(schema, dict) else {}
    alternatives = [outer, *(outer.get("anyOf") or []), *(outer.get("oneOf") or [])]
    if any(part.get("type") == "null" or "null" in _as_list(part.get("type")) for part in alternatives):
        return None
    empty: list[Any] = ["", [], {}]
    for value in empty:
        if _json_type(value) in json_types(outer, root) and not find_issues(value, outer, root):
            return value
    raise ValueError("cannot be empty")


def _as_list(value: Any) -> list[Any]:
    return value if isinstance(value, list) else []


def _accepts_text(schema: Schema, root: Schema) -> bool:
    """Return whether any text is allowed, rather than only certain words."""
    schema = resolve_schema(schema, root)
    parts = schema.get("anyOf") or schema.get("oneOf")
    if parts:
        return any(_accepts_text(part, root) for part in parts)
    return "string" in json_types(schema, root) and list_choices(schema, root) is None


def _literal_words(schema: Schema, root: Schema) -> list[str]:
    """Return the words that can replace a value of another type."""
    schema = resolve_schema(schema, root)
    parts = schema.get("anyOf") or schema.get("oneOf") or []
    return [word for part in parts for word in list_choices(part, root) or [] if isinstance(word, str)]


def parse_json(text: str, allowed_types: set[str], needs: str = "") -> Any:
    """Parse strict JSON of one of the `allowed_types`. `@path` reads a file.

    `needs` is a required field of the entries, used in the example of the error message. Raise ValueError if the text
    is invalid.
    """
    said = text
    if text.startswith("@"):
        try:
            text = Path(text[1:]).read_text(encoding="utf-8-sig")
        except (OSError, UnicodeDecodeError, ValueError) as problem:
            reason = getattr(problem, "strerror", None) or "it is not UTF-8 text"
            raise ValueError(f"could not read {text[1:]}: {reason}") from problem
    try:
        value = json.loads(text, parse_constant=_reject_constant, object_pairs_hook=_reject_duplicates)
    except RecursionError:
        raise ValueError("is nested too deeply") from None
    except json.JSONDecodeError as problem:
        example = '{"key": "value"}' if "object" in allowed_types else '["value"]'
        if needs and said[:1] not in ("@", "[", "{", '"'):
            example = json.dumps([{needs: said[:60]}], ensure_ascii=False)
        raise ValueError(
            f"is not valid JSON ({problem.msg}, line {problem.lineno} column {problem.colno}). Use JSON such as "
            f"{example}, or @file"
        ) from None
    if _json_type(value) not in allowed_types:
        raise ValueError(f"must be a JSON {' or '.join(sorted(allowed_types))}, not {_json_type(value)}")
    return value


def find_issues(
    value: Any, schema: Schema, root: Schema, path: tuple[str, ...] = ()
) -> list[tuple[tuple[str, ...], str]]:
    """Return the problems of a value as `[(path, message)]`, which is empty if it is valid."""
    schema = resolve_schema(schema, root)
    alternatives = schema.get("anyOf") or schema.get("oneOf")
    if alternatives:
        tried = [find_issues(value, choice, root, path) for choice in alternatives]
        return [] if any(not found for found in tried) else min(tried, key=len)
    options = list_choices(schema, root)
    if options is not None and value not in options:
        return [(path, f"must be one of: {', '.join(map(str, options))}")]
    allowed = json_types(schema, root)
    if allowed and _json_type(value) not in allowed and not (_json_type(value) == "integer" and "number" in allowed):
        return [(path, f"must be {' or '.join(sorted(allowed))}, not {_json_type(value)}")]
    if isinstance(value, dict):
        return _find_object_issues(value, schema, root, path)
    if isinstance(value, list):
        found = _check_limits(len(value), schema, "minItems", "maxItems", "{} items", path)
        for index, item in enumerate(value):
            found += find_issues(item, schema.get("items") or {}, root, (*path, str(index)))
        return found
    if isinstance(value, str):
        return _check_limits(len(value), schema, "minLength", "maxLength", "{} characters", path) or _check_format(
            value, schema, path
        )
    if isinstance(value, (int, float)) and not isinstance(value, bool):
        return _check_limits(value, schema, "minimum", "maximum", "{}", path)
    return []


def _find_object_issues(
    value: dict[str, Any], schema: Schema, root: Schema, path: tuple[str, ...]
) -> list[tuple[tuple[str, ...], str]]:
    properties = schema.get("properties") or {}
    found = [((*path, name), "Required") for name in schema.get("required") or [] if name not in value]
    for name, item in value.items():
        if name in properties:
            found += find_issues(item, properties[name], root, (*path, name))
        elif schema.get("additionalProperties") is False:
            found.append(((*path, name), "is not a known field"))
    return found


def _check_limits(
    size: float, schema: Schema, least: str, most: str, unit: str, path: tuple[str, ...]
) -> list[tuple[tuple[str, ...], str]]:
    if least in schema and size < schema[least]:
        return [(path, f"must be at least {unit.format(schema[least])}")]
    if most in schema and size > schema[most]:
        return [(path, f"must be at most {unit.format(schema[most])}")]
    return []


def _check_format(text: str, schema: Schema, path: tuple[str, ...]) -> list[tuple[tuple[str, ...], str]]:
    """Check the pattern, and formats that can be checked here: dates with and without a time."""
    from datetime import date, datetime

    with suppress(re.error, TypeError):  # a pattern that Python cannot parse is left to the service
        if "pattern" in schema and not re.search(schema["pattern"], text):
            return [(path, f"must match the pattern {schema['pattern']}")]
    try:
        if schema.get("format") == "date":
            date.fromisoformat(text)
        elif schema.get("format") == "date-time":
            datetime.fromisoformat(text)
    except ValueError:
        example = "2026-12-31" if schema["format"] == "date" else "2026-12-31T18:00:00Z"
        return [(path, f"must have the format {example}")]
    return []


def _parse_number(text: str, fractions: bool) -> int | float | None:
    text = text.strip()
    if re.fullmatch(r"[+-]?\d{1,30}", text, re.ASCII):
        return int(text)
    if re.fullmatch(r"[+-]?(\d{1,30}(\.\d*)?|\.\d+)([eE][+-]?\d{1,2})?", text, re.ASCII):
        number = float(text)
        return number if fractions else int(number) if _is_integral(number) else None
    return None


def _is_integral(value: Any) -> bool:
    """Return whether JSON Schema and the service consider the value an integer, although it is written with a point."""
    return isinstance(value, float) and value.is_integer() and abs(value) <= 2**53


def _read_as_base64(path: str) -> str:
    from base64 import b64encode

    try:
        return b64encode(Path(path).read_bytes()).decode()
    except (OSError, ValueError) as problem:
        raise ValueError(f"could not read {path}: {getattr(problem, 'strerror', problem)}") from problem


def _json_type(value: Any) -> str:
    if value is None:
        return "null"
    if _is_integral(value):
        return "integer"
    names = {bool: "boolean", int: "integer", float: "number", str: "string", list: "array", dict: "object"}
    return names[type(value)]


def _reject_constant(name: str) -> Any:
    raise ValueError(f"contains {name}, which is not JSON")


def _reject_duplicates(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    result = dict(pairs)
    if len(result) < len(pairs):
        names = [name for name, _ in pairs]
        twice = next(name for name in names if names.count(name) > 1)
        raise ValueError(f"contains {twice} twice")
    return result
