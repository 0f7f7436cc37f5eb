"""Menus in several languages are read in the guest's language, field by field, on both request paths."""

from __future__ import annotations

import re
from typing import Any

import pytest
from django.test import Client

from tests.across.fast_path_client import Ahead
from workspace.testing.api import Api

pytestmark = [pytest.mark.django_db, pytest.mark.any_database]
SOUP = {
    "name": "Tomato soup",
    "description": "With basil",
    "price": 6.5,
    "variants": [{"name": "Small", "price": 4, "translations": {"nl": {"name": "Klein"}}}],
    "translations": {
        "nl": {"name": "Tomatensoep", "description": "Met basilicum"},
        "ar": {"name": "حساء الطماطم"},
        "de": {"name": "Tomatensuppe"},
    },
}
STARTERS = {"name": "Starters", "items": [SOUP], "translations": {"nl": {"name": "Voorgerechten"}}}


@pytest.fixture
def menu(api: Api) -> dict[str, Any]:
    made: dict[str, Any] = api.run(
        "svc_menu_create",
        restaurant_name="Bij Gino",
        currency="EUR",
        intro="Welcome",
        languages=["en", "nl", "ar", "de", "fr"],
        translations={"nl": {"intro": "Welkom"}},
        sections=[STARTERS],
    )
    return made


