"""Parsers of single values in a guest's post: emails, phone numbers, dates."""

from __future__ import annotations

import re
from collections.abc import Callable
from datetime import date
from typing import Any

from workspace.products.waiver import messages
from workspace.products.waiver.rules import person_query
from workspace.publishing.shared_item_arguments import MAX_EMAIL_LENGTH, clean_email
from workspace.tools import object_parser

MAX_AGE_YEARS = 120  # years


def parse_email(value: Any) -> str:
    """Parse an email address or an empty string. Like the other parsers, raise ValueError if it is invalid."""
    return clean_email(object_parser.line_parser(MAX_EMAIL_LENGTH)(value))


def parse_phone(value: Any) -> str:
    text = object_parser.line_parser(40)(value)
    if text and not person_query.phone_forms(text, ""):
        raise ValueError(messages.INVALID_PHONE)
    return text


def birth_date_parser(today: date) -> Callable[[Any], date | None]:
    def parse_birth_date(value: Any) -> date | None:
        if not isinstance(value, str) or not re.fullmatch(r"\d{4}-\d\d-\d\d", value.strip()):
            raise ValueError(messages.INVALID_DATE)
        try:
            born = date.fromisoformat(value.strip())
        except ValueError:
            raise ValueError(messages.NO_SUCH_DATE) from None
        if born > today or born.year < today.year - MAX_AGE_YEARS:
            raise ValueError(messages.IMPLAUSIBLE_YEAR)
        return born

    return parse_birth_date
