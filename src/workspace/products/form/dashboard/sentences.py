"""Conditions as sentences: *Kids* is *yes*, and *Guests* is at least *10*."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from workspace.products.form.conditions import Condition
from workspace.products.form.kinds import ALONE

WORDS = {
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
_OF_DAYS = {"gt": "is after", "gte": "is on or after", "lt": "is before", "lte": "is on or before"}


class Sentences:
    """Of one form, whose pages are as the tools write them."""

    def __init__(self, pages: Sequence[Mapping[str, Any]]) -> None:
        self.fields = {field["key"]: field for page in pages for field in page["fields"]}
        self.names = {page["key"]: page["title"] or f"Page {number}" for number, page in enumerate(pages, 1)}

    def condition(self, condition: Condition) -> str:
        if "all" in condition:
            return " and ".join(self._inner(part) for part in condition["all"])
        if "any" in condition:
            return " or ".join(self._inner(part) for part in condition["any"])
        if "not" in condition:
            return f"not ({self.condition(condition['not'])})"
        field = self.fields.get(condition["field"], {"label": condition["field"]})
        words = {**WORDS, **(_OF_DAYS if field.get("type") == "date" else {})}
        told = f"{field['label']} {words[condition['op']]}"
        return told if condition["op"] in ALONE else f"{told} {self.value(condition)}"

    def _inner(self, part: Condition) -> str:
        said = self.condition(part)
        return f"({said})" if "all" in part or "any" in part else said

    def value(self, condition: Condition) -> str:
        """What it compares with, by the labels of options."""
        value = condition.get("value", "")
        if isinstance(value, bool):
            return "yes" if value else "no"
        field = self.fields.get(condition["field"], {})
        labels = {option["value"]: option["label"] for option in field.get("options", ())}
        return ", ".join(str(labels.get(one, one)) for one in (value if isinstance(value, list) else [value]))

    def jumps(self, page: Mapping[str, Any]) -> list[str]:
        found = []
        for leap in page.get("next", ()):
            to = "the end" if leap["go_to"] == "end" else f"“{self.names.get(leap['go_to'], leap['go_to'])}”"
            found.append(f"To {to} when {self.condition(leap['if'])}" if "if" in leap else f"To {to}")
        return found
