"""Dollars on the wire, integer cents inside, through Decimal."""

from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from workspace.products.menu.models import Item
from workspace.products.menu.money import MAX_CENTS, cents_of, number_of, plain, shown
from workspace.products.menu.tests.samples import make_menu
from workspace.testing import Api

pytestmark = pytest.mark.django_db


@given(st.integers(min_value=0, max_value=MAX_CENTS))
def test_every_price_comes_back_as_it_was_sent(cents: int) -> None:
    sent = json.dumps(number_of(cents))
    assert cents_of(json.loads(sent)) == cents


@pytest.mark.parametrize(
    ("sent", "cents"), [(12.5, 1250), (0, 0), (7, 700), (0.1, 10), (19.99, 1999), (1.1, 110), (9_999_999.99, MAX_CENTS)]
)
def test_a_price_is_kept_to_the_cent(sent: float, cents: int, api: Api) -> None:
    item = make_menu(api)["items"][0]
    menu = api.run("svc_menu_list")["items"][0]["id"]
    answer = api.run("svc_menu_update_item", menu_id=menu, item_id=item["id"], price=sent)
    assert answer["price"] == sent
    assert Item.objects.get(pk=item["id"]).price_cents == cents


@pytest.mark.parametrize(
    "price", [12.345, 0.001, -1, -0.01, 10_000_000, 1e300, 10**12, 1e-9, True, "12", "12.50", [], {}, "twelve"]
)
def test_what_is_no_price_is_refused_at_its_path(price: Any, api: Api) -> None:
    made = make_menu(api)
    item = made["items"][0]
    for tool in ("svc_menu_update_item", "svc_menu_edit_item"):
        body = api.refuse(tool, menu_id=made["menu"]["id"], item_id=item["id"], price=price)
        assert body["error"] == "invalid_input"
        assert [issue["path"] for issue in body["issues"]] == ["price"]
    assert Item.objects.get(pk=item["id"]).price_cents == 650


def test_a_price_among_many_is_named_at_its_place(api: Api) -> None:
    sections = [{"name": "A", "items": [{"name": "x", "price": 1}, {"name": "y", "price": 1.234}]}]
    body = api.refuse("svc_menu_create", restaurant_name="Bistro", sections=sections)
    assert [issue["path"] for issue in body["issues"]] == ["sections.0.items.1.price"]
    assert api.run("svc_menu_list")["total"] == 0


def test_a_currency_without_decimals_takes_whole_numbers(api: Api) -> None:
    menu = api.run("svc_menu_create", restaurant_name="Sushi", currency="jpy")["menu"]
    assert menu["currency"] == "JPY"
    section = api.run("svc_menu_add_section", menu_id=menu["id"], name="Nigiri")["id"]
    body = api.refuse("svc_menu_add_item", menu_id=menu["id"], section_id=section, name="Tuna", price=450.5)
    assert body["issues"][0]["path"] == "price"
    item = api.run("svc_menu_add_item", menu_id=menu["id"], section_id=section, name="Tuna", price=450)
    body = api.refuse(
        "svc_menu_edit_item",
        menu_id=menu["id"],
        item_id=item["id"],
        variants=[{"name": "A", "price": 1}, {"name": "B", "price": 1.5}],
    )
    assert body["issues"][0]["path"] == "variants.1.price"


def test_a_menu_with_decimals_does_not_turn_to_yen(api: Api) -> None:
    menu = make_menu(api)["menu"]["id"]
    assert api.refuse("svc_menu_edit_menu", menu_id=menu, currency="JPY")["issues"][0]["path"] == "currency"
    assert api.run("svc_menu_edit_menu", menu_id=menu, currency="eur")["currency"] == "EUR"


@pytest.mark.parametrize("currency", ["", "EU", "EURO", "XXX", "€", "dollars"])
def test_an_unknown_currency_is_refused(currency: str, api: Api) -> None:
    body = api.refuse("svc_menu_create", restaurant_name="Bistro", currency=currency)
    assert body["issues"][0]["path"] == "currency"


def test_prices_are_written_as_people_read_them() -> None:
    assert shown(1250, "EUR") == "€12.50"
    assert shown(120000, "USD") == "$1,200.00"
    assert shown(45000, "JPY") == "¥450"
    assert shown(990, "CHF") == "CHF\u00a09.90"
    assert (plain(120000, "USD"), plain(45000, "JPY")) == ("1200.00", "450")
