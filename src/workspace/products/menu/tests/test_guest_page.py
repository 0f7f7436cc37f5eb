"""The guest page: filters, structured data, the print page, the QR code, and hostile requests."""

from __future__ import annotations

import re
from typing import Any

import pytest
import zxingcpp
from django.test import Client
from jsonschema import Draft202012Validator

from workspace.products.menu.rules.diets_and_allergens import ALLERGENS
from workspace.products.menu.tests.page_parser import Page
from workspace.publishing import live_blocks
from workspace.testing.api import Api, make_account, make_api
from workspace.testing.code_readers import to_gray_pixels
from workspace.testing.samples.menu import make_menu, save_item

pytestmark = pytest.mark.django_db
GUEST = Client()


@pytest.fixture
def slug(api: Api) -> str:
    return str(make_menu(api)["menu"]["slug"])


def page(slug: str, query: str = "") -> Page:
    response = GUEST.get(f"/m/{slug}{query}")
    assert response.status_code == 200
    return Page(response.content.decode())


def visible_dishes(page: Page) -> set[str]:
    return {name for name, dish in page.dishes.items() if not dish["hidden"]}


def test_without_scripts_the_filter_is_a_plain_form(slug: str) -> None:
    assert visible_dishes(page(slug)) == {"Tomato soup", "Prawns in garlic", "Margherita", "Catch of the day"}
    assert visible_dishes(page(slug, "?diet=vegetarian")) == {"Tomato soup", "Margherita"}
    assert visible_dishes(page(slug, "?diet=vegan")) == {"Tomato soup"}
    assert visible_dishes(page(slug, "?avoid=milk")) == {"Tomato soup", "Prawns in garlic", "Catch of the day"}
    assert visible_dishes(page(slug, "?avoid=milk&avoid=fish&diet=vegetarian")) == {"Tomato soup"}


@pytest.mark.parametrize("allergen", ALLERGENS)
def test_a_filter_never_shows_an_undeclared_dish_as_safe(allergen: str, slug: str) -> None:
    result = page(slug, f"?avoid={allergen}")
    for name in visible_dishes(result):
        dish = result.dishes[name]
        assert allergen not in dish["data-contains"].split()
        expected = "May contain" if allergen in dish["data-may"].split() else "Not declared"
        assert expected in dish["text"], name
    assert "can’t guarantee" in result.text
    assert "safe" not in result.text.lower() and "free from" not in result.text.lower()


def test_unknown_filter_values_are_ignored(slug: str) -> None:
    for query in (
        "?avoid=",
        "?avoid=pork&diet=<script>",
        "?diet=%00",
        "?avoid=" + "x" * 3000,
        "?" + "avoid=milk&" * 200,
    ):
        assert GUEST.get(f"/m/{slug}{query}").status_code == 200


def test_a_contradicted_tag_is_not_shown(api: Api) -> None:
    item = {"name": "Cake", "dietary_tags": ["vegan"], "allergens": {"milk": "contains"}}
    sections = [{"name": "Cakes", "items": [item]}]
    menu = api.run("svc_menu_create", restaurant_name="Bistro", sections=sections)["menu"]
    result = page(menu["slug"])
    assert "Vegan" not in result.text
    assert "suitableForDiet" not in str(result.json_ld)
    assert visible_dishes(page(menu["slug"], "?diet=vegan")) == set()


THING = {"type": "object", "required": ["@type", "name"]}
OFFER = {
    "type": "object",
    "required": ["@type", "price", "priceCurrency"],
    "properties": {
        "@type": {"const": "Offer"},
        "price": {"type": "string", "pattern": r"^\d+(\.\d\d)?$"},
        "priceCurrency": {"type": "string", "pattern": "^[A-Z]{3}$"},
        "availability": {"enum": ["https://schema.org/InStock", "https://schema.org/SoldOut"]},
        "name": {"type": "string"},
    },
    "additionalProperties": False,
}
DIETS = "Diabetic GlutenFree Halal Hindu Kosher LowCalorie LowFat LowLactose LowSalt Vegan Vegetarian"
ITEM = {
    **THING,
    "properties": {
        "@type": {"const": "MenuItem"},
        "name": {"type": "string", "minLength": 1},
        "description": {"type": "string", "minLength": 1},
        "image": {"type": "string", "format": "uri"},
        "suitableForDiet": {
            "type": "array",
            "items": {"enum": [f"https://schema.org/{name}Diet" for name in DIETS.split()]},
        },
        "offers": {"anyOf": [OFFER, {"type": "array", "minItems": 1, "items": OFFER}]},
        "menuAddOn": {"type": "array", "minItems": 1, "items": {**THING}},
    },
    "additionalProperties": False,
}
# based on the pages of schema.org: Restaurant, Menu, MenuSection, MenuItem, Offer, RestrictedDiet
RESTAURANT = {
    **THING,
    "required": ["@context", "@type", "name", "hasMenu"],
    "properties": {
        "@context": {"const": "https://schema.org"},
        "@type": {"const": "Restaurant"},
        "hasMenu": {
            **THING,
            "properties": {
                "@type": {"const": "Menu"},
                "url": {"type": "string", "pattern": "^https?://"},
                "hasMenuSection": {
                    "type": "array",
                    "items": {
                        **THING,
                        "properties": {
                            "@type": {"const": "MenuSection"},
                            "hasMenuItem": {"type": "array", "items": ITEM},
                        },
                    },
                },
            },
        },
    },
}


