"""Codes of diets and allergens in pasted menus: after prices, after names, and in legends of all kinds."""

from __future__ import annotations

import pytest
from django.test import Client

from workspace.products.menu.domain.importer import text_parser
from workspace.testing.api import Api
from workspace.testing.samples.menu import make_menu

pytestmark = pytest.mark.django_db

KEY = "Brunch 8am - 3pm    v = vegetarian   gf = gluten free    n = contains nuts\n\n"
NUTS = {"nuts": "contains"}


@pytest.mark.parametrize(
    ("line", "name", "diets", "allergens"),
    [
        ("Chocolate cake £4.75 v gf n", "Chocolate cake", ["vegetarian", "gluten_free"], NUTS),
        ("Chocolate cake £4.75 (v, gf, n)", "Chocolate cake", ["vegetarian", "gluten_free"], NUTS),
        ("Chocolate cake (v, n)  £4.75", "Chocolate cake", ["vegetarian"], NUTS),
        ("French toast & pecans v n  4.75", "French toast & pecans", ["vegetarian"], NUTS),
        ("Pecan pie £4.75 — may contain peanuts", "Pecan pie", None, {"peanuts": "may_contain"}),
        ("Eggs £4.75\n  ham, muffin (egg, milk)", "Eggs", None, {"eggs": "contains", "milk": "contains"}),
    ],
)
def test_codes_after_a_name_or_a_price_are_declared(
    line: str, name: str, diets: list[str] | None, allergens: dict[str, str]
) -> None:
    draft = text_parser.parse_text(f"{KEY}Cakes\n{line}\n", "GBP")
    [dish] = draft.dishes
    assert (dish.fields["name"], dish.fields["price"], draft.unclear) == (name, "4.75", [])
    assert (dish.fields.get("dietary_tags"), dish.fields["allergens"], dish.letters) == (diets, allergens, [])


def test_an_unexplained_code_becomes_a_question() -> None:
    [dish] = text_parser.parse_text("Cakes\nChocolate cake £4.75 v gf n\n", "GBP").dishes
    assert dish.letters == ["N"] and dish.fields["dietary_tags"] == ["vegetarian", "gluten_free"]


@pytest.mark.parametrize("line", ["Trout 100 g 4,90", "Vitamin C 4,90", "Bifana a 4,90", "Menu do dia e 4,90"])
def test_words_of_a_name_are_not_codes(line: str) -> None:
    [dish] = text_parser.parse_text(f"Mains\n{line}\n\nAllergens: A gluten, C eggs, E peanuts, G milk\n", "EUR").dishes
    assert dish.fields == {"name": line.removesuffix(" 4,90"), "price": "4.90"} and dish.letters == []


def test_a_legend_without_separators_is_read() -> None:
    legend = "1 Gluten 2 Crustáceos 3 Huevo 7 Lácteos 8 Frutos de cáscara"
    for text in (f"Alérgenos: {legend}", legend):
        draft = text_parser.parse_text(f"Tapas\nCroquetas 8€ 1,3\nTarta 6,50 3-7-8\n\n{text}\n", "EUR")
        assert [list(dish.fields["allergens"]) for dish in draft.dishes] == [
            ["gluten", "eggs"], ["eggs", "milk", "nuts"]
        ]  # fmt: skip
        assert draft.unclear == []


def test_codes_with_slashes_and_asterisks_are_read() -> None:
    legend = "Allergene: A Gluten, G Milch, H Schalenfrüchte"
    [dish] = text_parser.parse_text(f"Essen\nMüsli & Obst 6,20 (A/G/H) *V*\n\n{legend}\n", "EUR").dishes
    assert dish.fields == {
        "name": "Müsli & Obst", "price": "6.20", "dietary_tags": ["vegetarian"],
        "allergens": {"gluten": "contains", "milk": "contains", "nuts": "contains"},
    }  # fmt: skip


def test_the_preview_distinguishes_traces_from_ingredients(api: Api) -> None:
    owner, menu = Client(), make_menu(api)["menu"]["id"]
    owner.force_login(api.account.owner)
    fields = {"text": "Cakes\n\nPie 5.00 (may contain peanuts)\nTart 5.00 (contains milk)\n", "step": "look"}
    shown = owner.post(f"/app/menu/{menu}/bring", fields).content.decode()
    assert "may contain peanuts" in shown and " contains peanuts" not in shown and "contains milk" in shown


LETTERED = ("Gazpacho V 6,50", "Croquetas 7,00", "Tortilla V 5,50")


def _diets(text: str) -> dict[str, list[str]]:
    draft = text_parser.parse_text(text, "EUR")
    assert draft.unclear == []
    return {dish.fields["name"]: dish.fields.get("dietary_tags", []) for dish in draft.dishes}


def test_a_letter_before_the_price_is_a_diet_if_other_dishes_have_it_too() -> None:
    vegetarian = {"Gazpacho": ["vegetarian"], "Croquetas": [], "Tortilla": ["vegetarian"]}
    assert _diets("\n".join(["Tapas", *LETTERED])) == vegetarian
    assert _diets("\n".join(["Tapas", LETTERED[0], LETTERED[1], "Tortilla 5,50 V"])) == vegetarian


def test_a_letter_before_the_price_is_a_diet_if_the_legend_explains_it() -> None:
    data = _diets("\n".join(["Tapas", *LETTERED[:2], "", "V = vegan, G = gluten"]))
    assert data == {"Gazpacho": ["vegan"], "Croquetas": []}


def test_an_unexplained_letter_remains_part_of_the_name() -> None:
    assert _diets("Tapas\nGazpacho V 6,50\nCroquetas 7,00") == {"Gazpacho V": [], "Croquetas": []}


def test_other_words_on_a_line_of_the_legend_are_reported() -> None:
    text = "Cakes\nBrownie 4.50 (v)\n\nOpen 8am - 3pm   v = vegetarian   gf = gluten free\n"
    draft = text_parser.parse_text(text, "GBP")
    assert draft.warnings == ["Line 4: “Open 8am - 3pm” was skipped because it is part of the legend."]
    assert text_parser.parse_text("Cakes\nPie 4.50 (v)\n\nv = vegetarian, gf = gluten free\n", "GBP").warnings == []


def test_text_that_is_not_saved_is_shown_to_the_owner(api: Api) -> None:
    owner, menu = Client(), make_menu(api)["menu"]["id"]
    owner.force_login(api.account.owner)
    fields = {"text": "Cakes\n\nPie 5.00 (v)\n\nAsk us   v = vegetarian   gf = gluten free\n", "step": "look"}
    shown = owner.post(f"/app/menu/{menu}/bring", fields).content.decode()
    assert "Line 5: “Ask us” was skipped because it is part of the legend." in shown
