"""Money: whole minor units of a currency internally, plain numbers in the API, and formatted text on pages.

The number of decimals is the exponent of ISO 4217: 2 for cents, 3 for fils, 0 for the yen.
"""

from __future__ import annotations

import re
from decimal import Decimal
from typing import Annotated, Any

from pydantic import AfterValidator, BeforeValidator, Field, StringConstraints, WithJsonSchema

from workspace.lib import error_messages, number_parser

MAX_MINOR_UNITS = 999_999_999  # of any currency
# ISO 4217 list one of 2024 (six-group.com/en/products-services/financial-information/data-standards.html),
# currencies in use
_CODES = """
    AED AFN ALL AMD AOA ARS AUD AWG AZN BAM BBD BDT BGN BHD BIF BMD BND BOB BRL BSD BTN BWP BYN BZD CAD CDF CHF CLP
    CNY COP CRC CUP CVE CZK DJF DKK DOP DZD EGP ERN ETB EUR FJD FKP GBP GEL GHS GIP GMD GNF GTQ GYD HKD HNL HTG HUF IDR
    ILS INR IQD IRR ISK JMD JOD JPY KES KGS KHR KMF KPW KRW KWD KYD KZT LAK LBP LKR LRD LSL LYD MAD MDL MGA MKD MMK MNT
    MOP MRU MUR MVR MWK MXN MYR MZN NAD NGN NIO NOK NPR NZD OMR PAB PEN PGK PHP PKR PLN PYG QAR RON RSD RUB RWF SAR SBD
    SCR SDG SEK SGD SHP SLE SOS SRD SSP STN SVC SYP SZL THB TJS TMT TND TOP TRY TTD TWD TZS UAH UGX USD UYU UZS VES VND
    VUV WST XAF XCD XCG XOF XPF YER ZAR ZMW ZWG
"""
_EXPONENTS = {
    0: "BIF CLP DJF GNF ISK JPY KMF KRW PYG RWF UGX VND VUV XAF XOF XPF",
    3: "BHD IQD JOD KWD LYD OMR TND",
}
CURRENCIES = frozenset(_CODES.split())
_DECIMALS = {code: exponent for exponent, codes in _EXPONENTS.items() for code in codes.split()}
CURRENCY_SIGNS = {
    "AUD": "A$",
    "BRL": "R$",
    "CAD": "CA$",
    "CNY": "CN¥",
    "EUR": "€",
    "GBP": "£",
    "HKD": "HK$",
    "ILS": "₪",
    "INR": "₹",
    "JPY": "¥",
    "KRW": "₩",
    "MXN": "MX$",
    "NZD": "NZ$",
    "PHP": "₱",
    "SGD": "S$",
    "TRY": "₺",
    "TWD": "NT$",
    "UAH": "₴",
    "USD": "$",
    "VND": "₫",
}


_KNOWN_SIGNS = frozenset(CURRENCY_SIGNS.values()) | {"£", "$", "¥"}
_WIRE_NUMBER = re.compile(r"[0-9]{1,12}(\.[0-9]{1,6})?", re.ASCII)


def currency_choices() -> list[tuple[str, str]]:
    """Return the choices for a form field, with the most common currencies first."""
    common = ["EUR", "USD", "GBP", "CHF", "CAD", "AUD"]
    rest = sorted(CURRENCIES - set(common))
    return [(code, f"{code} {CURRENCY_SIGNS[code]}" if code in CURRENCY_SIGNS else code) for code in [*common, *rest]]


def currency_decimals(currency: str) -> int:
    return _DECIMALS.get(currency, 2)


def parse_wire_amount(value: Any) -> Decimal:
    """Parse an amount from the API: a number, or decimal text, which avoids rounding by floats.

    Raise ValueError with a human-readable message if it is not an amount, such as text with a comma. User interfaces
    use `parse_to_minor_units` instead.
    """
    if isinstance(value, str):
        if not _WIRE_NUMBER.fullmatch(value):
            raise ValueError(error_messages.NUMBER_EXPECTED(example="12.5"))
        return Decimal(value)
    if isinstance(value, bool) or not isinstance(value, (int, float)):
        raise ValueError(error_messages.NUMBER_EXPECTED(example="12.5"))
    # repr is the shortest text that reads back as this number, so it is what was written
    amount = Decimal(repr(value))
    if not amount.is_finite():
        raise ValueError(error_messages.NUMBER_EXPECTED(example="12.5"))
    if amount < 0:
        raise ValueError(error_messages.NUMBER_NEGATIVE)
    return amount


_SCHEMA = {"type": "number", "minimum": 0, "maximum": MAX_MINOR_UNITS}
# A number in the API and a Decimal in Python. It becomes minor units once the currency is known.
Amount = Annotated[Decimal, BeforeValidator(parse_wire_amount), WithJsonSchema(_SCHEMA)]
ClearableAmount = Annotated[
    Decimal | str,
    BeforeValidator(lambda value: "" if value == "" else parse_wire_amount(value)),
    WithJsonSchema({"anyOf": [_SCHEMA, {"const": ""}]}),
]


def _validate_currency(text: str) -> str:
    code = text.upper()
    if code not in CURRENCIES:
        raise ValueError(error_messages.INVALID_CURRENCY)
    return code


Currency = Annotated[
    str,
    StringConstraints(strip_whitespace=True, max_length=10),
    AfterValidator(_validate_currency),
    Field(description="Currency code (ISO 4217), such as EUR."),
]
CurrencyOrNone = Annotated[
    str,
    StringConstraints(strip_whitespace=True, max_length=10),
    AfterValidator(lambda text: _validate_currency(text) if text else ""),
    Field(description="Currency code (ISO 4217), such as EUR. An empty string removes it."),
]


