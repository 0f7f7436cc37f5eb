"""Forms of dishes and sections open in a sheet. Initially the page contains none of them."""

from __future__ import annotations

import pytest
from django.test import Client

from workspace.products.menu.models import Item, Section
from workspace.testing.api import Api
from workspace.testing.samples.menu import create_samples

pytestmark = pytest.mark.django_db
PART = {"HX-Request": "true"}


@pytest.fixture
def owner(api: Api) -> Client:
    client = Client()
    client.force_login(api.account.owner)
    return client


def test_a_dish_is_edited_in_a_sheet_and_its_row_is_replaced(api: Api, owner: Client) -> None:
    made = create_samples(api)
    url = f"/app/menu/{made['menu']}/items/{made['item']}"
    assert 'name="allergens.milk"' not in owner.get(f"/app/menu/{made['menu']}").content.decode()
    opened = owner.get(url, headers=PART).content.decode()
    assert 'id="sheet-title"' in opened and 'name="allergens.milk"' in opened
    assert "<html" not in opened and "<html" in owner.get(url).content.decode()
    refused = owner.post(url, {"name": "Soup", "price": "x"}, headers=PART)
    assert refused.status_code == 422 and 'id="sheet-title"' in refused.content.decode()
    assert "HX-Retarget" not in refused
    answer = owner.post(url, {"name": "Soup", "price": "7,50"}, headers=PART)
    saved = answer.content.decode()
    assert (answer["HX-Retarget"], answer["HX-Reswap"]) == (f"#{made['item']}", "outerHTML")
    assert saved.startswith('<li class="row mn-item"') and "“Soup” saved at $7.50." in saved
    assert Item.objects.get(pk=made["item"]).name == "Soup"


def test_only_lines_with_an_error_are_open(api: Api, owner: Client) -> None:
    made = create_samples(api)
    url = f"/app/menu/{made['menu']}/items/{made['item']}"
    assert "<details open" not in owner.get(url, headers=PART).content.decode().replace('class="fold-line" ', "")
    sent = {"name": "Soup", "variants.0.name": "Cup", "variants.0.price": "x"}
    refused = owner.post(url, sent, headers=PART).content.decode().replace('class="fold-line" ', "")
    assert refused.count("<details open") == 1
    assert "Sizes and extras" in refused.partition("<details open")[2][:200]


def test_dishes_are_added_one_after_another_in_the_last_row_and_duplicates_are_allowed(api: Api, owner: Client) -> None:
    made = create_samples(api)
    url = f"/app/menu/{made['menu']}/sections/{made['section']}/new"
    row = owner.get(f"/app/menu/{made['menu']}").content.decode().partition('class="row-add"')[2]
    for _ in range(2):
        token = row.partition('name="_once" value="')[2].partition('"')[0]
        answer = owner.post(url, {"name": "Bread", "price": "3", "_once": token}, headers=PART).content.decode()
        assert "“Bread” added at $3.00." in answer
        row = answer.partition('class="row-add"')[2]
        assert "autofocus" in row and token and token not in row
    names = list(Section.objects.get(pk=made["section"]).items.values_list("name", flat=True))
    assert names[-2:] == ["Bread", "Bread"]


def test_the_last_row_retains_what_was_typed_and_shows_the_error(api: Api, owner: Client) -> None:
    made = create_samples(api)
    url = f"/app/menu/{made['menu']}/sections/{made['section']}/new"
    refused = owner.post(url, {"name": "Bread", "price": "1,234"}, headers=PART)
    html = refused.content.decode()
    assert refused.status_code == 422 and html.lstrip().startswith('<li class="row-add"')
    assert 'value="Bread"' in html and 'value="1,234"' in html and "Do you mean $1.23 or $1,234.00?" in html
    assert not Item.objects.filter(name="Bread").exists()


def test_an_item_is_added_without_scripts(api: Api, owner: Client) -> None:
    made = create_samples(api)
    url = f"/app/menu/{made['menu']}/sections/{made['section']}/new"
    added = owner.post(url, {"name": "Bread", "price": "3"})
    bread = Item.objects.get(name="Bread")
    assert (added.status_code, added["Location"]) == (303, f"/app/menu/{made['menu']}#{bread.pk}")
    refused = owner.post(url, {"name": "", "price": "3"})
    assert refused.status_code == 422 and "<html" in refused.content.decode()


def test_long_menus_are_folded_except_the_first_section(api: Api, owner: Client) -> None:
    made = create_samples(api)
    page = f"/app/menu/{made['menu']}"
    sections = Section.objects.filter(menu=made["menu"]).count()
    assert owner.get(page).content.decode().count("<details open>") == sections
    items = [{"section_id": made["section"], "name": f"Dish {number}"} for number in range(40)]
    api.run("svc_menu_save_items", menu_id=made["menu"], items=items)
    assert owner.get(page).content.decode().count("<details open>") == 1


def test_a_section_is_edited_in_a_sheet(api: Api, owner: Client) -> None:
    made = create_samples(api)
    url = f"/app/menu/{made['menu']}/sections/{made['section']}"
    opened = owner.get(url, headers=PART).content.decode()
    assert "<html" not in opened and 'id="sheet-title"' in opened and "1 of 2" in opened
    saved = owner.post(url, {"name": "Antipasti"}, headers=PART)
    assert (saved.status_code, saved["HX-Refresh"]) == (204, "true")
    assert Section.objects.get(pk=made["section"]).name == "Antipasti"


def test_the_preview_shows_a_dish_while_it_is_typed(api: Api, owner: Client) -> None:
    made = create_samples(api)
    preview = f"/app/menu/{made['menu']}/preview"
    typed = owner.post(preview, {"_item": made["item"], "name": "Minestrone", "price": "7,50"}).content.decode()
    assert "Minestrone" in typed and "$7.50" in typed
    typed = owner.post(preview, {"_section": made["section"], "name": "Bread of today"}).content.decode()
    assert "Bread of today" in typed and "Tomato soup" in typed
    assert not Item.objects.filter(name__in=["Minestrone", "Bread of today"]).exists()
    assert owner.post(preview, {"_item": "item_of_nobody", "name": "x"}).status_code == 200
