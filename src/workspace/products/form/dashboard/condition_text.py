"""Conditions as sentences: *Kids* is *yes*, and *Guests* is at least *10*."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from django.utils.translation import gettext

from workspace.lib.messages import Message
from workspace.owner_translation import owner_gettext_lazy
from workspace.products.form import messages
from workspace.products.form.rules.condition_parser import Condition
from workspace.products.form.rules.evaluation import END
from workspace.products.form.rules.field_types import DATE, OPS, TICK, TIME, UNARY_OPS, answer_family

OPERATOR_TEXTS = {
    "is": owner_gettext_lazy("is"),
    "is_not": owner_gettext_lazy("is not"),
    "gt": owner_gettext_lazy("is more than"),
    "gte": owner_gettext_lazy("is at least"),
    "lt": owner_gettext_lazy("is less than"),
    "lte": owner_gettext_lazy("is at most"),
    "contains": owner_gettext_lazy("contains"),
    "not_contains": owner_gettext_lazy("does not contain"),
    "starts_with": owner_gettext_lazy("starts with"),
    "ends_with": owner_gettext_lazy("ends with"),
    "any_of": owner_gettext_lazy("is one of"),
    "none_of": owner_gettext_lazy("is not one of"),
    "all_of": owner_gettext_lazy("includes all of"),
    "is_answered": owner_gettext_lazy("is answered"),
    "is_empty": owner_gettext_lazy("is not answered"),
}
_FAMILY_OPERATOR_TEXTS = {
    DATE: {
        "gt": owner_gettext_lazy("is after"),
        "gte": owner_gettext_lazy("is on or after"),
        "lt": owner_gettext_lazy("is before"),
        "lte": owner_gettext_lazy("is on or before"),
    },
    TIME: {
        "gt": owner_gettext_lazy("is after"),
        "gte": owner_gettext_lazy("is at or after"),
        "lt": owner_gettext_lazy("is before"),
        "lte": owner_gettext_lazy("is at or before"),
    },
    TICK: {"is_answered": owner_gettext_lazy("is checked"), "is_empty": owner_gettext_lazy("is not checked")},
}


def list_comparisons(type: str) -> list[tuple[str, str]]:
    """Return the comparisons for answers of a type, with their labels. Without a type, return all comparisons."""
    if not type:
        return list(OPERATOR_TEXTS.items())
    kind = answer_family(type)
    # a checked checkbox is an answer: no other comparison makes sense
    known = UNARY_OPS if kind == TICK else OPS[kind]
    words = {**OPERATOR_TEXTS, **_FAMILY_OPERATOR_TEXTS.get(kind, {})}
    return [(op, words[op]) for op in OPERATOR_TEXTS if op in known]


def normalize_checkbox_condition(condition: Condition) -> Condition:
    """Return the condition of a checkbox as checked or not checked, regardless of how it was written."""
    truth_ops = {"is": "is_answered", "is_not": "is_empty"} if condition.get("value", True) else {}
    return {"field": condition["field"], "op": truth_ops.get(condition["op"], condition["op"])}


class ConditionWriter:
    """Writes the conditions of a form as sentences. Its pages are in the format of the tools."""

    def __init__(self, pages: Sequence[Mapping[str, Any]]) -> None:
        self.fields = {field["key"]: field for page in pages for field in page["fields"]}
        self.names = {
            page["key"]: page["title"] or gettext("Page %(number)s") % {"number": number}
            for number, page in enumerate(pages, 1)
        }

    def format_condition(self, condition: Condition) -> str:
        if "all" in condition:
            return gettext(" and ").join(self._format_part(part) for part in condition["all"])
        if "any" in condition:
            return gettext(" or ").join(self._format_part(part) for part in condition["any"])
        if "not" in condition:
            return gettext("not (%(condition)s)") % {"condition": self.format_condition(condition["not"])}
        field = self.fields.get(condition["field"], {"label": condition["field"]})
        kind = answer_family(field["type"]) if "type" in field else ""
        op = normalize_checkbox_condition(condition)["op"] if kind == TICK else condition["op"]
        text = f"{field['label']} {({**OPERATOR_TEXTS, **_FAMILY_OPERATOR_TEXTS.get(kind, {})})[op]}"
        return text if op in UNARY_OPS else f"{text} {self.format_value(condition)}"

    def _format_part(self, part: Condition) -> str:
        text = self.format_condition(part)
        return f"({text})" if "all" in part or "any" in part else text

    def format_value(self, condition: Condition) -> str:
        """Format the value of a condition, using the labels of options."""
        value = condition.get("value", "")
        if isinstance(value, bool):
            return gettext("yes") if value else gettext("no")
        field = self.fields.get(condition["field"], {})
        labels = {option["value"]: option["label"] for option in field.get("options", ())}
        return ", ".join(str(labels.get(item, item)) for item in (value if isinstance(value, list) else [value]))

    def format_problem(self, message: str) -> str:
        """Make an error human-readable: replace the keys of fields with their labels."""
        if keys := _split_message(message, messages.DEPENDS_ON_ITSELF, "cycle"):
            circle = [self._quote_label(key) for key in keys[1].split(" → ")]
            if len(circle) == 2:
                return gettext("%(question)s can’t depend on itself.") % {"question": circle[0]}
            text = gettext("These questions depend on each other: %(questions)s. Change one of them.")
            return text % {"questions": " → ".join(circle)}
        if parts := _split_message(message, messages.COMPARISON_NOT_SUPPORTED, "comparisons"):
            key, known = parts[0], parts[1]
            kind = answer_family(self.fields[key]["type"]) if key in self.fields else ""
            words = {**OPERATOR_TEXTS, **_FAMILY_OPERATOR_TEXTS.get(kind, {})}
            text = gettext("%(question)s supports only these comparisons: %(comparisons)s.")
            comparisons = ", ".join(str(words.get(op, op)) for op in known.split(", "))
            return text % {"question": self._quote_label(key), "comparisons": comparisons}
        key, space, rest = message.partition(" ")
        return f"{self._quote_label(key)} {rest}" if space and key in self.fields else message

    def format_condition_problem(self, message: str) -> str:
        return str(messages.VALUE_NEEDED) if message == str(messages.VALUE_EMPTY) else self.format_problem(message)

    def _quote_label(self, key: str) -> str:
        return f"“{self.fields[key]['label'][:80]}”" if key in self.fields else key

    def format_jumps(self, page: Mapping[str, Any]) -> list[str]:
        results = []
        for leap in page.get("next", ()):
            is_end, condition = leap["go_to"] == END, leap.get("if")
            if condition:
                text = (
                    gettext("Go to the end when %(condition)s")
                    if is_end
                    else gettext("Go to “%(page)s” when %(condition)s")
                )
            else:
                text = gettext("Go to the end") if is_end else gettext("Go to “%(page)s”")
            page_title = self.names.get(leap["go_to"], leap["go_to"])
            results.append(
                text % {"page": page_title, "condition": self.format_condition(condition) if condition else ""}
            )
        return results


def _split_message(text: str, message: Message, name: str) -> tuple[str, str] | None:
    """Return the key at the start of an error and the value of its placeholder `name`, or None for other errors."""
    start, _, end = str(message(**{"key": "\0", name: "\1"})).replace("\0", "").partition("\1")
    head, found, tail = text.partition(start)
    return (head, tail.removesuffix(end)) if found else None