def items(json_ld: Any) -> dict[str, Any]:
    return {item["name"]: item for section in json_ld["hasMenu"]["hasMenuSection"] for item in section["hasMenuItem"]}


def test_structured_data_describes_a_restaurant_with_its_menu(slug: str) -> None:
    json_ld = page(slug).json_ld
    Draft202012Validator(RESTAURANT).validate(json_ld)
    assert [section["name"] for section in json_ld["hasMenu"]["hasMenuSection"]] == ["Starters", "Mains"]
    result = items(json_ld)
    assert result["Tomato soup"]["offers"][0]["price"] == "6.50"
    assert set(result["Tomato soup"]["suitableForDiet"]) == {
        "https://schema.org/VeganDiet",
        "https://schema.org/VegetarianDiet",
    }
    assert [offer["price"] for offer in result["Margherita"]["offers"]] == ["11.90", "9.50", "14.00"]
    assert result["Margherita"]["menuAddOn"][0]["offers"]["price"] == "1.50"


def test_a_price_note_removes_the_price_from_the_structured_data(api: Api) -> None:
    made = make_menu(api)
    ids = {"menu_id": made["menu"]["id"], "item_id": made["items"][2]["id"]}
    api.run("svc_menu_update_item", **ids, price=11.9, price_note="ask the chef")
    result = page(made["menu"]["slug"])
    assert "offers" not in items(result.json_ld)["Margherita"]
    assert "offers" not in items(result.json_ld)["Catch of the day"]
    assert "ask the chef" in result.dishes["Margherita"]["text"]
    assert "11.90" not in result.text and "9.50" not in result.text


def test_hidden_and_sold_out_dishes_in_the_structured_data(api: Api) -> None:
    made = make_menu(api)
    first, second = [{"menu_id": made["menu"]["id"], "item_id": item["id"]} for item in made["items"][:2]]
    api.run("svc_menu_update_item", **first, hidden=True)
    api.run("svc_menu_update_item", **second, sold_out=True)
    result = items(page(made["menu"]["slug"]).json_ld)
    assert "Tomato soup" not in result
    assert result["Prawns in garlic"]["offers"][0]["availability"] == "https://schema.org/SoldOut"


def test_html_in_an_owners_texts_is_escaped(api: Api) -> None:
    evil = "</script><script>alert(1)</script><!-- & \u00a0"
    sections = [{"name": evil, "items": [{"name": evil, "description": evil, "price_note": evil[:50]}]}]
    made = api.run("svc_menu_create", restaurant_name=evil, intro=evil, address=evil, sections=sections)
    html = GUEST.get(f"/m/{made['menu']['slug']}").content.decode()
    assert "<script>alert" not in html
    assert items(Page(html).json_ld).keys() == {evil.strip()}
    assert "<script>alert" not in GUEST.get(f"/m/{made['menu']['slug']}/print").content.decode()


def test_the_print_page_contains_the_allergen_matrix_with_a_legend(slug: str) -> None:
    html = GUEST.get(f"/m/{slug}/print").content.decode()
    assert html.count('aria-label="contains ') == 5
    assert html.count('aria-label="may contain ') == 1
    assert html.count(">not declared<") == 4 * 14 - 6
    for allergen in ALLERGENS.values():
        assert allergen.legend in html


