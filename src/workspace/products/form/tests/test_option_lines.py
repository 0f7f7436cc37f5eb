"""Options as lines of text: pasted options, and which options retain their values."""

from __future__ import annotations

from decimal import Decimal

import pytest

from workspace.dashboard.form_arguments import find_unreadable_numbers
from workspace.products.form.dashboard.option_lines import format_options, parse_options

THERE = [{"label": "Garden", "value": "g", "score": "28"}, {"label": "Grill", "value": "Grill"}]


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("Garden | 28\nGrill", [("Garden", "g", "28"), ("Grill", "Grill", None)]),
        ("Grill\n\n Garden |30 \n", [("Grill", "Grill", None), ("Garden", "g", "30")]),
        # as many as before: an option was renamed in its place
        ("Garden\nBarbecue", [("Garden", "g", None), ("Barbecue", "Grill", None)]),
        ("Garden\nGrill\nFish", [("Garden", "g", None), ("Grill", "Grill", None), ("Fish", None, None)]),
        ("Black | White\nRed", [("Black | White", "g", None), ("Red", "Grill", None)]),
    ],
)
def test_an_option_retains_the_value_that_answers_use(
    text: str, told: list[tuple[str, str | None, str | None]]
) -> None:
    results = parse_options(text, THERE)
    assert [(item["label"], item.get("value"), item.get("score")) for item in results] == told


def test_formatted_options_are_parsed_unchanged() -> None:
    assert parse_options(format_options(THERE), THERE) == [
        {"label": "Garden", "score": "28", "value": "g"},
        {"label": "Grill", "value": "Grill"},
    ]


@pytest.mark.parametrize("text", ["1.200", "1200 €", "€ 1.200", "1.200,00 EUR"])
def test_a_price_is_parsed_in_the_format_of_the_country(text: str) -> None:
    assert parse_options(f"Garden | {text}", country="ES") == [{"label": "Garden", "score": "1200"}]


def test_an_ambiguous_price_is_questioned() -> None:
    [result] = parse_options("Garden | 1.250")
    assert find_unreadable_numbers(result) == {"score": "Do you mean 1.25 or 1,250? Enter 1.25 or 1250"}


def test_a_price_with_three_decimals_is_parsed_unchanged() -> None:
    existing = [{"label": "Liter", "value": "Liter", "score": "1.459"}]
    assert Decimal(parse_options(format_options(existing), existing, "ES")[0]["score"]) == Decimal("1.459")
