"""Prices that people enter: a separator before three digits is read by the country's rules, or the person is asked."""

from __future__ import annotations

from decimal import Decimal

import pytest

from workspace.lib import number_parser
from workspace.lib.number_fields import QUANTITY, format_field, parse_field, price_kind, thousands_mark

PRICE = price_kind("EUR", 4)


@pytest.mark.parametrize(
    ("country", "mark"),
    [("ES", "."), ("DE", "."), ("AT", "."), ("PT", "."), ("FR", "."), ("IT", "."), ("BR", "."), ("AR", "."),
     ("US", ","), ("GB", ","), ("IE", ","), ("MX", ","), ("AU", ","), ("CH", ""), ("CA", ""), ("", ""), ("XX", "")],
)  # fmt: skip
def test_each_country_has_its_thousands_separator(country: str, mark: str) -> None:
    assert thousands_mark(country) == mark


@pytest.mark.parametrize("kind", ["EUR", PRICE, "JPY", QUANTITY])
def test_a_separator_before_three_digits_means_thousands_if_the_country_uses_it(kind: str) -> None:
    for country, text in (("ES", "7.800"), ("DE", "7.800"), ("US", "7,800")):
        assert parse_field(text, kind, country) == 7800


@pytest.mark.parametrize("text", ["€1200", "€ 1.200", "1.200 €", "1.200,00 €", "EUR 1200", "1200 eur", "1 200"])
@pytest.mark.parametrize("kind", ["EUR", PRICE])
def test_a_currency_sign_may_be_on_either_side(text: str, kind: str) -> None:
    assert parse_field(text, kind, "ES") == 1200


@pytest.mark.parametrize(
    ("text", "kind", "country", "question"),
    [
        ("7.800", "EUR", "", "Do you mean €7.80 or €7,800.00? Enter 7.80 or 7800"),
        ("7.800", "EUR", "US", "Do you mean €7.80 or €7,800.00? Enter 7.80 or 7800"),
        ("7,800", "EUR", "ES", "Do you mean €7.80 or €7,800.00? Enter 7.80 or 7800"),
        ("7.800", "EUR", "CH", "Do you mean €7.80 or €7,800.00? Enter 7.80 or 7800"),
        ("7,125", PRICE, "ES", "Do you mean €7.125 or €7,125.00? Enter 7.1250 or 7125"),
        ("7,125", QUANTITY, "ES", "Do you mean 7.1250 or 7,125? Enter 7.1250 or 7125"),
    ],
)
def test_an_ambiguous_number_is_rejected_with_both_readings(text: str, kind: str, country: str, question: str) -> None:
    with pytest.raises(number_parser.AmbiguousNumberError) as asked:
        parse_field(text, kind, country)
    assert str(asked.value) == question
    for answer in question.rsplit("Enter ", 1)[1].split(" or "):
        assert parse_field(answer, kind, country) > 0, "each answer is accepted"


def test_a_currency_with_three_decimals_uses_a_decimal_point() -> None:
    assert parse_field("1.250", "KWD", "ES") == parse_field("1.250", "KWD") == Decimal("1.25")


@pytest.mark.parametrize("country", ["ES", "US", "CH", ""])
@pytest.mark.parametrize("number", ["7.125", "7.8", "7800", "0.125", "1234.567", "7.1254", "12"])
def test_a_forms_number_is_read_back_in_every_country(number: str, country: str) -> None:
    assert parse_field(number_parser.format_for_input(Decimal(number)), PRICE, country) == Decimal(number)
    assert parse_field(number_parser.format_for_input(float(number)), QUANTITY, country) == Decimal(number)


def test_a_price_is_shown_with_its_currency() -> None:
    assert format_field(Decimal(7800), PRICE) == "€7,800.00" and format_field(Decimal("0.0125"), PRICE) == "€0.0125"
    assert format_field(Decimal(1200), "JPY") == "¥1,200" and format_field(Decimal("1234.50"), QUANTITY) == "1,234.5"
