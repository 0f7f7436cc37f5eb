"""Undo of changes to a menu and its content."""

from __future__ import annotations

from datetime import timedelta
from typing import Any

import pytest
from django.test import Client

from workspace.accounts.models import Change, Upload
from workspace.lib import clock
from workspace.products.menu.models import Item, Menu
from workspace.products.menu.tests.test_menus import upload, uses
from workspace.testing.api import Api, make_account, make_api
from workspace.testing.samples.menu import create_samples, make_menu, save_item

pytestmark = pytest.mark.django_db


def now(api: Api, menu: str) -> Any:
    """Return the whole menu without its times of change."""
    result = api.run("svc_menu_items", menu_id=menu)
    return {**result, "menu": {**result["menu"], "updated_at": ""}}


def _acts(made: dict[str, str]) -> list[tuple[str, dict[str, Any]]]:
    menu, item, section = {"menu_id": made["menu"]}, made["item"], made["section"]
    return [
        ("update_item", {**menu, "item_id": item, "price": 1, "name": "Stew", "sold_out": True}),
        ("save_items", {**menu, "items": [{"id": item, "allergens": {}, "variants": [{"name": "A", "price": 2}]}]}),
        ("save_items", {**menu, "items": [{"id": item, "section": "Sides"}, {"section": "Sides", "name": "Bread"}]}),
        ("save_items", {**menu, "remove": [item, made["other_item"]]}),
        ("save_items", {**menu, "order": [made["other_item"], item]}),
        ("save_sections", {**menu, "items": [{"id": section, "name": "Small", "hidden": True}, {"name": "Drinks"}]}),
        ("save_sections", {**menu, "remove": [section]}),
        ("save_sections", {**menu, "order": [made["other_section"], section]}),
        ("change_prices", {**menu, "percent": 5, "round_to": 0.1}),
        ("edit", {**menu, "currency": "KWD", "intro": "Hello"}),
        ("edit", {**menu, "allergens_checked": True, "live": False}),
        ("edit", {**menu, "slug": "da-gino", "expires_at": "2037-01-01T00:00:00Z"}),
        ("delete", {"ids": [item, section]}),
        ("delete", {"ids": [made["menu"]]}),
    ]


@pytest.mark.parametrize("number", range(14))
def test_every_write_can_be_undone_and_redone(number: int, api: Api) -> None:
    made = create_samples(api)
    name, fields = _acts(made)[number]
    before = now(api, made["menu"])
    version = Menu.objects.get().publication.version
    change = api.run(f"svc_menu_{name}", **fields)["change"]["id"]
    after = None if name == "delete" and made["menu"] in fields["ids"] else now(api, made["menu"])
    undone = api.run("svc_undo", change_id=change)["change"]["id"]
    slugs = {"slugs": before["menu"]["slugs"]}
    again = now(api, made["menu"])
    assert {**again, "menu": {**again["menu"], **slugs}} == before
    assert Menu.objects.get().publication.version > version
    api.run("svc_undo", change_id=undone)
    assert (now(api, made["menu"]) if after else api.run("svc_menu_list")["total"]) == (after or 0)


def test_former_values_use_the_menus_currency_and_field_names(api: Api) -> None:
    made = make_menu(api)
    menu, pizza = made["menu"]["id"], made["items"][2]["id"]
    change = api.run("svc_menu_change_prices", menu_id=menu, percent=10, item_ids=[pizza])["change"]
    assert change["before"] == {
        pizza: {"price": 11.9, "variants": [{"name": "Small", "price": 9.5}, {"name": "Large", "price": 14.0}]}
    }
    change = api.run("svc_menu_update_item", menu_id=menu, item_id=pizza, sold_out=True)["change"]
    assert change["before"] == {pizza: {"sold_out": False}}


