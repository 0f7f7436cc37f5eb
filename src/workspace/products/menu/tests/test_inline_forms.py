"""Forms of dishes and sections open in place, one at a time. Initially the page contains none of them."""

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


def test_a_dish_is_edited_and_saved_in_its_row(api: Api, owner: Client) -> None:
    made = create_samples(api)
    url = f"/app/menu/{made['menu']}/items/{made['item']}"
    assert 'name="allergens.milk"' not in owner.get(f"/app/menu/{made['menu']}").content.decode()
    opened = owner.get(url, headers=PART).content.decode()
    assert opened.startswith(f'<li class="mn-open" id="{made["item"]}"') and 'name="allergens.milk"' in opened
    assert "<html" not in opened and "<html" in owner.get(url).content.decode()
    refused = owner.post(url, {"name": "Soup", "price": "x"}, headers=PART)
    assert refused.status_code == 422 and refused.content.decode().startswith('<li class="mn-open"')
    saved = owner.post(url, {"name": "Soup", "price": "7,50"}, headers=PART).content.decode()
    assert saved.startswith('<li class="mn-item"') and "“Soup” saved at $7.50." in saved
    assert Item.objects.get(pk=made["item"]).name == "Soup"
    assert owner.get(f"{url}/row", headers=PART).content.decode().startswith('<li class="mn-item"')


def test_new_dishes_can_be_added_in_a_row_and_duplicates_are_allowed(api: Api, owner: Client) -> None:
    made = create_samples(api)
    url = f"/app/menu/{made['menu']}/sections/{made['section']}/new"
    for _ in range(2):
        form = owner.get(url, headers=PART).content.decode()
        token = form.partition('name="_once" value="')[2].partition('"')[0]
        sent = {"name": "Bread", "price": "3", "_then": "more", "_once": token}
        answer = owner.post(url, sent, headers=PART).content.decode()
        assert "“Bread” added at $3.00." in answer and 'class="mn-open"' in answer
        assert token not in answer
    owner.post(url, {"name": "Butter"}, headers=PART)
    names = list(Section.objects.get(pk=made["section"]).items.values_list("name", flat=True))
    assert names[-3:] == ["Bread", "Bread", "Butter"]
    assert owner.get(f"{url}?closed", headers=PART).content.decode().strip().endswith("hidden></li>")


def test_a_section_is_edited_in_place(api: Api, owner: Client) -> None:
    made = create_samples(api)
    url = f"/app/menu/{made['menu']}/sections/{made['section']}"
    assert "<html" not in owner.get(url, headers=PART).content.decode()
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
