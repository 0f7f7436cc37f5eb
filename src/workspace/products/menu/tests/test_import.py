"""Import of a menu: a preview, a single step that can be undone, and exports that can be imported again."""

from __future__ import annotations

import re
from typing import Any

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.test import Client
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from workspace.accounts.models import Account
from workspace.products.menu.dashboard.import_preview import build_sections
from workspace.products.menu.domain.importer import table_parser
from workspace.products.menu.hooks import starter_content
from workspace.products.menu.rules.diets_and_allergens import ALLERGENS
from workspace.publishing.diets import DIETS
from workspace.testing.api import Api
from workspace.testing.samples.menu import make_menu
from workspace.testing.spreadsheets import number_cell, text_cell, workbook

pytestmark = pytest.mark.django_db
SAYS = (
    "name", "description", "price", "price_from", "price_note", "variants", "add_ons", "dietary_tags", "allergens",
    "allergens_checked", "sold_out", "hidden",
)  # fmt: skip


@pytest.fixture
def owner(api: Api) -> Client:
    browser = Client()
    browser.force_login(api.account.owner)
    return browser


def what_it_says(api: Api, menu: str) -> list[tuple[str, dict[str, Any]]]:
    result = api.run("svc_menu_items", menu_id=menu)
    about = {section["name"]: section["description"] for section in result["sections"]}
    return [
        (f"{row['section']}: {about[row['section']]}", {name: row[name] for name in SAYS}) for row in result["items"]
    ]


def exported(api: Api, menu: str) -> str:
    url = api.run("svc_menu_export", menu_id=menu)["file_url"]
    return str(api.client.get(url).content.decode())


def test_a_pasted_menu_is_previewed_and_saved_in_one_step_that_can_be_undone(owner: Client, api: Api) -> None:
    menu = make_menu(api)["menu"]["id"]
    pasted = "Starters\n\nOlives 4,50\n\nDesserts\nall home-made\n\nCake 3,90\nwith cream\n\nOpen on Sundays\n"
    looked = owner.post(f"/app/menu/{menu}/bring", {"text": pasted, "step": "look"})
    page = looked.content.decode()
    assert looked.status_code == 200 and "Dishes: 2, sections: 2" in page and "1 line to review" in page
    assert "Line 11" in page and 'value="4.50"' in page and page.count("New section") == 1
    assert len(what_it_says(api, menu)) == 4
    data = {"was.11": "Open on Sundays", "now.11": "Open on Sundays", "as.11": "out"}
    [token] = re.findall(r'name="_once" value="([^"]+)"', page)
    for _ in range(2):  # double click
        saved = owner.post(f"/app/menu/{menu}/bring", {"text": pasted, **data, "step": "save", "_once": token})
        assert saved.status_code in (302, 303), saved.content.decode()
    told = {says["name"]: section for section, says in what_it_says(api, menu)}
    assert len(told) == 6 and told["Cake"] == "Desserts: all home-made" and told["Olives"] == "Starters: "
    newest = api.run("svc_activity")["items"][0]
    api.run("svc_undo", change_id=newest["id"])
    assert len(what_it_says(api, menu)) == 4


def test_the_meaning_of_allergen_codes_is_asked_once_per_import(owner: Client, api: Api) -> None:
    menu = make_menu(api)["menu"]["id"]
    url, fields = (
        f"/app/menu/{menu}/bring",
        {"text": "name;price;allergens\nStew;9;A,L\nCake;4;A,C,G\n", "step": "save"},
    )
    for data in ({}, {"letters": "nonsense"}, {"letter.A": "gluten"}):
        page = owner.post(url, {**fields, **data}).content.decode()
        assert "Allergen codes: A, C, G, L" in page and "Used for 2 dishes." in page
        assert "cannot be saved" not in page and 'value="save"' not in page
    assert "Choose a meaning for: C, G, L" in page
    assert owner.post(url, {**fields, "letters": "a-r", "letter.C": "none"}).status_code == 303
    told = {says["name"]: says["allergens"] for _, says in what_it_says(api, menu)}
    assert told["Stew"] == {"gluten": "contains", "celery": "contains"}
    assert told["Cake"] == {"gluten": "contains", "milk": "contains"}


def test_importing_an_exported_menu_updates_its_dishes_and_adds_the_others(owner: Client, api: Api) -> None:
    menu = make_menu(api)["menu"]["id"]
    table = exported(api, menu)
    page = owner.post(f"/app/menu/{menu}/bring", {"text": table, "step": "look"}).content.decode()
    assert "All these dishes are already on the menu" in page
    dearer = table.replace("6.50", '"7,20"').replace("With basil oil", "") + '"Sides",,"Bread",,"3"\n'
    file = SimpleUploadedFile("menu.csv", dearer.encode())
    page = owner.post(f"/app/menu/{menu}/bring", {"file": file, "step": "look"}).content.decode()
    assert "1 new, 1 changed, 3 unchanged" in page
    owner.post(f"/app/menu/{menu}/bring", {"text": dearer, "step": "save"})
    data = {says["name"]: says for _, says in what_it_says(api, menu)}
    assert len(data) == 5 and data["Bread"]["price"] == 3
    assert (data["Tomato soup"]["price"], data["Tomato soup"]["description"]) == (7.2, "")
    assert data["Tomato soup"]["allergens"] == {"celery": "contains", "nuts": "may_contain"}


