"""Flagged answers, which the owner wants to know about.

A question's `flag` is true for any meaningful answer, or a list of answers (`yes`, `no`, options). It is not part of
the signed document.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from typing_extensions import TypedDict

from workspace.lib.text import search_key
from workspace.products.waiver import messages

EMPTY_ANSWERS = frozenset(["", "no", "none", "-", "n/a", "nein", "keine", "keiner", "nada", "ninguna", "ninguno"])


class FlaggedAnswer(TypedDict):
    """A question and its answer."""

    label: str
    answer: str


def find_flagged(questions: Sequence[Mapping[str, Any]], answers: Mapping[str, Any]) -> list[FlaggedAnswer]:
    """Return the flagged answers.

    Flags are those of the current questions, so new flags also apply to earlier signatures.
    """
    return [
        {"label": question["label"], "answer": ", ".join(_to_texts(answers[question["key"]]))}
        for question in questions
        if question.get("flag")
        and question["key"] in answers
        and _is_flagged(question["flag"], _to_texts(answers[question["key"]]))
    ]


def _to_texts(value: Any) -> list[str]:
    if isinstance(value, bool):
        return ["Yes" if value else "No"]
    return [str(item) for item in value] if isinstance(value, list) else [str(value)]


def _is_flagged(flag: Any, words: Sequence[str]) -> bool:
    terms = {search_key(word).strip(" .!") for word in words}
    return not terms <= EMPTY_ANSWERS if flag is True else not terms.isdisjoint(search_key(item) for item in flag)


def parse_flag_answers(value: Any) -> bool | list[str]:
    """Parse a flag. Raise ValueError if it is invalid."""
    if isinstance(value, bool):
        return value
    items = [value] if isinstance(value, str) else value
    if (
        not isinstance(items, list)
        or len(items) > 50
        or not all(isinstance(item, str) and item.strip() for item in items)
    ):
        raise ValueError(messages.FLAG_INVALID)
    return [item.strip()[:200] for item in items]