@pytest.mark.parametrize("case", [str.lower, str.upper])
def test_the_qr_code_of_a_menu_opens_it(case: Any, slug: str, settings: Any) -> None:
    response = GUEST.get(f"/m/{case(slug)}.png?size=512")
    assert response["Content-Type"] == "image/png"
    [code] = zxingcpp.read_barcodes(to_gray_pixels(response.content))
    assert code.text == f"{settings.BASE_URL}/m/{slug}".upper()
    assert GUEST.get(code.text.removeprefix(settings.BASE_URL.upper())).status_code == 200
    again = GUEST.get(f"/m/{slug}.svg", headers={"if-none-match": GUEST.get(f"/m/{slug}.svg")["ETag"]})
    assert again.status_code == 304


def test_unknown_addresses_and_methods_are_refused(slug: str) -> None:
    for path in ("/m/nothing", "/m/nothing/print", "/m/nothing.svg", "/m/nothing?avoid=milk", "/m/" + "x" * 51):
        assert GUEST.get(path).status_code == 404
    for path in (f"/m/{slug}", f"/m/{slug}/print", f"/m/{slug}?avoid=milk"):
        assert GUEST.post(path).status_code == 405
        assert GUEST.head(path).status_code == 200


def test_photos_are_shown_if_the_plan_includes_them(api: Api) -> None:
    from workspace.products.menu.tests.test_menus import upload

    sections = [{"name": "x", "items": [{"name": "y", "photo_id": upload(api)}]}]
    menu = api.run("svc_menu_create", restaurant_name="Bistro", logo_id=upload(api), sections=sections)["menu"]
    assert GUEST.get(f"/m/{menu['slug']}").content.count(b'<img class="photo"') == 1
    html = GUEST.get(f"/m/{menu['slug']}").content.decode()
    seen = re.search(r'popovertarget="([^"]+)"', html)
    assert seen is not None and f'id="{seen[1]}" popover' in html, "it opens without script"
    api.account.chosen_plans = {"menu": "free"}
    api.account.save()
    assert b'class="photo"' not in GUEST.get(f"/m/{menu['slug']}").content


def test_an_empty_menu_shows_a_friendly_page(api: Api) -> None:
    menu = api.run("svc_menu_create", restaurant_name="Bistro")["menu"]
    assert "isn’t ready yet" in page(menu["slug"]).text


def test_todays_menu_is_a_live_block_for_other_pages(api: Api) -> None:
    made = make_menu(api)
    glass = [{"name": "Glass", "price": 5}, {"name": "Bottle", "price": 29}]
    save_item(api, made["menu"]["id"], section="Wine", name="Chianti", variants=glass)
    seen: list[str] = []
    live_blocks._listeners.append(lambda account, kind: seen.append(kind))
    try:
        api.run("svc_menu_edit", menu_id=made["menu"]["id"], intro="Since 1974")
    finally:
        live_blocks._listeners.pop()
    assert "menu" in seen
    block = live_blocks.find_block("menu", api.account, made["menu"]["id"])
    assert block is not None
    assert block.lines == (
        "Tomato soup · $6.50",
        "Prawns in garlic · $12.00",
        "Margherita · $11.90",
        "Catch of the day · market price",
        "Chianti · from $5.00",
    )
    assert block.url == made["menu"]["public_url"]
    api.run("svc_menu_edit", menu_id=made["menu"]["id"], live=False)
    assert live_blocks.find_block("menu", api.account, made["menu"]["id"]) is None


def test_a_new_instance_has_a_demo_menu() -> None:
    from workspace.products.menu.hooks.demo import fill_account

    account = make_account(time_zone="Europe/Vienna")
    fill_account(account)
    [row] = make_api(account).run("svc_menu_list")["items"]
    assert row["item_count"] > 15 and row["views"] > 500
    assert make_api(account).run("svc_menu_items", menu_id=row["id"])["warnings"] == []
    Draft202012Validator(RESTAURANT).validate(page(row["slug"]).json_ld)


def test_every_landmark_of_the_print_page_has_a_unique_name(slug: str) -> None:
    html = Client().get(f"/m/{slug}/print").content.decode()
    names = re.findall(r'<(?:section|div|nav)[^>]*? (aria-label(?:ledby)?="[^"]*")', html)
    assert len(names) >= 2 and len(set(names)) == len(names)


def test_the_service_worker_is_in_the_folder_of_the_menus_in_either_case(client: Client) -> None:
    for path in ("/m/sw.js", "/M/sw.js"):
        response = client.get(path)
        assert response.status_code == 200 and response["Content-Type"] == "text/javascript; charset=utf-8"
        assert response["Cache-Control"] == "no-cache" and b"menus-1" in response.content
