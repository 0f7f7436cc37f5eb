"""A menu uses the brand's style until its owner chooses a theme."""

from __future__ import annotations

import pytest
from django.test import Client

from workspace.brand.models import Brand
from workspace.products.menu.rules.theme import THEME_COLORS
from workspace.testing.api import Api
from workspace.testing.samples.menu import make_menu

pytestmark = pytest.mark.django_db


def sheet(menu: dict[str, str]) -> str:
    return Client().get(f"/m/{menu['slug']}").content.decode().partition('data-sheet="/styles/')[2].partition('"')[0]


def test_the_brand_style_is_used_and_a_chosen_theme_is_preserved(api: Api) -> None:
    menu = make_menu(api)["menu"]
    assert menu["theme"] == "brand"
    api.run("svc_brand_edit", colors=["#8a1538"], corners="round")
    assert sheet(menu).startswith("8a1538-own-system-round.")
    api.run("svc_menu_edit", menu_id=menu["id"], theme="olive")
    assert sheet(menu).startswith(f"{THEME_COLORS['olive'][1:]}-own-system-round.")
    api.run("svc_brand_edit", colors=["#1d4ed8"])
    assert sheet(menu).startswith("56631b-")
    api.run("svc_menu_edit", menu_id=menu["id"], theme="brand")
    assert sheet(menu).startswith("1d4ed8-")


def test_the_brands_address_is_used_if_the_menu_has_none(api: Api) -> None:
    menu = make_menu(api)["menu"]
    api.run("svc_brand_edit", address="1 Harbour Street")
    assert Brand.for_account(api.account).address == "1 Harbour Street"
    assert "1 Harbour Street" in Client().get(f"/m/{menu['slug']}").content.decode()
    api.run("svc_menu_edit", menu_id=menu["id"], address="2 Mill Lane")
    page = Client().get(f"/m/{menu['slug']}").content.decode()
    assert "2 Mill Lane" in page and "1 Harbour Street" not in page