def test_guests_see_an_undo_on_their_next_load(api: Api) -> None:
    made = make_menu(api)
    path = f"/m/{made['menu']['slug']}"
    api.run("svc_menu_change_prices", menu_id=made["menu"]["id"], amount=1)
    assert "$7.50" in Client().get(path).content.decode()
    api.run("svc_undo")
    assert "$6.50" in Client().get(path).content.decode()


def test_undo_restores_a_photo_with_its_dish(api: Api) -> None:
    menu, photo = make_menu(api)["menu"]["id"], upload(api)
    dish = save_item(api, menu, section="Sweets", name="Cake", photo_id=photo)
    save_item(api, menu, id=dish["id"], photo_id="")
    assert uses(photo) == 0
    api.run("svc_undo")
    api.run("svc_menu_delete", ids=[dish["id"]])
    assert uses(photo) == 1, "what lies in the bin still wears it"
    api.run("svc_undo")
    assert now(api, menu)["items"][-1]["photo_id"] == photo


def test_a_replaced_photo_is_stored_while_it_can_be_restored(api: Api, time_machine: Any) -> None:
    menu, first = make_menu(api)["menu"]["id"], upload(api)
    dish = save_item(api, menu, section="Sweets", name="Cake", photo_id=first)["id"]
    change = api.run("svc_menu_save_items", menu_id=menu, items=[{"id": dish, "photo_id": ""}])["change"]["id"]
    time_machine.move_to(clock.now() + timedelta(days=20))
    assert Upload.delete_expired() == 0
    api.run("svc_undo", change_id=change)
    assert now(api, menu)["items"][-1]["photo_id"] == first
    save_item(api, menu, id=dish, photo_id="")
    time_machine.move_to(clock.now() + timedelta(days=31))
    Change.expire_old()
    assert Upload.delete_expired() == 1


def test_restoring_requires_room_within_the_plans_limits() -> None:
    api = make_api(make_account(menu="free"))
    made = create_samples(api)
    deleted = api.run("svc_menu_delete", ids=[made["section"]])["change"]["id"]
    items = [{"section": "Wine", "name": f"Wine {number}"} for number in range(58)]
    api.run("svc_menu_save_items", menu_id=made["menu"], items=items)
    assert "60 items" in api.refuse("svc_undo", change_id=deleted)["message"]
    assert api.run("svc_menu_items", menu_id=made["menu"])["total"] == 60


def test_a_dish_cannot_be_restored_before_its_deleted_section(api: Api) -> None:
    made = create_samples(api)
    first = api.run("svc_menu_delete", ids=[made["item"]])["change"]["id"]
    second = api.run("svc_menu_delete", ids=[made["section"]])["change"]["id"]
    assert "section" in api.refuse("svc_undo", change_id=first)["message"]
    api.run("svc_undo", change_id=second)
    api.run("svc_undo", change_id=first)
    assert api.run("svc_menu_items", menu_id=made["menu"])["total"] == 4


def test_undoing_the_creation_of_a_menu_leaves_nothing(api: Api) -> None:
    photo = upload(api)
    sections = [{"name": "x", "items": [{"name": "y", "photo_id": photo}]}]
    api.run("svc_menu_create", restaurant_name="Bistro", sections=sections, slug="bistro")
    api.run("svc_undo")
    assert not Menu._base_manager.exists()
    assert not Item._base_manager.exists()
    assert uses(photo) == 0
    assert api.run("svc_menu_create", restaurant_name="Bistro", slug="bistro")["menu"]["slug"] == "bistro"


def test_undoing_the_creation_of_a_menu_edited_since_moves_it_to_the_bin(api: Api) -> None:
    made = api.run("svc_menu_create", restaurant_name="Bistro")
    save_item(make_api(api.account), made["menu"]["id"], section="Soups", name="Minestrone")
    undone = api.run("svc_undo", change_id=made["change"]["id"])["change"]["id"]
    assert api.run("svc_menu_list")["total"] == 0
    api.run("svc_undo", change_id=undone)
    assert api.run("svc_menu_items", menu_id=made["menu"]["id"])["items"][0]["name"] == "Minestrone"
