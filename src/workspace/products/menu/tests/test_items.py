"""Items: what an update changes and what it leaves alone."""

from __future__ import annotations

from typing import Any

import pytest

from workspace.products.menu.models import Item
from workspace.products.menu.tests.samples import DINNER, make, make_menu
from workspace.testing import Api

pytestmark = pytest.mark.django_db


def row(api: Api, menu_id: str, item_id: str) -> dict[str, Any]:
    [found] = [item for item in api.run("svc_menu_items", menu_id=menu_id)["items"] if item["id"] == item_id]
    return found


@pytest.mark.parametrize(
    "given",
    [
        {"price": 7.25},
        {"sold_out": True},
        {"hidden": True},
        {"name": "Pumpkin soup"},
        {"description": "With seeds"},
        {"description": ""},
        {"price_note": "ask us"},
    ],
)
def test_an_update_changes_only_what_is_given(given: dict[str, Any], api: Api) -> None:
    made = make(api)
    before = row(api, made["menu"], made["item"])
    answer = api.run("svc_menu_update_item", menu_id=made["menu"], item_id=made["item"], **given)
    after = row(api, made["menu"], made["item"])
    assert after == {**before, **given}
    assert {name: answer[name] for name in after} == after


def test_a_whole_menu_is_made_in_one_call(api: Api) -> None:
    made = make_menu(api)
    assert [section["name"] for section in made["sections"]] == ["Starters", "Mains"]
    assert [item["name"] for item in made["items"]] == [
        "Tomato soup",
        "Prawns in garlic",
        "Margherita",
        "Catch of the day",
    ]
    pizza = made["items"][2]
    assert pizza["variants"] == [{"name": "Small", "price": 9.5}, {"name": "Large", "price": 14.0}]
    assert pizza["add_ons"] == [{"name": "Olives", "price": 1.5}]
    assert pizza["allergens"] == {"gluten": "contains", "milk": "contains"}
    assert made["menu"]["item_count"] == made["total"] == 4
    assert made["menu"]["live"] is True


def test_many_sections_are_added_at_the_end_or_not_at_all(api: Api) -> None:
    menu = make_menu(api)["menu"]["id"]
    added = api.run("svc_menu_import", menu_id=menu, sections=DINNER)
    assert len(added["items"]) == 4
    names = [section["name"] for section in api.run("svc_menu_items", menu_id=menu)["sections"]]
    assert names == ["Starters", "Mains", "Starters", "Mains"]
    wrong = [*DINNER, {"name": "Drinks", "items": [{"name": "Wine", "dietary_tags": ["tasty"]}]}]
    body = api.refuse("svc_menu_import", menu_id=menu, sections=wrong)
    assert body["issues"][0]["path"] == "sections.2.items.0.dietary_tags.0"
    assert Item.objects.count() == 8


def test_editing_takes_every_field_and_clears_with_empty_ones(api: Api) -> None:
    made = make(api)
    ids = {"menu_id": made["menu"], "item_id": made["item"]}
    whole = {
        "name": "Gazpacho",
        "description": "Cold",
        "price": 8.0,
        "price_note": "",
        "dietary_tags": ["vegan", "gluten_free"],
        "variants": [{"name": "Cup", "price": 4.0}],
        "add_ons": [{"name": "Bread", "price": 0.0}],
        "hidden": True,
        "sold_out": True,
    }
    answer = api.run("svc_menu_edit_item", **ids, **whole, allergens={"celery": "contains", "milk": "not_declared"})
    assert {key: answer[key] for key in whole} == whole
    assert answer["allergens"] == {"celery": "contains"}
    cleared = api.run(
        "svc_menu_edit_item", **ids, price="", dietary_tags=[], allergens={}, variants=[], add_ons=[], description=""
    )
    assert (cleared["price"], cleared["dietary_tags"], cleared["allergens"]) == (None, [], {})
    assert (cleared["variants"], cleared["add_ons"], cleared["description"]) == ([], [], "")


@pytest.mark.parametrize(
    ("given", "path"),
    [
        ({"allergens": {"gluten": "perhaps"}}, "allergens.gluten"),
        ({"allergens": {"pork": "contains"}}, "allergens"),
        ({"dietary_tags": ["keto"]}, "dietary_tags.0"),
        ({"variants": [{"name": "", "price": 1}]}, "variants.0.name"),
        ({"add_ons": [{"name": "x"}]}, "add_ons.0.price"),
        ({"photo_id": "upl_nothing"}, "photo_id"),
        ({"sold_out_until": "yesterday"}, "sold_out_until"),
        ({"sold_out_until": "2001-01-01T00:00Z"}, "sold_out_until"),
        ({"sold_out": False, "sold_out_until": "2037-01-01T00:00Z"}, "sold_out_until"),
        ({"name": ""}, "name"),
        ({"price_note": "x" * 61}, "price_note"),
    ],
)
def test_a_wrong_value_is_named_at_its_path(given: dict[str, Any], path: str, api: Api) -> None:
    made = make(api)
    before = row(api, made["menu"], made["item"])
    body = api.refuse("svc_menu_edit_item", menu_id=made["menu"], item_id=made["item"], **given)
    assert (body["error"], body["issues"][0]["path"]) == ("invalid_input", path)
    assert row(api, made["menu"], made["item"]) == before


def test_items_and_sections_are_put_in_order_and_moved(api: Api) -> None:
    made = make(api)
    menu = made["menu"]
    api.run("svc_menu_order_sections", menu_id=menu, section_ids=[made["other_section"], made["section"]])
    api.run(
        "svc_menu_order_items",
        menu_id=menu,
        section_id=made["section"],
        item_ids=[made["other_item"], made["item"]],
    )

    def names() -> list[str]:
        return [item["name"] for item in api.run("svc_menu_items", menu_id=menu)["items"]]

    assert names() == ["Margherita", "Catch of the day", "Prawns in garlic", "Tomato soup"]
    move = {"menu_id": menu, "item_id": made["item"]}
    api.run("svc_menu_move_item", **move, section_id=made["other_section"], position=2)
    assert names() == ["Margherita", "Tomato soup", "Catch of the day", "Prawns in garlic"]
    api.run("svc_menu_move_item", **move, section_id=made["other_section"])
    assert names() == ["Margherita", "Catch of the day", "Tomato soup", "Prawns in garlic"]


@pytest.mark.parametrize("ids", [[], ["one"], ["both", "both"], ["one", "one"]])
def test_an_order_names_everything_once(ids: list[str], api: Api) -> None:
    made = make(api)
    known = {"one": made["section"], "both": made["other_section"]}
    body = api.refuse("svc_menu_order_sections", menu_id=made["menu"], section_ids=[known[id] for id in ids])
    assert body["issues"][0]["path"] == "section_ids"


def test_an_item_of_another_menu_is_not_found(api: Api) -> None:
    made, other = make(api), make_menu(api, 2)
    body = api.refuse("svc_menu_update_item", menu_id=other["menu"]["id"], item_id=made["item"], price=1)
    assert body["error"] == "not_found"


def test_deleting_takes_what_is_inside_along(api: Api) -> None:
    made = make(api)
    api.run("svc_menu_delete_section", menu_id=made["menu"], section_id=made["section"])
    assert Item.objects.count() == 2
    api.run("svc_menu_delete_menu", menu_id=made["menu"])
    assert (Item.objects.count(), api.run("svc_menu_list")["total"]) == (0, 0)
