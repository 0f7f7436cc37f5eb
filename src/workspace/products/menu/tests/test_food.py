"""Diets and allergens, and the notes shown to guests: no dish is ever described as safe."""

from __future__ import annotations

import pytest

from workspace.products.menu.public.dietary_filter import DietaryFilter
from workspace.products.menu.rules.diets_and_allergens import ALLERGENS, find_contradictions, join_names, suitable_diets
from workspace.publishing.diets import DIETS
from workspace.testing.api import Api
from workspace.testing.samples.menu import create_samples


def test_the_fourteen_allergens_of_the_regulation_are_defined() -> None:
    regulation = "gluten crustaceans eggs fish peanuts soy milk nuts celery mustard sesame sulphites lupin molluscs"
    assert list(ALLERGENS) == regulation.split()


@pytest.mark.parametrize(
    ("tag", "allergens", "wrong"),
    [
        ("vegan", {"milk": "contains"}, ["milk"]),
        ("vegan", {"milk": "may_contain"}, []),
        ("vegan", {"gluten": "contains"}, []),
        ("vegetarian", {"fish": "contains", "milk": "contains"}, ["fish"]),
        ("gluten_free", {"gluten": "contains"}, ["gluten"]),
        ("gluten_free", {"gluten": "may_contain"}, ["gluten"]),
        ("nut_free", {"peanuts": "may_contain", "nuts": "contains"}, ["peanuts", "nuts"]),
        ("dairy_free", {"milk": "contains"}, ["milk"]),
        ("lactose_free", {"milk": "contains"}, []),
        ("kosher", {"crustaceans": "contains"}, ["crustaceans"]),
        ("halal", {"milk": "contains"}, []),
    ],
)
def test_a_tag_that_contradicts_an_allergen_is_found(tag: str, allergens: dict[str, str], wrong: list[str]) -> None:
    assert find_contradictions([tag], allergens) == ({tag: wrong} if wrong else {})


def test_a_contradicted_tag_and_its_implications_are_hidden_from_guests() -> None:
    assert suitable_diets(["vegan"], {}) == ["vegetarian", "vegan", "pescatarian"]
    assert suitable_diets(["vegan"], {"milk": "contains"}) == []
    assert suitable_diets(["vegan", "vegetarian"], {"milk": "contains"}) == ["vegetarian", "pescatarian"]
    assert suitable_diets([], {}) == []


@pytest.mark.django_db
def test_the_answer_warns_the_owner(api: Api) -> None:
    made = create_samples(api)
    dish = {"id": made["item"], "dietary_tags": ["vegan"], "allergens": {"milk": "contains", "eggs": "may_contain"}}
    status, body = api.post("menu/save/items", {"menu_id": made["menu"], "items": [dish]})
    assert status == 200
    [warning] = body["data"]["items"][0]["warnings"]
    assert warning.startswith("“Tomato soup” is tagged “Vegan”, but its allergens include milk.")
    assert "contains milk" in body["text"]
    assert api.run("svc_menu_items", menu_id=made["menu"])["warnings"] == [warning]


def test_a_dish_that_contains_an_avoided_allergen_is_excluded() -> None:
    verdict = DietaryFilter(avoided_allergens=("milk",)).check_dish([], {"milk": "contains"})
    assert verdict.is_excluded


def test_every_other_dish_has_a_note_about_what_is_uncertain() -> None:
    dietary_filter = DietaryFilter(avoided_allergens=("milk", "nuts", "sesame"))
    verdict = dietary_filter.check_dish([], {"milk": "may_contain"})
    assert not verdict.is_excluded
    assert verdict.note == "May contain milk. Not declared: nuts and sesame. Please ask us."


@pytest.mark.parametrize("allergen", ALLERGENS)
def test_no_dish_is_without_a_note_if_an_undeclared_allergen_is_avoided(allergen: str) -> None:
    others = dict.fromkeys(ALLERGENS, "contains")
    del others[allergen]
    for declared in ({}, others, {allergen: "may_contain"}):
        assert DietaryFilter(avoided_allergens=(allergen,)).check_dish(list(DIETS), declared).note


def test_a_diet_requires_its_tag() -> None:
    dietary_filter = DietaryFilter(diets=("vegetarian",))
    assert dietary_filter.check_dish(["vegetarian"], {}) == dietary_filter.check_dish(["vegetarian", "vegan"], {})
    assert not dietary_filter.check_dish(["vegetarian"], {}).is_excluded
    assert dietary_filter.check_dish([], {}).is_excluded


def test_lists_are_joined_as_in_sentences() -> None:
    assert [join_names(list("abc")[:count]) for count in range(4)] == ["", "a", "a and b", "a, b and c"]
