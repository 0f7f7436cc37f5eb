"""Answers to a waiver's questions, each judged by the type of its question."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from datetime import date
from decimal import Decimal, InvalidOperation
from typing import Any

from django.utils.translation import gettext

from workspace.products.waiver.rules.definition_input import CHOICES
from workspace.products.waiver.rules.value_input import email
from workspace.tools import object_parser
from workspace.tools.object_parser import Issues


def read_answers(given: Any, questions: Sequence[Mapping[str, Any]], path: str, issues: Issues) -> dict[str, Any]:
    """What was answered, by key; an unanswered question is not there. Unknown keys are refused."""
    if not isinstance(given, Mapping):
        issues.at(path, "Expected an object")
        return {}
    found: dict[str, Any] = {}
    known = {question["key"]: question for question in questions}
    for key, question in known.items():
        value = given.get(key)
        value = value.strip() if isinstance(value, str) else value
        if value in (None, "", []) or (value is False and question["type"] == "checkbox"):
            if question["required"]:
                issues.at(f"{path}.{key}", gettext("Required"))
            continue
        try:
            found[key] = _answer(value, question)
        except ValueError as problem:
            issues.at(f"{path}.{key}", str(problem))
    for key in given:
        if key not in known:
            issues.at(f"{path}.{key}", gettext("There is no such question"))
    return found


def _answer(value: Any, question: Mapping[str, Any]) -> Any:
    kind = question["type"]
    if kind in CHOICES:
        return _chosen(value, question["options"], several=kind == "multi_choice")
    return _READ[kind](value)


def _chosen(value: Any, options: Sequence[str], *, several: bool) -> Any:
    wanted = value if isinstance(value, list) else [value]
    if not all(one in options for one in wanted) or (not several and len(wanted) != 1):
        raise ValueError(gettext("Choose one of those that stand there"))
    return [one for one in options if one in wanted] if several else wanted[0]


def _number(value: Any) -> str:
    try:
        found = Decimal(str(value)) if not isinstance(value, bool) and len(str(value)) < 40 else Decimal("nan")
    except InvalidOperation:
        found = Decimal("nan")
    if not found.is_finite() or abs(found.adjusted()) > 30:
        raise ValueError(gettext("Write a number"))
    return f"{found:f}"


def _day(value: Any) -> str:
    try:
        return date.fromisoformat(value).isoformat() if isinstance(value, str) and len(value) == 10 else _no_day()
    except ValueError:
        return _no_day()


def _no_day() -> str:
    raise ValueError(gettext("Write YYYY-MM-DD"))


_READ: dict[str, Callable[[Any], Any]] = {
    "short_text": object_parser.line(500),
    "long_text": object_parser.lines(5000),
    "email": email,
    "phone": object_parser.line(40),
    "number": _number,
    "date": _day,
    "yes_no": object_parser.flag,
    "checkbox": object_parser.flag,
}
