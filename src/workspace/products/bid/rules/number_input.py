"""Parsers for the numbers of a proposal.

Amounts may be text with a currency sign and thousands separators. All other numbers are JSON numbers. An ambiguous
comma is rejected with a hint on how to write the number.
"""

from __future__ import annotations

import re
from decimal import Decimal
from typing import Any

from workspace.lib.messages import Message
from workspace.lib.money import CURRENCY_SIGNS
from workspace.products.bid import messages

MAX_DECIMALS = 4
MAX_MONEY = Decimal("9999999.99")
MAX_QUANTITY = Decimal(1_000_000)
_SIGN_PATTERN = "|".join(sorted({re.escape(sign[-1]) for sign in CURRENCY_SIGNS.values()}))
_MONEY_PATTERN = re.compile(
    rf"(?:{_SIGN_PATTERN})? ?([0-9]{{1,12}}|[0-9]{{1,3}}(?:,[0-9]{{3}})+)(\.[0-9]{{1,12}})?", re.ASCII
)
_DECIMAL_COMMA_PATTERN = re.compile(
    rf"(?:{_SIGN_PATTERN})? ?([0-9]{{1,3}}(?:\.[0-9]{{3}})+|[0-9]{{1,12}}),([0-9]{{1,4}})", re.ASCII
)


def parse_money(value: Any) -> Decimal:
    """Parse an amount. Like the other parsers, raise ValueError with a human-readable message."""
    if isinstance(value, str):
        amount = _parse_money_text(value.strip())
    else:
        amount = parse_number(value, messages.AMOUNT_EXPECTED)
    if amount < 0:
        raise ValueError(messages.AMOUNT_NEGATIVE)
    if amount > MAX_MONEY:
        raise ValueError(messages.AMOUNT_TOO_HIGH)
    return _limit_decimals(amount)


def parse_quantity(value: Any) -> Decimal:
    amount = parse_number(value, messages.NUMBER_EXPECTED)
    if amount <= 0:
        raise ValueError(messages.QUANTITY_TOO_LOW)
    if amount > MAX_QUANTITY:
        raise ValueError(messages.QUANTITY_TOO_HIGH)
    return _limit_decimals(amount)


def parse_percent(value: Any) -> Decimal:
    amount = parse_number(value, messages.PERCENT_EXPECTED)
    if not 0 <= amount <= 100:
        raise ValueError(messages.PERCENT_OUT_OF_RANGE)
    return _limit_decimals(amount)


def parse_number(value: Any, default: Message) -> Decimal:
    if isinstance(value, bool) or not isinstance(value, (int, float)):
        raise ValueError(default)
    if isinstance(value, int) and abs(value) > 10**15:
        raise ValueError(messages.NUMBER_TOO_LARGE)
    amount = Decimal(repr(value))  # the shortest text that reads back as this number is what was written
    if not amount.is_finite():
        raise ValueError(default)
    return amount


def _parse_money_text(text: str) -> Decimal:
    negative = text.startswith(("-", "\u2212"))
    text = text[1:].lstrip() if negative else text
    if len(text) <= 40:
        if match := _MONEY_PATTERN.fullmatch(text):
            amount = Decimal(match[1].replace(",", "") + (match[2] or ""))
            return -amount if negative and amount else amount
        if match := _DECIMAL_COMMA_PATTERN.fullmatch(text):
            raise ValueError(messages.DECIMAL_POINT_NEEDED(number=f"{match[1].replace('.', '')}.{match[2]}"))
    raise ValueError(messages.AMOUNT_EXPECTED)


def _limit_decimals(amount: Decimal) -> Decimal:
    plain = amount.normalize()
    if -int(plain.as_tuple().exponent) > MAX_DECIMALS:
        raise ValueError(messages.TOO_MANY_DECIMALS)
    return plain
