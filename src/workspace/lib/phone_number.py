"""Phone numbers as people enter them."""

from __future__ import annotations

import re

from workspace.lib import error_messages

NUMBER_PATTERN = re.compile(r"^\+?[0-9][0-9 ()./\-]{1,30}$")


def clean_phone(text: str) -> str:
    """Return the number if it is empty or has at least three digits, and raise ValueError otherwise."""
    if text and sum(char.isdigit() and char.isascii() for char in text) < 3:
        raise ValueError(error_messages.INVALID_PHONE)
    return text


def to_dialable(text: str) -> str:
    """Return the number in dialable form: digits, preceded by a plus sign if it has one.

    Raise ValueError if it is invalid.
    """
    digits = re.sub(r"[^0-9]", "", text)
    if not NUMBER_PATTERN.match(text) or not 3 <= len(digits) <= 15:
        raise ValueError(error_messages.INVALID_PHONE)
    return ("+" if text.startswith("+") else "") + digits
