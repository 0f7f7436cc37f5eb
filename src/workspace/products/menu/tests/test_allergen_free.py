"""Declarations that a dish is free of an allergen: by a tag, or because it was checked. Nothing else is inferred."""

from __future__ import annotations

from typing import Any

import pytest
from django.test import Client

from workspace.products.menu.rules.diets_and_allergens import ALLERGENS, free_allergens
from workspace.products.menu.tests.page_parser import Page
from workspace.publishing.diets import DIETS
from workspace.testing.api import Api
from workspace.testing.samples.menu import make_menu, save_item

SAFE = {"gluten_free": "gluten", "dairy_free": "milk", "nut_free": "nuts"}


@pytest.mark.parametrize("tag", DIETS)
def test_a_tag_declares_only_its_own_allergen(tag: str) -> None:
    assert free_allergens([tag], {}, False) == ([SAFE[tag]] if tag in SAFE else [])


@pytest.mark.parametrize("state", ["contains", "may_contain"])
@pytest.mark.parametrize("tag", SAFE)
def test_a_contradicted_tag_declares_nothing(tag: str, state: str) -> None:
    assert free_allergens([tag], {SAFE[tag]: state}, False) == []


def test_a_tag_with_traces_of_a_related_allergen_declares_nothing() -> None:
    assert free_allergens(["nut_free"], {"peanuts": "may_contain"}, False) == []


def test_a_checked_dish_is_free_of_all_allergens_that_it_does_not_name() -> None:
    by_name = {"milk": "contains", "nuts": "may_contain"}
    assert free_allergens([], by_name, True) == [key for key in ALLERGENS if key not in by_name]
    assert free_allergens(["gluten_free"], by_name, False) == ["gluten"]
    assert free_allergens([], by_name, False) == []


def _page(api: Api, query: str = "") -> Page:
    slug = api.run("svc_menu_list")["items"][0]["slug"]
    return Page(Client().get(f"/m/{slug}{query}").content.decode())


@pytest.fixture
def menu(api: Api) -> str:
    return str(make_menu(api)["menu"]["id"])


@pytest.mark.django_db
def test_guests_are_warned_about_each_dish_until_its_allergens_are_declared(api: Api, menu: str) -> None:
    def warned() -> set[str]:
        result = _page(api, "?avoid=sesame").dishes
        return {name for name, dish in result.items() if "Not declared" in dish["text"]}

    assert len(warned()) == 4
    soup = api.run("svc_menu_items", menu_id=menu)["items"][0]["id"]
    save_item(api, menu, id=soup, allergens_checked=True)
    assert warned() == {"Prawns in garlic", "Margherita", "Catch of the day"}
    assert api.run("svc_menu_edit", menu_id=menu, allergens_checked=True)["unchecked_count"] == 0
    assert warned() == set()
    save_item(api, menu, section="Mains", name="Stew")
    assert warned() == {"Stew"}, "what is added later says nothing of itself"


@pytest.mark.django_db
def test_a_menu_can_be_created_as_checked_with_exceptions(api: Api) -> None:
    dishes = [{"name": "Soup"}, {"name": "Stew", "allergens_checked": False}]
    sections = [{"name": "Food", "items": dishes}]
    made = api.run("svc_menu_create", restaurant_name="Bistro", allergens_checked=True, sections=sections)
    assert [item["allergens_checked"] for item in made["items"]] == [True, False]
    assert made["menu"]["unchecked_count"] == 1


@pytest.mark.django_db
def test_a_checked_dish_is_hidden_if_it_contains_an_avoided_allergen(api: Api, menu: str) -> None:
    api.run("svc_menu_edit", menu_id=menu, allergens_checked=True)
    dishes = _page(api, "?avoid=nuts&avoid=milk").dishes
    assert dishes["Margherita"]["hidden"]
    assert "May contain nuts" in dishes["Tomato soup"]["text"]
    assert "Please ask us" not in dishes["Tomato soup"]["text"]


