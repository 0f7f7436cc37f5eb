"""Numbers of a proposal as callers write them. Money may come as text with a sign and commas between thousands; all
else is a JSON number. What a comma could mean in two ways is refused with how to write it."""

from __future__ import annotations

import re
from decimal import Decimal
from typing import Any

from workspace.lib.money import SIGNS

DECIMALS = 4
MOST_MONEY = Decimal("9999999.99")
MOST_QUANTITY = Decimal(1_000_000)
_SIGN = "|".join(sorted({re.escape(sign[-1]) for sign in SIGNS.values()}))
_MONEY = re.compile(rf"(?:{_SIGN})? ?([0-9]{{1,12}}|[0-9]{{1,3}}(?:,[0-9]{{3}})+)(\.[0-9]{{1,12}})?", re.ASCII)
_OF_COMMAS = re.compile(rf"(?:{_SIGN})? ?([0-9]{{1,3}}(?:\.[0-9]{{3}})+|[0-9]{{1,12}}),([0-9]{{1,4}})", re.ASCII)


def money_of(value: Any) -> Decimal:
    """Raises ValueError with a text for people, as the others do."""
    if isinstance(value, str):
        found = _read(value.strip())
    else:
        found = number_of(value, "Expected an amount, such as 12.50")
    if found < 0:
        raise ValueError("Use discount for what is taken off: amounts are not below 0")
    if found > MOST_MONEY:
        raise ValueError("At most 9,999,999.99")
    return _decimals(found)


def quantity_of(value: Any) -> Decimal:
    found = number_of(value, "Expected a number, such as 1.5")
    if found <= 0:
        raise ValueError("More than 0")
    if found > MOST_QUANTITY:
        raise ValueError("At most 1,000,000")
    return _decimals(found)


def percent_of(value: Any) -> Decimal:
    found = number_of(value, "Expected a number of percent, such as 8.5")
    if not 0 <= found <= 100:
        raise ValueError("A number of percent from 0 to 100")
    return _decimals(found)


def number_of(value: Any, otherwise: str) -> Decimal:
    if isinstance(value, bool) or not isinstance(value, (int, float)):
        raise ValueError(otherwise)
    if isinstance(value, int) and abs(value) > 10**15:
        raise ValueError("This number is too large")
    found = Decimal(repr(value))  # the shortest text that reads back as this number is what was written
    if not found.is_finite():
        raise ValueError(otherwise)
    return found


def _read(text: str) -> Decimal:
    negative = text.startswith(("-", "\u2212"))
    text = text[1:].lstrip() if negative else text
    if len(text) <= 40:
        if found := _MONEY.fullmatch(text):
            amount = Decimal(found[1].replace(",", "") + (found[2] or ""))
            return -amount if negative and amount else amount
        if found := _OF_COMMAS.fullmatch(text):
            raise ValueError(f"Write {found[1].replace('.', '')}.{found[2]}")
    raise ValueError("Expected an amount, such as 12.50")


def _decimals(found: Decimal) -> Decimal:
    plain = found.normalize()
    if -int(plain.as_tuple().exponent) > DECIMALS:
        raise ValueError("At most 4 decimals")
    return plain
