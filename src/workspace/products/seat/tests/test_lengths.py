"""Lengths are parsed as they are shown, in centimeters or in feet."""

from __future__ import annotations

import pytest

from workspace.lib.errors import InvalidInputError
from workspace.products.seat.rules.lengths import format_length, parse_length

pytestmark = pytest.mark.any_database


@pytest.mark.parametrize(
    ("text", "units", "centimetres"),
    [("183", "cm", 183), ("1.83 m", "cm", 183), ("1,83m", "cm", 183), ("6 ft", "ft", 182.88), ("6", "ft", 182.88),
     ("6′ 2″", "ft", 187.96), ("6'2\"", "ft", 187.96), ("72 in", "ft", 182.88)],
)  # fmt: skip
def test_a_length_is_parsed(text: str, units: str, centimetres: float) -> None:
    result = parse_length(text, units, "width")
    assert result == pytest.approx(centimetres)
    assert parse_length(format_length(result, units), units, "width") == pytest.approx(result, abs=1.3)


@pytest.mark.parametrize(("text", "units"), [("", "cm"), ("wide", "cm"), ("-5", "cm"), ("", "ft"), ("six", "ft")])
def test_an_invalid_length_is_refused(text: str, units: str) -> None:
    with pytest.raises(InvalidInputError):
        parse_length(text, units, "width")