@pytest.mark.django_db
def test_a_vegan_dish_is_not_assumed_to_be_free_of_milk(api: Api, menu: str) -> None:
    dish = save_item(api, menu, section="Mains", name="Curry", dietary_tags=["vegan", "gluten_free"])
    text = _page(api, "?avoid=milk&avoid=gluten").dishes["Curry"]["text"]
    assert "Not declared: milk. Please ask us." in text
    save_item(api, menu, id=dish["id"], allergens={"gluten": "may_contain"})
    text = _page(api, "?avoid=milk&avoid=gluten").dishes["Curry"]["text"]
    assert "May contain gluten cereals. Not declared: milk." in text


@pytest.mark.django_db
def test_the_page_contains_the_data_for_filtering_by_script(api: Api, menu: str) -> None:
    save_item(api, menu, section="Mains", name="Curry", dietary_tags=["nut_free"])
    save_item(api, menu, section="Mains", name="Rice", allergens_checked=True)
    result = {name: dish.get("data-free") for name, dish in _page(api).dishes.items()}
    assert (result["Curry"], result["Rice"], result["Margherita"]) == ("nuts", "all", None)


@pytest.mark.django_db
def test_a_checked_dish_shows_that_it_was_checked(api: Api, menu: str) -> None:
    save_item(api, menu, section="Mains", name="Rice", allergens_checked=True)
    soup = api.run("svc_menu_items", menu_id=menu)["items"][0]["id"]
    save_item(api, menu, id=soup, allergens_checked=True)
    dishes = _page(api).dishes
    assert "Checked: contains none of the 14 allergens." in dishes["Rice"]["text"]
    assert "Contains celery. May contain nuts. Checked: contains no other allergens." in dishes["Tomato soup"]["text"]
    slug = api.run("svc_menu_list")["items"][0]["slug"]
    sheet = Client().get(f"/m/{slug}/print").content.decode()
    assert sheet.count('aria-label="declared free of ') == 14 + 12
    _, body = api.get("menu/items", menu_id=menu)
    assert "checked: none of the 14 allergens" in body["text"]
    assert "checked: none of the other allergens" in body["text"]


@pytest.mark.django_db
@pytest.mark.parametrize(
    ("tags", "said", "searched"),
    [
        (["vegan"], ["Vegan"], {"vegan", "vegetarian", "pescatarian"}),
        (["vegetarian", "gluten_free"], ["Vegetarian", "Gluten-free"], {"vegetarian", "pescatarian", "gluten_free"}),
        (["pescatarian", "halal"], ["Pescatarian", "Halal"], {"pescatarian", "halal"}),
        (["vegan", "vegetarian"], ["Vegan"], {"vegan", "vegetarian", "pescatarian"}),
    ],
)
def test_a_dish_shows_its_strictest_diets_and_is_found_by_all(
    tags: list[str], said: list[str], searched: set[str], api: Api, menu: str
) -> None:
    save_item(api, menu, section="Mains", name="Curry", dietary_tags=tags)
    dish: dict[str, Any] = _page(api).dishes["Curry"]
    assert dish["text"].removeprefix("Curry | ") == "".join(said)
    assert set(dish["data-diets"].split()) == searched


@pytest.mark.django_db
def test_undeclared_allergens_are_mentioned_once_above_all_dishes(api: Api, menu: str) -> None:
    once, none = "If a dish has no allergen information, please ask us.", "Allergens not declared."
    save_item(api, menu, section="Mains", name="Curry")
    save_item(api, menu, section="Mains", name="Rice")
    page = _page(api)
    in_legend = 1
    assert " ".join(page.text.split()).count(once) == 1 + in_legend and none not in page.text
    assert "declared" not in page.dishes["Curry"]["text"] + page.dishes["Rice"]["text"]
    api.run("svc_menu_edit", menu_id=menu, allergens_checked=True)
    page = _page(api)
    assert " ".join(page.text.split()).count(once) == in_legend and none not in page.text
