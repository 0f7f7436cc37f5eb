"""Prices: integer hundredths and a currency inside, plain numbers on the wire, words on the page."""

from __future__ import annotations

from decimal import Decimal, InvalidOperation
from typing import Any

MAX_CENTS = 999_999_999
MOST = "9,999,999.99"
# ISO 4217, currencies in use
_CODES = """
    AED AFN ALL AMD AOA ARS AUD AWG AZN BAM BBD BDT BGN BHD BIF BMD BND BOB BRL BSD BTN BWP BYN BZD CAD CDF CHF CLP
    CNY COP CRC CUP CVE CZK DJF DKK DOP DZD EGP ERN ETB EUR FJD FKP GBP GEL GHS GIP GMD GNF GTQ GYD HKD HNL HTG HUF IDR
    ILS INR IQD IRR ISK JMD JOD JPY KES KGS KHR KMF KPW KRW KWD KYD KZT LAK LBP LKR LRD LSL LYD MAD MDL MGA MKD MMK MNT
    MOP MRU MUR MVR MWK MXN MYR MZN NAD NGN NIO NOK NPR NZD OMR PAB PEN PGK PHP PKR PLN PYG QAR RON RSD RUB RWF SAR SBD
    SCR SDG SEK SGD SHP SLE SOS SRD SSP STN SVC SYP SZL THB TJS TMT TND TOP TRY TTD TWD TZS UAH UGX USD UYU UZS VES VND
    VUV WST XAF XCD XCG XOF XPF YER ZAR ZMW ZWG
"""
_WHOLE = "BIF CLP DJF GNF ISK JPY KMF KRW PYG RWF UGX VND VUV XAF XOF XPF"
CURRENCIES = frozenset(_CODES.split())
WHOLE = frozenset(_WHOLE.split())  # without a smaller unit
SIGNS = {
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


def cents_of(value: Any) -> int:
    """A wire number as hundredths. Raises ValueError, with a text for people, for what is no price."""
    if isinstance(value, bool) or not isinstance(value, (int, float)):
        raise ValueError("Expected a number, such as 12.5")
    try:
        # the shortest text that reads back as this number is what was written
        cents = Decimal(repr(value)) * 100
        if cents != cents.to_integral_value():
            raise ValueError("At most 2 decimals, such as 12.50")
    except (InvalidOperation, OverflowError):
        raise ValueError("Expected a number, such as 12.5") from None
    if cents < 0:
        raise ValueError("At least 0")
    if cents > MAX_CENTS:
        raise ValueError(f"At most {MOST}")
    return int(cents)


def number_of(cents: int | None) -> float | None:
    """Hundredths as a wire number."""
    return None if cents is None else float(Decimal(cents) / 100)


def plain(cents: int, currency: str) -> str:
    """`12.50` or `1200`: digits and a point, as structured data wants it."""
    return f"{Decimal(cents) / 100:.{0 if currency in WHOLE else 2}f}"


def shown(cents: int, currency: str) -> str:
    """`€12.50`, `CHF 12.50`, `¥1,200`: as people read it."""
    number = f"{Decimal(cents) / 100:,.{0 if currency in WHOLE else 2}f}"
    sign = SIGNS.get(currency)
    return f"{sign}{number}" if sign else f"{currency}\u00a0{number}"


def fits(cents: int, currency: str) -> bool:
    """Whether the currency can pay it: yen have no decimals."""
    return currency not in WHOLE or cents % 100 == 0