def to_minor_units(amount: Decimal, currency: str) -> int:
    """Convert an amount to minor units.

    Raise ValueError with a human-readable message if it has too many decimals for the currency or is too large.
    """
    decimals = currency_decimals(currency)
    minor = amount.scaleb(decimals)
    if minor > MAX_MINOR_UNITS:
        raise ValueError(error_messages.NUMBER_TOO_LARGE(most=_format_minor_units(MAX_MINOR_UNITS, decimals, ",")))
    if minor != minor.to_integral_value():
        if decimals == 0:
            raise ValueError(error_messages.CURRENCY_WITHOUT_DECIMALS(currency=currency))
        example = _format_minor_units(1250, decimals)
        raise ValueError(error_messages.CURRENCY_DECIMALS(currency=currency, decimals=decimals, example=example))
    return int(minor)


def to_wire_number(minor: int | None, currency: str) -> float | None:
    """Convert minor units to a number for the API."""
    return None if minor is None else float(Decimal(minor).scaleb(-currency_decimals(currency)))


def format_decimal(minor: int, currency: str) -> str:
    """Format minor units as plain digits for machines and forms, such as `12.50`, `1.250` or `1200`.

    `parse_to_minor_units` parses the result.
    """
    return _format_minor_units(minor, currency_decimals(currency))


def format_amount(minor: int, currency: str) -> str:
    """Format minor units for display, such as `€12.50`, `CHF 12.50` or `¥1,200`."""
    return _add_currency_sign(_format_minor_units(minor, currency_decimals(currency), ","), currency)


def _add_currency_sign(number: str, currency: str) -> str:
    sign = CURRENCY_SIGNS.get(currency)
    return f"{sign}{number}" if sign else f"{currency}\u00a0{number}"


def parse_to_minor_units(text: str, currency: str, thousands: str = "") -> int:
    """Parse an amount that a person entered, such as `12,50`, `€ 1.234,50` or `12.- CHF`, into minor units.

    Raise ValueError with a human-readable message, which asks for clarification if the amount is ambiguous. `thousands`
    is the thousands separator of the person's country (`number_fields.thousands_mark`).
    """
    return to_minor_units(parse_typed_amount(text, currency, None, thousands), currency)


def parse_typed_amount(text: str, currency: str, maximum: int | None = None, thousands: str = "") -> Decimal:
    """Parse an amount that a person entered.

    `maximum` is the maximum number of decimals if it exceeds that of the currency.
    """
    usual = currency_decimals(currency)
    decimals = usual if maximum is None else max(maximum, usual)
    # with three decimals, as in Kuwait, people write normal prices with a point before three digits
    mark = thousands if usual < 3 else ""
    number = _strip_currency_sign(text, currency)
    if other := _find_other_currency(number):
        raise ValueError(error_messages.OTHER_CURRENCY(currency=currency, other=other))
    try:
        amount = number_parser.parse_number(number, decimals, mark, usual)
    except number_parser.AmbiguousNumberError as found:
        readings = " or ".join(
            format_exact_amount(Decimal(one), currency) for one in (found.decimal_reading, found.thousands_reading)
        )
        question = f"Do you mean {readings}? Enter {found.decimal_reading} or {found.thousands_reading}"
        raise number_parser.AmbiguousNumberError(found.decimal_reading, found.thousands_reading, question) from None
    if amount < 0:
        raise ValueError(error_messages.NUMBER_NEGATIVE)
    return amount


def format_exact_amount(amount: Decimal, currency: str) -> str:
    """Format an amount for display with at least as many decimals as the currency has."""
    usual = currency_decimals(currency)
    plain = amount.normalize()
    decimals = max(usual, -int(plain.as_tuple().exponent))
    return _add_currency_sign(f"{plain:,.{decimals}f}", currency)


def relabel_currency(minor: int, before: str, after: str) -> int:
    """Return the same number in another currency: €1.20 becomes $1.20.

    Raise ValueError if that currency has fewer decimals."""
    return to_minor_units(Decimal(minor).scaleb(-currency_decimals(before)), after)


def _strip_currency_sign(text: str, currency: str) -> str:
    """Remove the currency's code or sign from either side of the text.

    The sign of another currency stays, so that the text is rejected.
    """
    sign = CURRENCY_SIGNS.get(currency, currency)
    own = sorted({currency, sign, sign[-1] if not sign[-1].isalpha() else sign}, key=len, reverse=True)
    names = "|".join(map(re.escape, own))
    return re.sub(rf"^\s*(?:{names})\s*|\s*(?:{names})\s*$", "", text[:100], flags=re.IGNORECASE)


def _find_other_currency(text: str) -> str:
    """Return the sign or code of a currency before or after a number, or ""."""
    found = re.fullmatch(r"\s*([^\d.,+\s-]{0,3})\s*[\d.,'\s-]*\d[\d.,'\s-]*?\s*([^\d.,+\s-]{0,3})\s*", text)
    for sign in found.groups() if found else ():
        if sign.upper() in CURRENCIES or sign.upper() in _KNOWN_SIGNS:
            return sign.upper()
    return ""


def _format_minor_units(minor: int, decimals: int, thousands: str = "") -> str:
    return f"{Decimal(minor).scaleb(-decimals):{thousands}.{decimals}f}"
