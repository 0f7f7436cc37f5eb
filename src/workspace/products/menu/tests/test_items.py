"""Items: the fields that an update changes, and those that it leaves unchanged."""

from __future__ import annotations

from typing import Any

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from workspace.products.menu.models import Item
from workspace.testing.api import Api
from workspace.testing.samples.menu import create_samples, make_menu, save_item

pytestmark = pytest.mark.django_db


def get_row(api: Api, menu_id: str, item_id: str) -> dict[str, Any]:
    [result] = [item for item in api.run("svc_menu_items", menu_id=menu_id)["items"] if item["id"] == item_id]
    return result


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
def test_an_update_changes_only_the_given_fields(given: dict[str, Any], api: Api) -> None:
    made = create_samples(api)
    before = get_row(api, made["menu"], made["item"])
    answer = api.run("svc_menu_update_item", menu_id=made["menu"], item_id=made["item"], **given)
    after = get_row(api, made["menu"], made["item"])
    words = {"price": {"price_text": "$7.25"}, "price_note": {"price_text": "ask us"}}
    assert after == {**before, **given, **words.get(next(iter(given)), {})}
    assert {name: answer[name] for name in after} == after


def test_a_whole_menu_is_created_in_one_call(api: Api) -> None:
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
    assert [section["public_url"] for section in made["sections"]] == [
        f"{made['menu']['public_url']}#{section['id']}" for section in made["sections"]
    ]


def test_several_dishes_are_added_at_the_end_or_not_at_all(api: Api) -> None:
    menu = make_menu(api)["menu"]["id"]
    more = [
        {"section": name, "name": dish} for name, dish in (("Drinks", "Wine"), ("mains", "Stew"), ("Drinks", "Beer"))
    ]
    added = api.run("svc_menu_save_items", menu_id=menu, items=more)
    assert (added["added"], [item["section"] for item in added["items"]]) == (3, ["Drinks", "Mains", "Drinks"])
    result = api.run("svc_menu_items", menu_id=menu)
    assert [section["name"] for section in result["sections"]] == ["Starters", "Mains", "Drinks"]
    assert [item["name"] for item in result["items"]][-3:] == ["Stew", "Wine", "Beer"]
    wrong = [*more, {"section": "Sweets", "name": "Cake", "dietary_tags": ["tasty"]}]
    body = api.refuse("svc_menu_save_items", menu_id=menu, items=wrong)
    assert body["issues"][0]["path"] == "items.3.dietary_tags.0"
    assert Item.objects.count() == 7


def test_saving_accepts_every_field_and_clears_empty_ones(api: Api) -> None:
    made = create_samples(api)
    whole = {
        "name": "Gazpacho",
        "description": "Cold",
        "price": 8.0,
        "price_from": True,
        "price_note": "",
        "dietary_tags": ["vegan", "gluten_free"],
        "variants": [{"name": "Cup", "price": 4.0}],
        "add_ons": [{"name": "Bread", "price": 0.0}],
        "allergens_checked": True,
        "hidden": True,
        "sold_out": True,
    }
    data = {"celery": "contains", "milk": "not_declared"}
    answer = save_item(api, made["menu"], id=made["item"], **whole, allergens=data)
    assert {key: answer[key] for key in whole} == whole
    assert answer["allergens"] == {"celery": "contains"}
    nothing = {"price": "", "dietary_tags": [], "allergens": {}, "variants": [], "add_ons": [], "description": ""}
    cleared = save_item(api, made["menu"], id=made["item"], **nothing)
    assert {name: cleared[name] for name in nothing} == {**nothing, "price": None}


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
        ({"prise": 4}, "prise"),
        ({"section_id": "sec_nothing"}, "section_id"),
        ({"section_id": "sec_nothing", "section": "Mains"}, "section"),
        ({"id": "item_nothing"}, "id"),
    ],
)
def test_an_invalid_value_is_reported_at_its_path(given: dict[str, Any], path: str, api: Api) -> None:
    made = create_samples(api)
    before = get_row(api, made["menu"], made["item"])
    items = [{"section": "New", "name": "Bread"}, {"id": made["item"], **given}]
    body = api.refuse("svc_menu_save_items", menu_id=made["menu"], items=items)
    assert (body["error"], body["issues"][0]["path"]) == ("invalid_input", f"items.1.{path}")
    assert get_row(api, made["menu"], made["item"]) == before
    assert Item.objects.count() == 4


