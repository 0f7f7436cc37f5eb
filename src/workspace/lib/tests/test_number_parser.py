"""Numbers in all formats are read correctly or reported as ambiguous, and never read as another number."""

from __future__ import annotations

from decimal import Decimal

import pytest
from hypothesis import given
from hypothesis import strategies as st

from workspace.lib.number_parser import parse_number

# thousands and decimal separators of different countries
STYLES = [(",", "."), (".", ","), (" ", ","), ("\u00a0", ","), ("\u202f", ","), ("'", "."), ("’", "."), ("٬", "٫")]
DIGITS = ["0123456789", "٠١٢٣٤٥٦٧٨٩", "۰۱۲۳۴۵۶۷۸۹", "０１２３４５６７８９", "०१२३४५६७८९"]


@pytest.mark.parametrize(
    ("text", "number"),
    [
        ("12", "12"),
        ("1,20", "1.2"),
        ("1.20", "1.2"),
        ("1.234,50", "1234.5"),
        ("1,234.50", "1234.5"),
        ("1 234,50", "1234.5"),
        ("1'234.50", "1234.5"),
        ("1,234,567", "1234567"),
        ("1.234.567", "1234567"),
        ("12,34,567.5", "1234567.5"),
        ("1 234", "1234"),
        (",5", "0.5"),
        ("5,", "5"),
        ("12,-", "12"),
        ("12.–", "12"),
        ("0,5", "0.5"),
        ("1234,5", "1234.5"),
        ("−3,5", "-3.5"),
        ("+7", "7"),
        ("١٬٢٣٤٫٥", "1234.5"),
        ("\u200f١٢٫٥", "12.5"),
        ("１２．５", "12.5"),
        ("12.5000", "12.5"),
    ],
)
def test_every_common_format_is_read(text: str, number: str) -> None:
    assert parse_number(text, 2) == parse_number(f"  {text} ", 3) == parse_number(text) == Decimal(number)


@pytest.mark.parametrize("text", ["1,234", "1.234", "12,345", "999.000"])
def test_an_ambiguous_number_is_rejected_with_a_question(text: str) -> None:
    head, tail = text[:-4], text[-3:]
    with pytest.raises(
        ValueError, match=rf"Do you mean {head}\.{tail[:2]} or {head},{tail}\? Enter {head}\.{tail[:2]} or"
    ):
        parse_number(text, 2)
    assert parse_number(text, 0) == int(head + tail), "whole numbers have no decimals that it could be"


def test_with_three_decimals_a_point_is_decimal_and_a_comma_is_ambiguous() -> None:
    for decimals in (3, 4, None):
        assert parse_number("1.250", decimals) == Decimal("1.25")
        with pytest.raises(ValueError, match=r"Do you mean 1\.250 or 1,250"):
            parse_number("1,250", decimals)
        assert parse_number("0,250", decimals) == Decimal("0.25")
        assert parse_number("1250,125", decimals) == Decimal("1250.125")


@pytest.mark.parametrize(
    "text",
    ["", " ", "-", ".", ",-", "abc", "1e3", "0x10", "½", "²", "1..2", "1,2,3", "1 23", "12 50", "1,23,4", "1.234,5.6",
     "1,234,56", "0,123,456", "d5", "1d5", "1_000", "1-2", "5%", "€5", "9" * 16, "1" * 41],
)  # fmt: skip
def test_an_invalid_number_is_rejected(text: str) -> None:
    for decimals in (0, 2, 3, None):
        with pytest.raises(ValueError):
            parse_number(text, decimals)


def test_too_many_decimals_are_rejected() -> None:
    with pytest.raises(ValueError, match="Enter a whole number"):
        parse_number("1.5", 0)
    with pytest.raises(ValueError, match=r"Use at most 2 decimals, such as 12\.50"):
        parse_number("0,125", 2)


@given(
    st.integers(0, 10**12),
    st.sampled_from([0, 1, 2, 3]),
    st.sampled_from(STYLES),
    st.sampled_from(DIGITS),
    st.booleans(),
    st.booleans(),
)
def test_a_number_in_any_format_is_never_read_as_another(
    minor: int, decimals: int, style: tuple[str, str], digits: str, grouped: bool, negative: bool
) -> None:
    number = Decimal(minor).scaleb(-decimals)
    plain = f"{number:,.{decimals}f}" if grouped else f"{number:.{decimals}f}"
    text = plain.translate({ord(","): style[0], ord("."): style[1]} | {ord(str(n)): digits[n] for n in range(10)})
    try:
        found = parse_number(f"-{text}" if negative else text, decimals)
    except ValueError as asked:
        # only with one separator before the last three digits
        assert "Do you mean" in str(asked) and sum(not char.isdigit() for char in text) == 1
        return
    assert found == (-number if negative else number)


@given(st.text(max_size=60), st.sampled_from([0, 2, 3, None]))
def test_any_text_is_a_number_or_rejected(text: str, decimals: int | None) -> None:
    try:
        found = parse_number(text, decimals)
    except ValueError:
        return
    assert found.is_finite() and any(char.isdigit() for char in text)
    assert decimals is None or found == round(found, decimals)


@given(st.decimals(-(10**9), 10**9, places=6, allow_nan=False))
def test_plain_decimals_are_read_back(number: Decimal) -> None:
    assert parse_number(f"{number:f}") == number
