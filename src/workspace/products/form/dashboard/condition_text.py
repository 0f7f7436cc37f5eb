"""Conditions as sentences: *Kids* is *yes*, and *Guests* is at least *10*."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from workspace.products.form.rules.condition_parser import Condition
from workspace.products.form.rules.field_types import DATE, OPS, TICK, TIME, UNARY_OPS, answer_family

OPERATOR_TEXTS = {
    "is": "is",
    "is_not": "is not",
    "gt": "is more than",
    "gte": "is at least",
    "lt": "is less than",
    "lte": "is at most",
    "contains": "contains",
    "not_contains": "does not contain",
    "starts_with": "starts with",
    "ends_with": "ends with",
    "any_of": "is one of",
    "none_of": "is none of",
    "all_of": "has all of",
    "is_answered": "is answered",
    "is_empty": "is not answered",
}
_FAMILY_OPERATOR_TEXTS = {
    DATE: {"gt": "is after", "gte": "is on or after", "lt": "is before", "lte": "is on or before"},
    TIME: {"gt": "is after", "gte": "is at or after", "lt": "is before", "lte": "is at or before"},
    TICK: {"is_answered": "is ticked", "is_empty": "is not ticked"},
}
_CYCLE_PREFIX, _COMPARISON_MARK = "Goes in a circle: ", " can be compared by "
_PROBLEM_TEXTS = {
    "Required": "Say with what it is compared",
    "Must be true or false, or yes or no": "Write yes or no",
    "Must not be empty: is_empty asks whether there is an answer": "Say with what it is compared",
}


def list_comparisons(type: str) -> list[tuple[str, str]]:
    """Return the comparisons for answers of a type, with their texts. Without a type, return all of them."""
    if not type:
        return list(OPERATOR_TEXTS.items())
    kind = answer_family(type)
    # a checked checkbox is an answer: no other comparison makes sense
    known = UNARY_OPS if kind == TICK else OPS[kind]
    words = {**OPERATOR_TEXTS, **_FAMILY_OPERATOR_TEXTS.get(kind, {})}
    return [(op, words[op]) for op in OPERATOR_TEXTS if op in known]


def normalize_checkbox_condition(condition: Condition) -> Condition:
    """Return the condition of a checkbox as checked or not checked, however it is written."""
    truth_ops = {"is": "is_answered", "is_not": "is_empty"} if condition.get("value", True) else {}
    return {"field": condition["field"], "op": truth_ops.get(condition["op"], condition["op"])}


class ConditionWriter:
    """A writer for the conditions of a form. Its pages are in the format of the tools."""

    def __init__(self, pages: Sequence[Mapping[str, Any]]) -> None:
        self.fields = {field["key"]: field for page in pages for field in page["fields"]}
        self.names = {page["key"]: page["title"] or f"Page {number}" for number, page in enumerate(pages, 1)}

    def format_condition(self, condition: Condition) -> str:
        if "all" in condition:
            return " and ".join(self._format_part(part) for part in condition["all"])
        if "any" in condition:
            return " or ".join(self._format_part(part) for part in condition["any"])
        if "not" in condition:
            return f"not ({self.format_condition(condition['not'])})"
        field = self.fields.get(condition["field"], {"label": condition["field"]})
        kind = answer_family(field["type"]) if "type" in field else ""
        op = normalize_checkbox_condition(condition)["op"] if kind == TICK else condition["op"]
        text = f"{field['label']} {({**OPERATOR_TEXTS, **_FAMILY_OPERATOR_TEXTS.get(kind, {})})[op]}"
        return text if op in UNARY_OPS else f"{text} {self.format_value(condition)}"

    def _format_part(self, part: Condition) -> str:
        text = self.format_condition(part)
        return f"({text})" if "all" in part or "any" in part else text

    def format_value(self, condition: Condition) -> str:
        """Format the value of a condition, with the labels of options."""
        value = condition.get("value", "")
        if isinstance(value, bool):
            return "yes" if value else "no"
        field = self.fields.get(condition["field"], {})
        labels = {option["value"]: option["label"] for option in field.get("options", ())}
        return ", ".join(str(labels.get(item, item)) for item in (value if isinstance(value, list) else [value]))

    def format_problem(self, message: str) -> str:
        """Translate an error from keys of fields to labels, in words for people."""
        if message.startswith(_CYCLE_PREFIX):
            circle = [self._quote_label(key) for key in message.removeprefix(_CYCLE_PREFIX).split(" → ")]
            if len(circle) == 2:
                return f"{circle[0]} cannot depend on itself"
            needs = ", which depends on ".join(circle[1:])
            return f"{circle[0]} depends on {needs}: none of them could be first"
        key, compared, known = message.partition(_COMPARISON_MARK)
        if compared and key in self.fields:
            kind = answer_family(self.fields[key]["type"])
            words = {**OPERATOR_TEXTS, **_FAMILY_OPERATOR_TEXTS.get(kind, {})}
            return (
                f"Of {self._quote_label(key)} can be asked whether it "
                f"{', '.join(words[op] for op in known.split(', '))}"
            )
        key, space, rest = message.partition(" ")
        return f"{self._quote_label(key)} {rest}" if space and key in self.fields else message

    def format_condition_problem(self, message: str) -> str:
        return _PROBLEM_TEXTS.get(message) or self.format_problem(message)

    def _quote_label(self, key: str) -> str:
        return f"“{self.fields[key]['label'][:80]}”" if key in self.fields else key

    def format_jumps(self, page: Mapping[str, Any]) -> list[str]:
        results = []
        for leap in page.get("next", ()):
            to = "the end" if leap["go_to"] == "end" else f"“{self.names.get(leap['go_to'], leap['go_to'])}”"
            results.append(f"To {to} when {self.format_condition(leap['if'])}" if "if" in leap else f"To {to}")
        return results
