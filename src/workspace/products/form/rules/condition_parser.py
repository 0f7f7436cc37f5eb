"""A parser for conditions.

It converts all accepted forms into a normalized one:

    {"all": [c, …]}  {"any": [c, …]}  {"not": c}  {"field": "age", "op": "gte", "value": "18"}

Values are strings (of numbers, days, options), booleans, or lists of these. `is_empty` and `is_answered` have no value.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from workspace.lib.messages import Message
from workspace.products.form import messages
from workspace.products.form.rules import field_types
from workspace.products.form.rules.numbers import is_iso_date, normalize_number, parse_time
from workspace.tools.object_parser import Issues

MAX_DEPTH, MAX_LEAVES = 10, 100
MAX_VALUE_LENGTH, MAX_VALUES = 500, 100
Condition = dict[str, Any]
Fields = Mapping[str, Mapping[str, Any]]
_TRUTH_WORDS = {"true": True, "yes": True, "false": False, "no": False}


class ConditionParser:
    """Parses the conditions of a form. All of its fields are known, by key."""

    def __init__(self, fields: Fields, issues: Issues) -> None:
        self.fields, self.issues = fields, issues
        self.leaves = 0

    def parse_condition(self, value: Any, path: str) -> Condition | None:
        """Parse a condition. If it is invalid, add the error to the issues and return None."""
        self.leaves = 0
        return self._parse_node(value, path, 0)

    def _parse_node(self, value: Any, path: str, depth: int) -> Condition | None:
        if isinstance(value, list) and depth < MAX_DEPTH:  # a list means that all conditions must be met
            return self._parse_parts(value, "all", path, depth)
        if not isinstance(value, Mapping):
            return self._add_issue(path, messages.CONDITION_EXPECTED)
        if depth >= MAX_DEPTH:
            return self._add_issue(path, messages.CONDITIONS_TOO_DEEP(most=MAX_DEPTH))
        joined = {"and": "all", "or": "any"}
        for name in ("all", "any", "and", "or"):
            if name in value:
                return self._parse_joint(value, name, joined.get(name, name), path, depth)
        if "not" in value:
            if len(value) > 1:
                return self._add_issue(path, messages.NOT_WITH_OTHER_KEYS)
            inner = self._parse_node(value["not"], f"{path}.not", depth + 1)
            return None if inner is None else {"not": inner}
        return self._parse_leaf(value, path)

    def _parse_joint(self, fields: Mapping[str, Any], name: str, joint: str, path: str, depth: int) -> Condition | None:
        if len(fields) > 1:
            return self._add_issue(path, messages.JOINT_WITH_OTHER_KEYS(name=name))
        return self._parse_parts(fields[name], joint, f"{path}.{name}", depth)

    def _parse_parts(self, parts: Any, joint: str, path: str, depth: int) -> Condition | None:
        if not isinstance(parts, list) or not parts:
            return self._add_issue(path, messages.CONDITIONS_EXPECTED)
        if len(parts) > MAX_LEAVES:
            return self._add_issue(path, messages.CONDITION_LIMIT(most=MAX_LEAVES))
        results = [self._parse_node(part, f"{path}.{place}", depth + 1) for place, part in enumerate(parts)]
        return None if None in results else {joint: results}

    def _parse_leaf(self, fields: Mapping[str, Any], path: str) -> Condition | None:
        self.leaves += 1
        if self.leaves > MAX_LEAVES:
            if self.leaves == MAX_LEAVES + 1:
                self._add_issue(path, messages.CONDITION_LIMIT(most=MAX_LEAVES))
            return None
        field = self._find_field(fields.get("field"), path)
        result = self._parse_operator(fields, path) if field is not None else None
        if field is None or result is None:
            return None
        op, value, at = result
        key = fields["field"]
        known = field_types.OPS[field_types.answer_family(field["type"])]
        if op not in known:
            text = messages.COMPARISON_NOT_SUPPORTED(key=key, comparisons=", ".join(known))
            return self._add_issue(at if at.endswith(op) else f"{path}.op", text)
        if op in field_types.UNARY_OPS:
            if value is False:  # "is_empty": false
                op = "is_answered" if op == "is_empty" else "is_empty"
            return {"field": key, "op": op}
        if value is None:
            return self._add_issue(at, messages.VALUE_NEEDED)
        if field_types.answer_family(field["type"]) in (field_types.TICK, field_types.YES_NO):
            return self._parse_truth(field, key, op, value, at)
        return self._parse_comparison(field, key, op, value, at)

    def _find_field(self, key: Any, path: str) -> Mapping[str, Any] | None:
        """Return the field of a condition, if it exists and has answers."""
        if not isinstance(key, str):
            return self._add_issue(f"{path}.field", messages.FIELD_KEY_EXPECTED)
        field = self.fields.get(key)
        if field is None:
            return self._add_issue(f"{path}.field", messages.FIELD_NOT_FOUND(key=key[:60]))
        if field["type"] in ("heading", "text"):
            return self._add_issue(f"{path}.field", messages.FIELD_WITHOUT_ANSWER(key=key))
        return field

    def _parse_comparison(self, field: Mapping[str, Any], key: str, op: str, value: Any, path: str) -> Condition | None:
        many = op in field_types.LIST_OPS or (op in ("is", "is_not") and field["type"] == "multi_choice")
        values = value if many and isinstance(value, list) else [value]
        if not values or len(values) > MAX_VALUES:
            return self._add_issue(path, messages.VALUE_LIMIT(most=MAX_VALUES))
        lines: list[str] = []
        for place, item in enumerate(values):
            try:
                lines.append(parse_value(field, item, op))
            except ValueError as problem:
                self._add_issue(f"{path}.{place}" if values is value else path, str(problem))
        if len(lines) < len(values):
            return None
        found_value: Condition = {"field": key, "op": op, "value": lines if many else lines[0]}
        return {**found_value, "day": True} if field["type"] == "date" else found_value

    def _parse_operator(self, fields: Mapping[str, Any], path: str) -> tuple[str, Any, str] | None:
        """Return the comparison, its value, and the path of the value."""
        short = {key: value for key, value in fields.items() if key not in ("field", "op", "value")}
        if "op" in fields:
            op = fields["op"]
            known = field_types.OP_ALIASES.get(op, op) if isinstance(op, str) else None
            if known not in field_types.ALL_OPS:
                self._add_issue(f"{path}.op", messages.NOT_ONE_OF(values=", ".join(field_types.ALL_OPS)))
                return None
            for key in short:
                self._add_issue(f"{path}.{key}", messages.UNKNOWN_CONDITION_KEY)
            return (known, fields.get("value"), f"{path}.value") if not short else None
        if len(short) != 1 or "value" in fields:
            self._add_issue(f"{path}.op", messages.OPERATOR_NEEDED(values=", ".join(field_types.ALL_OPS)))
            return None
        [(name, value)] = short.items()
        known = field_types.OP_ALIASES.get(name, name)
        if known not in field_types.ALL_OPS:
            self._add_issue(f"{path}.{name}", messages.NOT_ONE_OF(values=", ".join(field_types.ALL_OPS)))
            return None
        return known, value, f"{path}.{name}"

    def _parse_truth(self, field: Mapping[str, Any], key: str, op: str, value: Any, path: str) -> Condition | None:
        truth = _TRUTH_WORDS.get(value.strip().lower()) if isinstance(value, str) else value
        if not isinstance(truth, bool):
            return self._add_issue(path, messages.YES_OR_NO_EXPECTED)
        if field_types.answer_family(field["type"]) == field_types.TICK and not truth:  # an unchecked checkbox is empty
            return {"field": key, "op": "is_empty" if op == "is" else "is_answered"}
        return {"field": key, "op": op, "value": truth}

    def _add_issue(self, path: str, message: str | Message) -> Condition | None:
        """Add an issue. Return None, so that callers can return the result."""
        self.issues.add(path, message)
        return None


def parse_value(field: Mapping[str, Any], value: Any, op: str) -> str:
    """Parse the value of a comparison. Raise ValueError if it is invalid."""
    family = field_types.answer_family(field["type"])
    if family == field_types.NUMBER:
        return normalize_number(value)
    if not isinstance(value, str) and not (isinstance(value, int) and not isinstance(value, bool)):
        raise ValueError(messages.TEXT_EXPECTED)
    text = str(value).strip()
    if not text:
        raise ValueError(messages.VALUE_EMPTY)
    if len(text) > MAX_VALUE_LENGTH:
        raise ValueError(messages.TOO_LONG(most=MAX_VALUE_LENGTH))
    if family == field_types.DATE:
        return parse_day(text)
    if family == field_types.TIME:
        return parse_time(text)
    if family in (field_types.CHOICE, field_types.MULTI) and op not in ("contains", "not_contains"):
        return find_option_value(field, text)
    if family == field_types.MULTI:
        return find_option_value(field, text)
    return text


def find_option_value(field: Mapping[str, Any], text: str) -> str:
    """Return the value of the option with this value or label."""
    options: Sequence[Mapping[str, Any]] = field.get("options", ())
    for name in ("value", "label"):
        for option in options:
            if option[name] == text:
                return str(option["value"])
    if field.get("other"):
        return text
    raise ValueError(messages.OPTION_NOT_FOUND(option=text[:60]))


def parse_day(text: str) -> str:
    if text.lower() == field_types.TODAY:
        return field_types.TODAY
    if not is_iso_date(text):
        raise ValueError(messages.DATE_OR_TODAY_EXPECTED)
    return text


def referenced_fields(condition: Condition | None) -> set[str]:
    """Return the keys of the fields that a condition uses."""
    if condition is None:
        return set()
    if "field" in condition:
        return {condition["field"]}
    parts = condition.get("all") or condition.get("any") or [condition["not"]]
    return set().union(*map(referenced_fields, parts))
