"""Answers to a waiver's questions, validated by the type of each question."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from datetime import date
from decimal import Decimal, InvalidOperation
from typing import Any

from workspace.products.waiver import messages
from workspace.products.waiver.rules.definition_input import CHOICE_TYPES
from workspace.products.waiver.rules.value_input import parse_email
from workspace.tools import object_parser
from workspace.tools.object_parser import Issues


def parse_answers(given: Any, questions: Sequence[Mapping[str, Any]], path: str, issues: Issues) -> dict[str, Any]:
    """Return the answers by key. Unanswered questions are left out. Unknown keys are errors."""
    if not isinstance(given, Mapping):
        issues.add(path, messages.OBJECT_EXPECTED)
        return {}
    answers: dict[str, Any] = {}
    known = {question["key"]: question for question in questions}
    for key, question in known.items():
        value = given.get(key)
        value = value.strip() if isinstance(value, str) else value
        if value in (None, "", []) or (value is False and question["type"] == "checkbox"):
            if question["required"]:
                issues.add(f"{path}.{key}", messages.REQUIRED)
            continue
        try:
            answers[key] = _parse_answer(value, question)
        except ValueError as problem:
            issues.add(f"{path}.{key}", str(problem))
    for key in given:
        if key not in known:
            issues.add(f"{path}.{key}", messages.UNKNOWN_QUESTION)
    return answers


def _parse_answer(value: Any, question: Mapping[str, Any]) -> Any:
    kind = question["type"]
    if kind in CHOICE_TYPES:
        return _parse_choice(value, question["options"], several=kind == "multi_choice")
    return _PARSERS[kind](value)


def _parse_choice(value: Any, options: Sequence[str], *, several: bool) -> Any:
    requested = value if isinstance(value, list) else [value]
    if not all(item in options for item in requested) or (not several and len(requested) != 1):
        raise ValueError(messages.UNKNOWN_OPTION)
    return [option for option in options if option in requested] if several else requested[0]


def _parse_number(value: Any) -> str:
    try:
        amount = Decimal(str(value)) if not isinstance(value, bool) and len(str(value)) < 40 else Decimal("nan")
    except InvalidOperation:
        amount = Decimal("nan")
    if not amount.is_finite() or abs(amount.adjusted()) > 30:
        raise ValueError(messages.INVALID_NUMBER)
    return f"{amount:f}"


def _parse_day(value: Any) -> str:
    try:
        return (
            date.fromisoformat(value).isoformat()
            if isinstance(value, str) and len(value) == 10
            else _raise_invalid_day()
        )
    except ValueError:
        return _raise_invalid_day()


def _raise_invalid_day() -> str:
    raise ValueError(messages.INVALID_DATE)


_PARSERS: dict[str, Callable[[Any], Any]] = {
    "short_text": object_parser.line_parser(500),
    "long_text": object_parser.lines_parser(5000),
    "email": parse_email,
    "phone": object_parser.line_parser(40),
    "number": _parse_number,
    "date": _parse_day,
    "yes_no": object_parser.parse_flag,
    "checkbox": object_parser.parse_flag,
}