@pytest.fixture(params=["by Django", "ahead of it"])
def guest(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> Client:
    return Client() if request.param == "by Django" else Ahead(monkeypatch)


@pytest.fixture
def owner(api: Api) -> Client:
    client = Client()
    client.force_login(api.account.owner)
    return client


def read_page(guest: Client, path: str, accepts: str = "") -> tuple[str, Any]:
    """Read a page twice, so that the second answer comes from the cache."""
    first, again = (guest.get(path, headers={"accept-language": accepts} if accepts else {}) for _ in range(2))
    assert (first.content, first["ETag"]) == (again.content, again["ETag"])
    assert (first["Content-Language"], first["Vary"]) == (again["Content-Language"], again["Vary"])
    assert "Accept-Language" in first["Vary"]
    return first.content.decode(), again


def test_the_guests_language_is_chosen_among_those_of_the_menu(menu: dict[str, Any], guest: Client) -> None:
    path = f"/m/{menu['menu']['slug']}"
    html, answer = read_page(guest, path, "nl-BE,nl;q=0.9,de;q=0.8")
    # the owner's texts in Dutch, ours in the best language available
    assert '<h3 lang="nl" dir="auto">Tomatensoep</h3>' in html and 'lang="nl" dir="auto">Voorgerechten</h2>' in html
    assert "Welkom" in html and "Klein" in html and "Vorspeise" not in html and "Tomato" not in html
    assert '<html lang="de" dir="ltr">' in html and "Karte durchsuchen" not in html  # a single dish needs no search
    assert "Allergene nicht angegeben" in html or "Allergene" in html
    assert answer["Content-Language"] == "nl"
    # a missing translation falls back and is marked with its language
    html, _ = read_page(guest, path, "de")
    assert '<h3 dir="auto">Tomatensuppe</h3>' in html and '<p class="about" lang="en" dir="auto">With basil</p>' in html
    html, answer = read_page(guest, path, "ar,es;q=0.5")
    assert '<html lang="es" dir="rtl">' in html and '<h3 lang="ar" dir="auto">حساء الطماطم</h3>' in html
    assert answer["Content-Language"] == "ar"
    # a language without translations is not offered, and the original one is the default
    html, answer = read_page(guest, path, "fr,pl")
    assert "Tomato soup" in html and answer["Content-Language"] == "en"
    assert re.findall(r'<a href="\?lang=(\w+)"', html) == ["en", "nl", "ar", "de"]
    if isinstance(guest, Ahead):
        assert guest.answered == 4


def test_a_chosen_language_is_passed_on(menu: dict[str, Any], guest: Client) -> None:
    path = f"/m/{menu['menu']['slug']}"
    html, _ = read_page(guest, f"{path}?lang=nl", "de")
    assert "Tomatensoep" in html and '<html lang="de"' in html and 'aria-current="true">Nederlands</a>' in html
    assert f"{path}/print?lang=nl" in html and 'name="lang" value="nl"' in html and "6,50" in html
    assert "Tomatensoep" in guest.get(f"{path}/print?lang=nl").content.decode()
    # a language of the service but not of the menu: our texts use it, the owner's texts fall back
    html, _ = read_page(guest, f"{path}?lang=es", "nl")
    assert '<html lang="es"' in html and "Tomatensoep" in html
    html, _ = read_page(guest, f"{path}?lang=xx", "de")
    assert "Tomatensuppe" in html and "lang=xx" not in html
    assert "Tomatensoep" in guest.get(f"{path}?lang=nl&q=tomatensoep").content.decode()
    found = guest.get(f"{path}?lang=nl&q=tomato").content.decode()
    assert re.search(r'<li class="dish[^>]*hidden>', found), "the search is in the language that is shown"


def test_a_guest_reads_all_prices_in_the_same_format(api: Api, guest: Client) -> None:
    """The format follows the guest's first language that the page or the menu supports."""
    paths = {}
    for languages in ((), ("en",), ("en", "nl"), ("nl", "en"), ("de",)):
        words = {code: {"name": "Piatto"} for code in languages[1:]}
        dish = {"name": "Dish", "price": 1234.5, "translations": words}
        sections = [{"name": "Food", "items": [dish]}]
        name = "-".join(languages) or "none"
        made = api.run(
            "svc_menu_create", restaurant_name="Bar", currency="EUR", languages=list(languages), sections=sections
        )
        paths[name] = f"/m/{made['menu']['slug']}"
    for accepts, price in (
        ("de-AT,de;q=0.9,en;q=0.8", "1.234,50\xa0€"),
        ("de,nl;q=0.5", "1.234,50\xa0€"),
        ("en-GB", "€1,234.50"),
        ("es", "1.234,50\xa0€"),
    ):
        for name, path in paths.items():
            assert price in read_page(guest, path, accepts)[0], (accepts, name)
    assert "€\xa01.234,50" in read_page(guest, paths["en-nl"], "nl,de;q=0.5")[0]
    assert "€1,234.50" in read_page(guest, f"{paths['en-nl']}?lang=en", "de")[0]


def test_pages_follow_the_languages_of_the_menu_and_the_brand(api: Api, menu: dict[str, Any], guest: Client) -> None:
    id, path = menu["menu"]["id"], f"/m/{menu['menu']['slug']}"
    assert "Tomatensoep" in read_page(guest, path, "nl")[0]
    api.run("svc_menu_edit", menu_id=id, languages=[])
    html, _ = read_page(guest, path, "nl")
    assert "Tomato soup" in html and ">Español</a>" in html
    api.run("svc_brand_edit", languages=["en", "nl"])
    html, _ = read_page(guest, path, "nl")
    assert "Tomatensoep" in html and ">Español</a>" not in html
    # translations into former languages are stored, and can be saved again
    [item] = api.run("svc_menu_items", menu_id=id)["items"]
    assert set(item["translations"]) == {"nl", "ar", "de"}
    api.run("svc_menu_save_items", menu_id=id, items=[{"id": item["id"], "translations": item["translations"]}])


def test_languages_that_the_menu_does_not_have_are_refused_at_their_path(api: Api, menu: dict[str, Any]) -> None:
    id, [item] = menu["menu"]["id"], menu["items"]
    wrong = {"id": item["id"], "translations": {"pl": {"name": "Zupa"}, "en": {"name": "Soup"}}}
    oil = {"name": "Oil", "price": 1, "translations": {"pl": {"name": "Olej"}}}
    bread = {"name": "Bread", "section": "Starters", "add_ons": [oil]}
    refused = api.refuse("svc_menu_save_items", menu_id=id, items=[wrong, bread])
    assert [issue["path"] for issue in refused["issues"]] == [
        "items.0.translations.pl",
        "items.0.translations.en",
        "items.1.add_ons.0.translations.pl",
    ]
    sections = [{"name": "A", "translations": {"nl": {"name": "B"}}}]
    refused = api.refuse("svc_menu_create", restaurant_name="X", sections=sections)
    assert [issue["path"] for issue in refused["issues"]] == ["sections.0.translations.nl"]


def test_an_owner_translates_in_the_forms_and_sees_what_is_missing(
    api: Api, owner: Client, menu: dict[str, Any]
) -> None:
    id, [item], [section] = menu["menu"]["id"], menu["items"], menu["sections"]
    page = owner.get(f"/app/menu/{id}").content.decode()
    assert menu["menu"]["untranslated"] == {"nl": 0, "ar": 2, "de": 2, "fr": 2}
    assert "<bdi>Français</bdi>: 2 of 2 missing" in page and "<bdi>العربية</bdi>: 2 of 2 missing" in page
    assert "not translated:" not in page, "a language without any translations is named once"
    owner.post(f"/app/menu/{id}/sections/{section['id']}", {"name": "Starters", "translations.fr.name": "Entrées"})
    page = owner.get(f"/app/menu/{id}").content.decode()
    assert "<bdi>Français</bdi>: 1 of 2 missing" in page and "not translated: FR" in page
    url = f"/app/menu/{id}/items/{item['id']}"
    form = owner.get(url).content.decode()
    names = set(re.findall(r'name="((?:variants\.\d\.)?translations\.[^"]+)"', form))
    assert {"translations.fr.name", "translations.fr.description", "variants.0.translations.fr.name"} <= names
    typed = {
        "name": "Tomato soup",
        "translations.nl.name": "Tomatensoep",
        "translations.fr.name": "Soupe à la tomate",
        "variants.0.name": "Small",
        "variants.0.price": "4",
        "variants.0.translations.fr.name": "Petite",
    }
    assert owner.post(url, typed).status_code == 303
    [now] = api.run("svc_menu_items", menu_id=id)["items"]
    assert now["translations"] == {"nl": {"name": "Tomatensoep"}, "fr": {"name": "Soupe à la tomate"}}
    assert now["variants"][0]["translations"] == {"fr": {"name": "Petite"}}
    url = f"/app/menu/{id}/sections/{section['id']}"
    owner.post(url, {"name": "Starters", "translations.fr.name": "Entrées"})
    assert api.run("svc_menu_items", menu_id=id)["sections"][0]["translations"] == {"fr": {"name": "Entrées"}}
    settings = {"currency": "EUR", "languages": ["de", "en", "nl"]}
    assert owner.post(f"/app/menu/{id}/settings", settings).status_code == 303
    assert api.run("svc_menu_items", menu_id=id)["menu"]["languages"] == ["de", "en", "nl"]


def test_buttons_have_the_language_of_the_content_unless_the_guest_chose_one(api: Api, guest: Client) -> None:
    made = api.run("svc_menu_create", restaurant_name="Zur Post", languages=["de"], sections=[{"name": "Suppen"}])
    path = f"/m/{made['menu']['slug']}"
    assert '<html lang="de"' in read_page(guest, path, "es")[0]
    assert '<html lang="es"' in read_page(guest, f"{path}?lang=es", "es")[0]
