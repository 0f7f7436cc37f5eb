"""Numbers, days and times as people and programs write them.

Numbers are exact: strings of digits, and fractions. The browser uses the same types, with integers of any size.
"""

from __future__ import annotations

import re
from datetime import date
from fractions import Fraction
from typing import Any

from workspace.products.form import messages

MAX_DIGITS = 15  # JSON numbers with this many digits are exact everywhere
MAX_DECIMALS = 6  # of calculated values
DEFAULT_DECIMALS = 2
MAX_BITS = 1024  # of numerator and denominator; a larger value counts as empty
_NUMBER_PATTERN = re.compile(r"([+-]?)([0-9]{1,20})(?:([.,])([0-9]{1,20}))?", re.ASCII)
_DAY_PATTERN = re.compile("[1-9][0-9]{3}-[0-9]{2}-[0-9]{2}", re.ASCII)
_TIME_PATTERN = re.compile(r"([01][0-9]|2[0-3]):([0-5][0-9])(?::[0-5][0-9])?", re.ASCII)


def parse_number(value: Any) -> Fraction | None:
    """Parse typed text or a JSON number. Return None if it is not a number.

    A comma is a decimal separator unless three digits follow it, which would be ambiguous.
    """
    if isinstance(value, bool):
        return None
    if isinstance(value, (int, float)):
        if isinstance(value, int) and abs(value) >= 10**MAX_DIGITS:
            return None
        value = repr(value)  # the shortest text that reads back as this number is what was written
    if not isinstance(value, str) or len(value) > 60:
        return None
    match = _NUMBER_PATTERN.fullmatch(value.strip())
    if match is None or (match[3] == "," and len(match[4]) == 3):
        return None
    whole, decimals = match[2].lstrip("0"), (match[4] or "").rstrip("0")
    if len(whole) + len(decimals) > MAX_DIGITS:
        return None
    return Fraction(int(f"{match[1]}{match[2]}{decimals}"), 10 ** len(decimals))


def normalize_number(value: Any) -> str:
    """Normalize a number that an owner entered as text. Raise ValueError if it is invalid."""
    result = parse_number(value)
    if result is None:
        raise ValueError(messages.NUMBER_EXPECTED)
    return format_number(result)


def format_number(value: Fraction) -> str:
    """Format a number with a finite number of decimals, without trailing zeros."""
    decimals, below = 0, value.denominator
    while below > 1 and decimals < 30:
        decimals += 1
        below = (value * 10**decimals).denominator
    digits = str(abs(value.numerator) * 10**decimals // value.denominator).rjust(decimals + 1, "0")
    text = f"{digits[:-decimals]}.{digits[-decimals:]}" if decimals else digits
    return f"-{text}" if value < 0 else text


def round_fraction(value: Fraction, decimals: int) -> Fraction:
    """Round to this many decimals, with halves away from zero."""
    scale = 10**decimals
    doubled = abs(value) * scale * 2 + 1
    result = Fraction(int(doubled // 2), scale)
    return -result if value < 0 else result


def is_exact_in_json(value: Fraction) -> bool:
    """Return whether the number has few enough digits for every program to represent it exactly."""
    whole, _, decimals = format_number(abs(value)).partition(".")
    return len(whole.lstrip("0")) + len(decimals) <= MAX_DIGITS


def to_json_number(value: Fraction) -> int | float:
    """Convert the number to a JSON number."""
    return value.numerator if value.denominator == 1 else float(format_number(value))


def is_iso_date(text: str) -> bool:
    try:
        return _DAY_PATTERN.fullmatch(text) is not None and bool(date.fromisoformat(text))
    except ValueError:
        return False


def parse_time(text: str) -> str:
    """Parse a time such as `14:30`. Raise ValueError if it is invalid."""
    match = _TIME_PATTERN.fullmatch(text)
    if match is None:
        raise ValueError(messages.TIME_EXPECTED)
    return f"{match[1]}:{match[2]}"
