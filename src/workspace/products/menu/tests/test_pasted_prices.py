"""A line of a pasted menu that has a price is a dish of its own, unless its owner says otherwise."""

from __future__ import annotations

from typing import Any

import pytest

from workspace.products.menu import brought_text
from workspace.products.menu.brought import ABOUT, DISH, Choice, said

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
def test_a_dish_is_read_outright(line: str, fields: dict[str, Any]) -> None:
    found = brought_text.read(f"Mains\nStew 7,50\n{line}\n", "GBP" if "£" in line else "EUR")
    assert found.unclear == [] and found.dishes[1].fields == fields


@pytest.mark.parametrize("line", ["Flat white 3.60 | oat +50p", "Latte 3.60 | oat 5% more"])
def test_a_line_with_a_price_is_taken_for_a_dish_by_itself(line: str) -> None:
    text = f"Drinks\nTea 2.50\n{line}\n"
    found = brought_text.read(text, "GBP")
    [asked] = found.unclear
    assert (asked.number, asked.guess) == (3, DISH)
    name = line.split(" 3.60")[0]
    assert (found.dishes[1].fields["name"], found.dishes[1].fields["price"]) == (name, "3.60")
    assert "description" not in found.dishes[0].fields
    settled = brought_text.read(said(text, {3: Choice(line, line, DISH)}), "GBP")
    assert settled.unclear == [] and settled.dishes[1].fields == found.dishes[1].fields
    about = brought_text.read(said(text, {3: Choice(line, line, ABOUT)}), "GBP")
    assert about.unclear == [] and about.dishes[0].fields["description"] == line
