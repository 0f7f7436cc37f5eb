"""Price lists without food show no allergens or diets until an item declares some."""

from __future__ import annotations

import pytest
from django.test import Client

from workspace.products.menu.tests.page_parser import Page
from workspace.publishing import items, live_blocks
from workspace.testing.api import Api

pytestmark = pytest.mark.django_db
SERVICES = [{"name": "Color", "items": [{"name": "Highlights", "price": 90, "description": "With a cut"}]}]
FOOD = ("llergen", "Diet", "I avoid", "Menu", "menu", "Dish", "dishes that", "Served")


@pytest.fixture
def salon(api: Api) -> Api:
    api.run("svc_account_edit", trade="salon")
    return api


def read_page(path: str) -> Page:
    return Page(Client().get(path, headers={"Accept-Language": "en"}).content.decode())


def test_guests_of_a_salon_see_only_prices_on_the_page_and_in_print(salon: Api) -> None:
    hours = [{"days": ["mon"], "from": "09:00", "until": "18:00"}]
    menu = salon.run("svc_menu_create", restaurant_name="Anna", sections=SERVICES, hours=hours)["menu"]
    assert menu["is_food"] is False
    for path in (f"/m/{menu['slug']}", f"/m/{menu['slug']}/print"):
        page = read_page(path)
        assert [word for word in FOOD if word in page.text] == [], path
        assert "Highlights" in page.text and "Available" in page.text
    page = read_page(f"/m/{menu['slug']}")
    assert page.json_ld["@type"] == "LocalBusiness"
    [section] = page.json_ld["hasOfferCatalog"]["itemListElement"]
    [offer] = section["itemListElement"]
    assert (offer["price"], offer["itemOffered"]["name"]) == ("90.00", "Highlights")
    assert items.get_item(salon.account, menu["id"]).call_to_action == "See our prices"
    block = live_blocks.find_block("menu", salon.account, menu["id"])
    assert block is not None and (block.label, block.heading) == ("View all prices", "Prices: Anna")


def test_the_owners_pages_offer_food_fields_only_if_needed(salon: Api) -> None:
    made = salon.run("svc_menu_create", restaurant_name="Anna", sections=SERVICES)
    home, item = f"/app/menu/{made['menu']['id']}", made["items"][0]["id"]
    owner = Client()
    owner.force_login(salon.account.owner)
    form = owner.get(f"{home}/items/{item}").content.decode()
    assert "<summary><span>Diets and allergens</span></summary>" in form and 'name="allergens.milk"' in form, (
        "a spa may serve tea"
    )
    assert "llergen" not in owner.get(home).content.decode()
    assert "llergen" not in owner.get(f"{home}/share").content.decode()
    salon.run("svc_menu_save_items", menu_id=made["menu"]["id"], items=[{"id": item, "dietary_tags": ["vegan"]}])
    form = owner.get(f"{home}/items/{item}").content.decode()
    assert "Is it food?" not in form and 'name="allergens.milk"' in form
    page = read_page(f"/m/{made['menu']['slug']}")
    assert "I avoid" in page.text and "Allergens not declared" in page.text


@pytest.mark.parametrize("trade", ["", "cafe", "restaurant"])
def test_a_food_business_or_one_without_a_trade_shows_allergens(salon: Api, trade: str) -> None:
    salon.run("svc_account_edit", trade=trade)
    menu = salon.run("svc_menu_create", restaurant_name="Anna", sections=SERVICES)["menu"]
    assert menu["is_food"] is True
    assert "Allergens not declared" in read_page(f"/m/{menu['slug']}").text