def test_all_errors_are_reported_together(api: Api) -> None:
    made = create_samples(api)
    items = [
        {"name": "Bread"},
        {"section": "New", "price": 1.234},
        {"id": made["item"], "variants": [{"name": "A", "price": 1}, {"name": "B", "price": 0.001}]},
        {"id": made["item"], "price": 4},
    ]
    body = api.refuse("svc_menu_save_items", menu_id=made["menu"], items=items, remove=[made["item"], "item_no"])
    assert {issue["path"] for issue in body["issues"]} == {
        "items.0.section_id",
        "items.1.name",
        "items.1.price",
        "items.2.variants.1.price",
        "items.3.id",
        "remove.0",
        "remove.1",
    }


def test_a_price_in_words_is_refused_with_the_correct_argument(api: Api) -> None:
    made = create_samples(api)
    body = api.refuse("svc_menu_update_item", menu_id=made["menu"], item_id=made["item"], price="from 8")
    assert "price_from" in body["message"]
    assert "price_note" in body["message"]


def test_the_text_contains_the_state_of_a_dish(api: Api) -> None:
    made = create_samples(api)
    ids = {"menu_id": made["menu"], "item_id": made["item"]}
    dish = [{"id": made["item"], "sold_out_until": "2037-01-01T00:00:00Z"}]
    api.run("svc_menu_save_items", menu_id=made["menu"], items=dish)
    _, body = api.post("menu/update/item", {**ids, "hidden": True, "price_note": "ask us"})
    assert "sold out until 2037-01-01T00:00:00Z; hidden" in body["text"]
    assert "“ask us” instead of $6.50" in body["text"]


def test_items_and_sections_are_ordered_and_moved(api: Api) -> None:
    made = create_samples(api)
    menu = made["menu"]
    api.run("svc_menu_save_sections", menu_id=menu, order=[made["other_section"], made["section"]])
    new = {"section_id": made["section"], "name": "Bread"}
    api.run("svc_menu_save_items", menu_id=menu, items=[new], order=[made["other_item"], made["item"]])

    def names() -> list[str]:
        return [item["name"] for item in api.run("svc_menu_items", menu_id=menu)["items"]]

    assert names() == ["Margherita", "Catch of the day", "Prawns in garlic", "Tomato soup", "Bread"]
    moved = save_item(api, menu, id=made["item"], section_id=made["other_section"])
    assert (moved["section_id"], moved["section"]) == (made["other_section"], "Mains")
    assert names() == ["Margherita", "Catch of the day", "Tomato soup", "Prawns in garlic", "Bread"]
    moved = save_item(api, menu, id=made["other_item"], section="Sides")
    assert names()[-1] == "Prawns in garlic" and moved["section"] == "Sides"
    more = [{"section": "Sides", "name": "Fries"}, {"id": made["item"], "section": "Sides"}]
    api.run("svc_menu_save_items", menu_id=menu, items=more)
    assert names()[-3:] == ["Prawns in garlic", "Fries", "Tomato soup"], "what moves stands after what is new"


def test_moved_items_come_after_items_created_in_the_same_step(api: Api) -> None:
    made = create_samples(api)
    bread = {"section_id": made["other_section"], "name": "Bread"}
    moved = {"id": made["item"], "section_id": made["other_section"]}
    api.run("svc_menu_save_items", menu_id=made["menu"], items=[moved, bread])
    result = api.run("svc_menu_items", menu_id=made["menu"])["items"]
    assert [item["name"] for item in result][-4:] == ["Margherita", "Catch of the day", "Bread", "Tomato soup"]


