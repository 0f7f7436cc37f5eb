"""Options as lines of text that can be pasted: one per line, optionally with a score after a bar."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from decimal import Decimal, InvalidOperation
from fractions import Fraction
from typing import Any

from workspace.dashboard.form_arguments import UnreadableNumber
from workspace.lib import number_fields, number_parser
from workspace.lib.number_parser import AmbiguousNumberError
from workspace.products.form.rules.numbers import format_number

Option = Mapping[str, Any]
_CURRENCY_SIGN = re.compile(r"^\s*[€$£¥]\s*|\s*(?:[€$£¥]|[A-Z]{3})\s*$")


def format_options(options: Sequence[Option]) -> str:
    return "\n".join(
        f"{option['label']} | {_format_score(option['score'])}" if "score" in option else str(option["label"])
        for option in options
    )


def parse_options(text: str, existing_options: Sequence[Option] = (), country: str = "") -> list[dict[str, Any]]:
    """Parse the lines into options. Prices are parsed in the format used in the country.

    An existing option keeps its value, because answers and conditions refer to it. The option is found by its label, or
    by its position if the number of options has not changed.
    """
    lines = []
    for line in filter(None, map(str.strip, text.splitlines())):
        label, bar, score = line.rpartition("|")
        number = _parse_score(score, country) if bar else None
        lines.append({"label": line} if number is None else {"label": label.strip(), "score": number})
    values = {option["label"]: option["value"] for option in existing_options}
    labels = {item["label"] for item in lines}
    for place, item in enumerate(lines):
        if item["label"] in values:
            item["value"] = values[item["label"]]
        elif len(lines) == len(existing_options) and existing_options[place]["label"] not in labels:
            item["value"] = existing_options[place]["value"]
    return lines


def _parse_score(text: str, country: str) -> str | None:
    """Return the number after a bar, without a currency sign, or None if it is not a number.

    If it is ambiguous, return an `UnreadableNumber` with a question.
    """
    try:
        number = number_fields.parse_field(_CURRENCY_SIGN.sub("", text), number_fields.QUANTITY, country)
    except AmbiguousNumberError as result:
        return UnreadableNumber(text.strip(), str(result))
    except ValueError:
        return None
    return format_number(Fraction(number))


def _format_score(score: Any) -> str:
    """Format a score so that `_parse_score` reads it correctly in every country."""
    try:
        return number_parser.format_for_input(Decimal(str(score)))
    except InvalidOperation:
        return str(score)
