"""Searching a menu: a plain form, which a script makes faster."""

from __future__ import annotations

import pytest
from django.test import Client

from workspace.products.menu.tests.page_parser import Page
from workspace.testing.api import Api
from workspace.testing.samples.menu import make_menu, save_item

pytestmark = pytest.mark.django_db
GUEST = Client()


def visible_dishes(slug: str, query: str) -> set[str]:
    page = Page(GUEST.get(f"/m/{slug}?{query}").content.decode())
    return {name for name, dish in page.dishes.items() if not dish["hidden"]}


def test_the_search_covers_names_and_descriptions_and_ignores_accents(api: Api) -> None:
    menu = make_menu(api)["menu"]
    save_item(api, menu["id"], name="Crème brûlée", section="Sweets")
    slug = menu["slug"]
    assert visible_dishes(slug, "q=soup") == {"Tomato soup"}
    assert visible_dishes(slug, "q=BASIL+tomato") == {"Tomato soup"}
    assert visible_dishes(slug, "q=creme+brulee") == {"Crème brûlée"}
    assert visible_dishes(slug, "q=prawns&avoid=crustaceans") == set()
    assert len(visible_dishes(slug, "q=+")) == 5


def test_a_search_without_results_shows_a_message(api: Api) -> None:
    slug = make_menu(api)["menu"]["slug"]
    html = GUEST.get(f"/m/{slug}?q=%3Cb%3Ewhale").content.decode()
    assert ">No dishes match your selection.<" in html.replace("\n", "") and 'value="&lt;b&gt;whale"' in html
    assert GUEST.get(f"/m/{slug}?q={'x' * 5000}").status_code == 200


def test_only_a_long_menu_has_a_search_field(api: Api) -> None:
    menu = make_menu(api)["menu"]
    assert 'name="q"' not in GUEST.get(f"/m/{menu['slug']}").content.decode()
    for number in range(4):
        save_item(api, menu["id"], name=f"Cake {number}", section="Sweets")
    assert 'name="q"' in GUEST.get(f"/m/{menu['slug']}").content.decode()