def test_translations_have_columns_and_translations_without_a_column_are_preserved(owner: Client, api: Api) -> None:
    soup = {
        "name": "Soup",
        "price": 5,
        "variants": [{"name": "Large", "price": 7, "translations": {"it": {"name": "Grande"}}}],
        "translations": {"it": {"name": "Zuppa"}, "de": {"name": "Suppe", "description": "Warm"}},
    }
    made = api.run(
        "svc_menu_create",
        restaurant_name="Gino",
        languages=["en", "it", "de"],
        sections=[{"name": "Starters", "items": [soup]}],
    )
    menu = made["menu"]["id"]
    sheet = exported(api, menu)
    assert "name_it" in sheet and ",Zuppa," in sheet
    owner.post(f"/app/menu/{menu}/bring", {"text": sheet, "step": "save"})
    assert api.run("svc_menu_items", menu_id=menu)["items"] == made["items"], "nothing changed"
    changed = sheet.replace("Zuppa", "Minestra").replace("Large 7.00", "Large 8.00").replace(",Suppe,Warm", ",,Warm")
    changed += "Starters,,Bread,,3,,,,,,,,,,,Pane,,,Brot,,\r\n"
    owner.post(f"/app/menu/{menu}/bring", {"text": changed, "step": "save"})
    soup, bread = api.run("svc_menu_items", menu_id=menu)["items"]
    assert soup["translations"] == {"it": {"name": "Minestra"}, "de": {"description": "Warm"}}
    assert soup["variants"] == [{"name": "Large", "price": 8.0, "translations": {"it": {"name": "Grande"}}}]
    assert bread["translations"] == {"it": {"name": "Pane"}, "de": {"name": "Brot"}}
    fields = {"restaurant_name": "Gino", "currency": "USD", "text": sheet, "step": "save"}
    other = owner.post("/app/menu/bring", fields)["Location"].split("/")[3].split("?")[0]
    result = api.run("svc_menu_items", menu_id=other)
    assert result["menu"]["languages"] == ["en", "it", "de"]
    assert result["items"][0]["translations"] == made["items"][0]["translations"]


def test_a_workbook_can_be_imported_as_a_menu(owner: Client, api: Api) -> None:
    cells = [text_cell("A1", "dish"), text_cell("B1", "price")]
    more = f'<row r="2">{text_cell("A2", "Soup")}{number_cell("B2", "6.5")}</row>'
    file = SimpleUploadedFile("menu.xlsx", workbook(*cells, more=more))
    fields = {"restaurant_name": "Gino", "currency": "EUR", "section": "All day"}
    page = owner.post("/app/menu/bring", {**fields, "file": file, "step": "look"}).content.decode()
    assert "Dishes: 1, sections: 1" in page and 'value="6.50"' in page
    response = owner.post("/app/menu/bring", {**fields, "text": "dish\tprice\nSoup\t6.5\n", "step": "save"})
    menu = response["Location"].split("/")[3].split("?")[0]
    [(section, says)] = what_it_says(api, menu)
    assert (section, says["price"]) == ("All day: ", 6.5)


def test_errors_are_reported_at_their_line_and_nothing_is_created(owner: Client, api: Api) -> None:
    menu = make_menu(api)["menu"]["id"]
    for pasted, menu_text in (
        ("Soup 5\n" + "Stew" * 40 + " 6\n", "Line 2"),
        ("name;price\nSoup;8,5O\n", "Line 2"),
        ("", "Paste your menu or choose a file"),
        ("name;price\nSoup;8;9;10\n", "Line 2 has 4 cells"),
    ):
        for step in ("look", "save"):
            page = owner.post(f"/app/menu/{menu}/bring", {"text": pasted, "step": step}).content.decode()
            assert menu_text in page and 'value="save"' not in page
    assert len(what_it_says(api, menu)) == 4