def test_items_of_a_deleted_section_are_not_counted_or_repriced(api: Api) -> None:
    made = create_samples(api)
    api.run("svc_menu_delete", ids=[made["section"]])
    assert api.run("svc_menu_edit", menu_id=made["menu"], intro="Hello")["unchecked_count"] == 2
    names = {row["item"] for row in api.run("svc_menu_change_prices", menu_id=made["menu"], percent=5)["prices"]}
    assert names == {"Margherita"}


@pytest.mark.parametrize("ids", [[], ["one"], ["both", "both"], ["one", "one"]])
def test_an_order_must_contain_every_id_once(ids: list[str], api: Api) -> None:
    made = create_samples(api)
    known = {"one": made["section"], "both": made["other_section"]}
    body = api.refuse("svc_menu_save_sections", menu_id=made["menu"], order=[known[id] for id in ids])
    assert body["issues"][0]["path"] == "order"
    item = api.refuse("svc_menu_save_items", menu_id=made["menu"], order=[made["item"]])
    assert item["issues"][0]["message"] == "List every item of this section once. There are 2."


@pytest.mark.parametrize("tool", ["svc_menu_save_items", "svc_menu_save_sections", "svc_menu_edit"])
def test_an_empty_change_answers_that_nothing_changed(tool: str, api: Api) -> None:
    made = create_samples(api)
    if tool == "svc_menu_edit":
        fields: dict[str, Any] = {"restaurant_name": "Trattoria 0"}
    else:
        assert "items" in api.refuse(tool, menu_id=made["menu"])["message"]
        part = made["item"] if tool == "svc_menu_save_items" else made["section"]
        fields = {"items": [{"id": part, "hidden": False}]}
    _, body = api.post("call", {"name": tool, "arguments": {"menu_id": made["menu"], **fields}})
    assert body["text"].lstrip("*").startswith("No changes")
    assert body["data"]["change"] is None


def test_an_item_of_another_menu_is_not_found(api: Api) -> None:
    made, other = create_samples(api), make_menu(api, 2)["menu"]["id"]
    assert api.refuse("svc_menu_update_item", menu_id=other, item_id=made["item"], price=1)["error"] == "not_found"
    body = api.refuse("svc_menu_save_items", menu_id=other, items=[{"id": made["item"], "price": 1}])
    assert body["issues"][0]["path"] == "items.0.id"


def test_deleting_a_section_deletes_its_items(api: Api) -> None:
    made = create_samples(api)
    _, body = api.post("menu/delete", {"ids": [made["section"]]})
    assert "1 section with 2 items inside" in body["text"]
    result = api.run("svc_menu_items", menu_id=made["menu"])
    assert (result["total"], result["menu"]["item_count"], len(result["sections"])) == (2, 2, 1)
    api.run("svc_menu_delete", ids=[result["items"][0]["id"], made["menu"]])
    assert api.run("svc_menu_list")["total"] == 0


@pytest.mark.parametrize("count", [3, 60])
def test_several_items_are_saved_with_a_few_queries(count: int, api: Api) -> None:
    """Check that sixty items need as many queries as three to create, change, move, order, delete and undo."""
    menu = create_samples(api)["menu"]

    def queries(**arguments: Any) -> int:
        with CaptureQueriesContext(connection) as seen:
            api.run("svc_menu_save_items", menu_id=menu, **arguments)
        return len(seen)

    most = queries(items=[{"section": "Wine", "name": f"Wine {number}", "price": number} for number in range(count)])
    ids = [row["id"] for row in api.run("svc_menu_items", menu_id=menu)["items"] if row["section"] == "Wine"]
    most = max(most, queries(items=[{"id": id, "price": 7.5, "hidden": True} for id in ids]))
    most = max(most, queries(order=ids[::-1]))
    most = max(most, queries(items=[{"id": id, "section": "Cellar"} for id in ids]))
    most = max(most, queries(remove=ids))
    for _ in range(5):
        with CaptureQueriesContext(connection) as seen:
            api.run("svc_undo")
        most = max(most, len(seen))
    assert most < 45, most
    assert api.run("svc_menu_items", menu_id=menu)["total"] == 4
