"""A line of a pasted menu that has a price becomes a separate dish, unless the owner decides otherwise."""

from __future__ import annotations

from typing import Any

import pytest

from workspace.products.menu.domain.importer import table_parser, text_parser
from workspace.products.menu.domain.importer.draft import ABOUT, DISH, LineChoice, apply_choices

EGG = [{"name": "poached egg", "price": "2.00"}]


@pytest.mark.parametrize(
    ("line", "fields"),
    [
        ("Entrecot 300gr 21'90€", {"name": "Entrecot 300gr", "price": "21.90"}),
        ("Müsli … 6,20", {"name": "Müsli", "price": "6.20"}),
        ("Avo smash £9", {"name": "Avo smash", "price": "9.00"}),
        ("Avo smash £9   add poached egg +£2", {"name": "Avo smash", "price": "9.00", "add_ons": EGG}),
        (
            "Pecan pie £5 — may contain peanuts",
            {"name": "Pecan pie", "price": "5.00", "allergens": {"peanuts": "may_contain"}},
        ),
    ],
)
def test_a_dish_is_read_without_a_question(line: str, fields: dict[str, Any]) -> None:
    draft = text_parser.parse_text(f"Mains\nStew 7,50\n{line}\n", "GBP" if "£" in line else "EUR")
    assert draft.unclear == [] and draft.dishes[1].fields == fields


@pytest.mark.parametrize("line", ["Flat white 3.60 | oat +50p", "Latte 3.60 | oat 5% more"])
def test_a_line_with_a_price_is_suggested_as_a_dish(line: str) -> None:
    text = f"Drinks\nTea 2.50\n{line}\n"
    draft = text_parser.parse_text(text, "GBP")
    [unclear_line] = draft.unclear
    assert (unclear_line.number, unclear_line.guess) == (3, DISH)
    name = line.split(" 3.60")[0]
    assert (draft.dishes[1].fields["name"], draft.dishes[1].fields["price"]) == (name, "3.60")
    assert "description" not in draft.dishes[0].fields
    settled = text_parser.parse_text(apply_choices(text, {3: LineChoice(line, line, DISH)}), "GBP")
    assert settled.unclear == [] and settled.dishes[1].fields == draft.dishes[1].fields
    about = text_parser.parse_text(apply_choices(text, {3: LineChoice(line, line, ABOUT)}), "GBP")
    assert about.unclear == [] and about.dishes[0].fields["description"] == line


SIDES = "Mains\nStew 7.50\n\n{heading}\nChips\nwith sea salt\nGreen salad v gf\nTruffle chips 5.00\n\nDrinks\nTea 2\n"


@pytest.mark.parametrize(
    "heading", ["SIDES - all £3.50", "Sides (all 3.50)", "SIDES £3.50 each", "Sides: all at £3.50"]
)
def test_a_price_in_a_sections_heading_applies_to_all_its_dishes(heading: str) -> None:
    draft = text_parser.parse_text(SIDES.format(heading=heading), "GBP")
    assert draft.unclear == []
    data = {dish.fields["name"]: (dish.section.lower(), dish.fields["price"]) for dish in draft.dishes}
    assert data == {
        "Stew": ("mains", "7.50"), "Chips": ("sides", "3.50"), "Green salad": ("sides", "3.50"),
        "Truffle chips": ("sides", "5.00"), "Tea": ("drinks", "2.00"),
    }  # fmt: skip
    chips, salad = draft.dishes[1:3]
    assert chips.fields["description"] == "with sea salt"
    assert salad.fields["dietary_tags"] == ["vegetarian", "gluten_free"]


def test_several_dishes_in_one_line_below_a_common_price_become_a_question() -> None:
    draft = text_parser.parse_text("SIDES - all £3.50\nChips, salad or rice\nGreens\n", "GBP")
    assert [(line.number, line.guess) for line in draft.unclear] == [(2, DISH)]
    assert [dish.fields["price"] for dish in draft.dishes] == ["3.50", "3.50"]


def test_a_dish_with_a_price_for_each_piece_is_not_a_section() -> None:
    draft = text_parser.parse_text("Starters\nOysters 3.50 each\nwith lemon\nSoup 4.50\n", "GBP")
    assert [dish.fields["name"] for dish in draft.dishes] == ["Oysters", "Soup"]


@pytest.mark.parametrize(("country", "prices", "asked"), [("ES", ["7800.00"], 0), ("US", [], 1), ("", [], 1)])
def test_the_country_determines_the_meaning_of_a_point_before_three_digits(
    country: str, prices: list[str], asked: int
) -> None:
    for draft in (
        text_parser.parse_text("Eventos\nBoda completa 7.800\n", "EUR", country),
        table_parser.parse_table("name;price\nBoda completa;7.800\n", "EUR", country=country),
    ):
        assert len([line for line in draft.unclear if "Do you mean" in line.reason]) == asked
        assert [dish.fields["price"] for dish in draft.dishes] == prices


def test_a_price_in_another_currency_is_refused_with_both_currencies_named() -> None:
    [line] = text_parser.parse_text("Mains\nWedding €1200\nStew 7.50\n", "GBP").unclear
    assert line.reason == "Amounts are in GBP, not €. Enter only the number."
