"""Money as plain numbers in the API and minor units internally, converted with Decimal."""

from __future__ import annotations

import json
from decimal import Decimal
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from workspace.lib.money import (
    CURRENCIES,
    MAX_MINOR_UNITS,
    currency_decimals,
    format_amount,
    format_decimal,
    parse_to_minor_units,
    parse_wire_amount,
    relabel_currency,
    to_minor_units,
    to_wire_number,
)

currencies = st.sampled_from(sorted(CURRENCIES))


@given(st.integers(0, MAX_MINOR_UNITS), currencies)
def test_every_amount_survives_a_round_trip_as_number_and_text(minor: int, currency: str) -> None:
    sent = json.loads(json.dumps(to_wire_number(minor, currency)))
    assert to_minor_units(parse_wire_amount(sent), currency) == minor
    assert to_minor_units(parse_wire_amount(format_decimal(minor, currency)), currency) == minor
    assert parse_to_minor_units(format_decimal(minor, currency), currency) == minor
    assert parse_to_minor_units(f"{currency} {format_decimal(minor, currency)}", currency) == minor


@given(st.integers(0, MAX_MINOR_UNITS), currencies)
def test_formatted_amounts_are_parsed_as_the_same_or_reported_as_ambiguous(minor: int, currency: str) -> None:
    try:
        assert parse_to_minor_units(format_amount(minor, currency), currency) == minor
    except ValueError as asked:
        assert "Do you mean" in str(asked)


def test_currencies_have_the_decimals_of_iso_4217() -> None:
    codes = ("EUR", "USD", "JPY", "KRW", "KWD", "BHD", "OMR", "JOD", "TND")
    assert {code: currency_decimals(code) for code in codes} == {
        "EUR": 2, "USD": 2, "JPY": 0, "KRW": 0, "KWD": 3, "BHD": 3, "OMR": 3, "JOD": 3, "TND": 3,
    }  # fmt: skip


@pytest.mark.parametrize(
    ("text", "currency", "minor"),
    [
        ("1,20", "EUR", 120),
        ("€ 1.234,50", "EUR", 123450),
        ("12.- CHF", "CHF", 1200),
        ("chf 12.50", "CHF", 1250),
        ("$5", "USD", 500),
        ("$5", "AUD", 500),
        ("A$5", "AUD", 500),
        ("1.250", "KWD", 1250),
        ("KD 1.250".replace("KD", "KWD"), "KWD", 1250),
        ("1,25", "KWD", 1250),
        ("1,200", "JPY", 1200),
        ("¥1200", "JPY", 1200),
        ("25.000", "VND", 25000),
    ],
)
def test_amounts_are_parsed_in_common_formats(text: str, currency: str, minor: int) -> None:
    assert parse_to_minor_units(text, currency) == minor


@pytest.mark.parametrize(
    ("text", "currency", "words"),
    [
        ("1,234", "EUR", "Do you mean €1.23 or €1,234.00"),
        ("1.234", "EUR", "Do you mean €1.23 or €1,234.00"),
        ("1,250", "TND", "Do you mean TND.1.250 or TND.1,250.000"),
        ("$5", "EUR", r"Amounts are in EUR, not \$"),
        ("5 CHF", "EUR", "Amounts are in EUR, not CHF"),
        ("€1200", "GBP", "Amounts are in GBP, not €"),
        ("12.5", "JPY", "Enter a whole number"),
        ("0,125", "EUR", "Use at most 2 decimals"),
        ("-1", "EUR", "Must be at least 0"),
        ("10000000", "EUR", "Must be at most 9,999,999.99"),
        ("EUR", "EUR", "Enter a number"),
    ],
)
def test_an_invalid_or_ambiguous_amount_is_reported(text: str, currency: str, words: str) -> None:
    with pytest.raises(ValueError, match=words):
        parse_to_minor_units(text, currency)


@pytest.mark.parametrize("value", ["12,50", "1 200", "1e3", "٣", "+5", "-5", ".5", "5.", " 5", "", True, None, [], -1])
def test_tools_accept_only_numbers_and_plain_decimal_text(value: Any) -> None:
    with pytest.raises(ValueError):
        parse_wire_amount(value)
    assert parse_wire_amount("12.50") == parse_wire_amount(12.5) == Decimal("12.5")


def test_too_many_decimals_are_rejected() -> None:
    for amount, currency in (("12.345", "EUR"), ("0.5", "JPY"), ("1.2345", "KWD")):
        with pytest.raises(ValueError, match=currency):
            to_minor_units(Decimal(amount), currency)


def test_a_number_is_relabeled_if_the_other_currency_has_enough_decimals() -> None:
    assert (
        relabel_currency(120, "EUR", "USD"),
        relabel_currency(120, "EUR", "KWD"),
        relabel_currency(1200, "EUR", "JPY"),
    ) == (120, 1200, 12)
    assert relabel_currency(1200, "KWD", "EUR") == 120
    for minor, before, after in ((1250, "EUR", "JPY"), (1255, "KWD", "EUR"), (MAX_MINOR_UNITS, "JPY", "EUR")):
        with pytest.raises(ValueError):
            relabel_currency(minor, before, after)


def test_amounts_are_formatted_for_people() -> None:
    assert format_amount(1250, "EUR") == "€12.50"
    assert format_amount(120000, "USD") == "$1,200.00"
    assert format_amount(450, "JPY") == "¥450"
    assert format_amount(990, "CHF") == "CHF\u00a09.90"
    assert format_amount(1250, "KWD") == "KWD\u00a01.250"
    assert (format_decimal(120000, "USD"), format_decimal(450, "JPY"), format_decimal(1250, "OMR")) == (
        "1200.00",
        "450",
        "1.250",
    )
