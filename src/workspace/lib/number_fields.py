"""Numbers that people enter into a field.

The kind of a field is one of these:

    whole        a whole number
    number       any number; a point before three digits is decimal, as programs write it
    quantity     any number that people enter, so the country decides what a separator before three digits means
    EUR          an amount of this currency
    EUR-4        a price of this currency with up to four decimals, such as the price of one liter

Saving a form, and showing how a typed number is understood, use the same function, so that they always agree.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from decimal import Decimal
from functools import lru_cache

from workspace.lib import money, number_parser

WHOLE, NUMBER, QUANTITY = "whole", "number", "quantity"
_MONEY = re.compile(r"([A-Z]{3})(?:-([0-6]))?")


def is_field_kind(kind: str) -> bool:
    """Return whether the string is a valid kind of field."""
    found = _MONEY.fullmatch(kind)
    return kind in (WHOLE, NUMBER, QUANTITY) or (found is not None and found[1] in money.CURRENCIES)


def price_kind(currency: str, decimals: int) -> str:
    """Return the kind of field for a price that may have more decimals than the currency."""
    return f"{currency}-{decimals}"


def parse_field(text: str, kind: str, country: str = "") -> Decimal:
    """Parse a number that a person entered.

    Raise ValueError with a human-readable message if it is not a number, or if it is ambiguous and the country does not
    resolve this.
    """
    if found := _MONEY.fullmatch(kind):
        most = int(found[2]) if found[2] else None
        return money.parse_typed_amount(text, found[1], most, thousands_mark(country))
    if kind == QUANTITY:
        return number_parser.parse_number(text, None, thousands_mark(country), usual_decimals=2)
    return number_parser.parse_number(text, 0 if kind == WHOLE else None)


def format_field(number: Decimal, kind: str) -> str:
    """Format a number for display, such as `€7,800.00` or `1,234.5`."""
    found = _MONEY.fullmatch(kind)
    if found is None:
        return f"{number.normalize():,f}"
    return money.format_exact_amount(number, found[1])


@lru_cache(maxsize=300)
def thousands_mark(country: str) -> str:
    """Return the thousands separator of a country: `.` in Spain and Germany, `,` in the United States.

    Return "" if the country is unknown or its languages use different ones, as in Switzerland and Canada.
    """
    from babel import Locale, UnknownLocaleError  # imported late: most pages never need its tables
    from babel.languages import get_official_languages
    from babel.numbers import get_decimal_symbol, get_group_symbol

    found = set()
    for language in get_official_languages(country, de_facto=True) if country else ():
        try:
            locale = Locale.parse(f"{language}_{country}")
        except (UnknownLocaleError, ValueError):
            continue
        decimal = get_decimal_symbol(locale, numbering_system="latn")
        group = get_group_symbol(locale, numbering_system="latn")
        found.add("." if decimal == "," else "," if group == "," else "")
    return found.pop() if len(found) == 1 else ""


def kind_for_path(path: str, kinds: Mapping[str, str]) -> str:
    """Return the kind of the number at a form's path, ignoring the row numbers in it."""
    return kinds.get(".".join(part for part in path.split(".") if not part.isdigit()), "")