WORDS = st.text(st.characters(exclude_categories=("C", "Z"), include_characters=" "), max_size=12).map(str.strip)
NAMES = WORDS.filter(bool)
PRICES = st.integers(0, 99_999).map(lambda minor: minor / 100)
CHOICES = st.lists(st.fixed_dictionaries({"name": NAMES, "price": PRICES}), max_size=2)
DISHES = st.fixed_dictionaries(
    {"name": NAMES},
    optional={
        "description": st.lists(WORDS, max_size=3).map(lambda lines: "\n".join(lines).strip()),
        "price": PRICES,
        "price_from": st.booleans(),
        "price_note": WORDS,
        "variants": CHOICES,
        "add_ons": CHOICES,
        "dietary_tags": st.lists(st.sampled_from(sorted(DIETS)), unique=True, max_size=2),
        "allergens": st.dictionaries(
            st.sampled_from(sorted(ALLERGENS)), st.sampled_from(["contains", "may_contain"]), max_size=2
        ),
        "allergens_checked": st.booleans(),
        "sold_out": st.booleans(),
        "hidden": st.booleans(),
    },
)
SECTIONS = st.lists(
    st.fixed_dictionaries(
        {"name": NAMES, "items": st.lists(DISHES, min_size=1, max_size=3)}, optional={"description": WORDS}
    ),
    min_size=1,
    max_size=2,
    unique_by=lambda section: section["name"].casefold(),
)


@settings(max_examples=12, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(SECTIONS)
def test_an_exported_menu_can_be_imported_elsewhere_unchanged(api: Api, sections: list[dict[str, Any]]) -> None:
    menu = api.run("svc_menu_create", restaurant_name="One", currency="EUR", sections=sections)["menu"]["id"]
    draft = table_parser.parse_table(exported(api, menu), "EUR")
    assert draft.unclear == []
    again, _ = build_sections(draft, "Menu")
    other = api.run("svc_menu_create", restaurant_name="Other", currency="EUR", sections=again)["menu"]["id"]
    assert what_it_says(api, other) == what_it_says(api, menu)


PASTED = "Kuchen\n\nSachertorte 4,90\n\nKaffee\n\nMelange 3,80\n"


@pytest.mark.parametrize("into", ["", "the sample"])
def test_an_import_replaces_the_unchanged_sample_menu(owner: Client, api: Api, into: str) -> None:
    sample = begun(api)
    page = f"/app/menu/{sample['id']}/bring" if into else "/app/menu/bring"
    assert "replaces the sample menu" in owner.get(page).content.decode()
    form = {"text": PASTED, "restaurant_name": "Café Lerche", "currency": "EUR"}
    assert owner.post(page, {**form, "step": "look"}).status_code == 200
    assert sections_there(api, sample["id"])[0][0] == "Frühstück", "nothing is done by looking"
    text = owner.get(owner.post(page, {**form, "step": "save"})["Location"]).content.decode()
    assert "It replaced the sample and is not live yet." in text and "Undo" in text
    [menu] = api.run("svc_menu_list")["items"]
    assert (menu["id"], menu["public_url"], menu["live"]) == (sample["id"], sample["public_url"], False)
    assert sections_there(api, menu["id"]) == [("Kuchen", ["Sachertorte"]), ("Kaffee", ["Melange"])]
    assert "Melange" not in Client().get(menu["public_url"]).content.decode()
    api.run("svc_undo", change_id=api.run("svc_activity")["items"][0]["id"])
    [back] = api.run("svc_menu_list")["items"]
    assert not back["live"] and sections_there(api, back["id"])[0][0] == "Frühstück"


def test_a_sample_menu_that_was_edited_is_not_replaced(owner: Client, api: Api) -> None:
    sample = begun(api)
    first = api.run("svc_menu_items", menu_id=sample["id"])["items"][0]["id"]
    api.run("svc_menu_save_items", menu_id=sample["id"], items=[{"id": first, "description": "Aus dem Holzofen"}])
    page = f"/app/menu/{sample['id']}/bring"
    assert "takes the place" not in owner.get(page).content.decode()
    owner.post(page, {"text": PASTED, "step": "save"})
    assert [name for name, _ in sections_there(api, sample["id"])][-1] == "Kaffee"
    assert sections_there(api, sample["id"])[0][0] == "Frühstück"
    owner.post("/app/menu/bring", {"text": PASTED, "restaurant_name": "Lerche", "currency": "EUR", "step": "save"})
    assert len(api.run("svc_menu_list")["items"]) == 2


def begun(api: Api) -> dict[str, Any]:
    """Create the starter menu of a café in Vienna."""
    api.run("svc_brand_edit", languages=["de"])
    api.run("svc_account_edit", trade="cafe", currency="EUR")
    said = starter_content.starter_for(Account.objects.get(pk=api.account.pk), "cafe")
    assert said is not None
    menu: dict[str, Any] = api.run("svc_menu_create", **said.arguments)["menu"]
    return menu


def sections_there(api: Api, id: str) -> list[tuple[str, list[str]]]:
    result = api.run("svc_menu_items", menu_id=id)
    names = {row["id"]: row["name"] for row in result["sections"]}
    return [
        (name, [item["name"] for item in result["items"] if item["section_id"] == section])
        for section, name in names.items()
    ]
