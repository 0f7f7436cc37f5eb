"""Prices of a menu: plain numbers in the API, minor units of its currency in the database."""

from __future__ import annotations

from typing import Any

import pytest

from workspace.products.menu.models import Item
from workspace.testing.api import Api
from workspace.testing.samples.menu import make_menu, save_item

pytestmark = pytest.mark.django_db


@pytest.mark.parametrize(
    ("sent", "minor"),
    [
        (12.5, 1250),
        (0, 0),
        (7, 700),
        (0.1, 10),
        (19.99, 1999),
        (1.1, 110),
        (9_999_999.99, 999_999_999),
        ("12.50", 1250),
    ],
)
def test_a_price_is_stored_to_the_cent(sent: float | str, minor: int, api: Api) -> None:
    item = make_menu(api)["items"][0]
    menu = api.run("svc_menu_list")["items"][0]["id"]
    answer = api.run("svc_menu_update_item", menu_id=menu, item_id=item["id"], price=sent)
    assert answer["price"] == float(sent)
    assert Item.objects.get(pk=item["id"]).price_minor == minor


@pytest.mark.parametrize(
    "price", [12.345, 0.001, -1, -0.01, 10_000_000, 1e300, 10**12, 1e-9, True, "12,50", "1 200", [], {}, "twelve"]
)
def test_an_invalid_price_is_refused_at_its_path(price: Any, api: Api) -> None:
    made = make_menu(api)
    item = made["items"][0]
    menu = made["menu"]["id"]
    for path, body in (
        ("price", api.refuse("svc_menu_update_item", menu_id=menu, item_id=item["id"], price=price)),
        ("items.0.price", api.refuse("svc_menu_save_items", menu_id=menu, items=[{"id": item["id"], "price": price}])),
    ):
        assert body["error"] == "invalid_input"
        assert [issue["path"] for issue in body["issues"]] == [path]
    assert Item.objects.get(pk=item["id"]).price_minor == 650


def test_an_invalid_price_in_a_list_is_reported_at_its_path(api: Api) -> None:
    sections = [{"name": "A", "items": [{"name": "x", "price": 1}, {"name": "y", "price": 1.234}]}]
    body = api.refuse("svc_menu_create", restaurant_name="Bistro", sections=sections)
    assert [issue["path"] for issue in body["issues"]] == ["sections.0.items.1.price"]
    assert api.run("svc_menu_list")["total"] == 0


def test_a_currency_without_decimals_accepts_only_whole_numbers(api: Api) -> None:
    menu = api.run("svc_menu_create", restaurant_name="Sushi", currency="jpy")["menu"]
    assert menu["currency"] == "JPY"
    tuna = {"section": "Nigiri", "name": "Tuna", "price": 450.5}
    body = api.refuse("svc_menu_save_items", menu_id=menu["id"], items=[tuna])
    assert body["issues"][0]["path"] == "items.0.price"
    item = save_item(api, menu["id"], section="Nigiri", name="Tuna", price=450)
    variants = [{"name": "A", "price": 1}, {"name": "B", "price": 1.5}]
    body = api.refuse("svc_menu_save_items", menu_id=menu["id"], items=[{"id": item["id"], "variants": variants}])
    assert body["issues"][0]["path"] == "items.0.variants.1.price"


def test_a_menu_with_decimals_cannot_change_to_yen(api: Api) -> None:
    menu = make_menu(api)["menu"]["id"]
    assert api.refuse("svc_menu_edit", menu_id=menu, currency="JPY")["issues"][0]["path"] == "currency"
    assert api.run("svc_menu_edit", menu_id=menu, currency="eur")["currency"] == "EUR"


@pytest.mark.parametrize("currency", ["", "EU", "EURO", "XXX", "€", "dollars"])
def test_an_unknown_currency_is_refused(currency: str, api: Api) -> None:
    body = api.refuse("svc_menu_create", restaurant_name="Bistro", currency=currency)
    assert body["issues"][0]["path"] == "currency"


def test_a_menu_in_dinars_has_prices_with_three_decimals(api: Api) -> None:
    menu = api.run("svc_menu_create", restaurant_name="Diwaniya", currency="kwd")["menu"]["id"]
    pot = [{"name": "Pot", "price": "2.755"}]
    item = save_item(api, menu, section="Coffee", name="Gahwa", price=1.25, variants=pot)
    assert (item["price"], item["variants"]) == (1.25, [{"name": "Pot", "price": 2.755}])
    assert Item.objects.get(pk=item["id"]).price_minor == 1250
    body = api.refuse("svc_menu_update_item", menu_id=menu, item_id=item["id"], price=1.2345)
    assert body["issues"][0]["path"] == "price" and "3 decimals" in body["issues"][0]["message"]
    call = {"name": "svc_menu_update_item", "arguments": {"menu_id": menu, "item_id": item["id"], "price": "1.250"}}
    assert "KWD\u00a01.250" in api.post("call", call)[1]["text"]


def test_changing_the_currency_preserves_the_numbers(api: Api) -> None:
    made = make_menu(api)
    menu, item = made["menu"]["id"], made["items"][0]["id"]
    for currency, minor in (("KWD", 6500), ("EUR", 650)):
        api.run("svc_menu_edit", menu_id=menu, currency=currency)
        assert Item.objects.get(pk=item).price_minor == minor
        assert api.run("svc_menu_items", menu_id=menu)["items"][0]["price"] == 6.5
    body = api.refuse("svc_menu_edit", menu_id=menu, currency="JPY")
    assert body["issues"][0]["path"] == "currency" and Item.objects.get(pk=item).price_minor == 650
