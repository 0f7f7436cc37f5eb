"""The table of an import can be corrected, and the lines of its text show what was not understood."""

from __future__ import annotations

import re
from html import unescape
from typing import Any

import pytest
from django.test import Client

from workspace.products.menu.models import Item, Menu
from workspace.testing.api import Api

pytestmark = pytest.mark.django_db
TEXT = """SOUPS

Goulash 6,50
with bread
Broth 4,20

Wifi: gino2026

DRINKS

Wine glass 3,50 | bottle 14,00
Tea 2,80
"""


@pytest.fixture
def owner(api: Api) -> Client:
    client = Client()
    client.force_login(api.account.owner)
    return client


def send(owner: Client, **changed: str) -> Any:
    """Check the text, change fields of the table, and send them. `step` is what to do then."""
    fields = {"restaurant_name": "Da Gino", "currency": "EUR", "text": TEXT}
    fields |= _fields(owner.post("/app/menu/bring", {**fields, "step": "look"}).content.decode())
    fields |= {name.replace("__", "."): value for name, value in changed.items()}
    return owner.post("/app/menu/bring", fields)


def _fields(html: str) -> dict[str, str]:
    """Return the fields of the table and of the questions as a browser sends them."""
    tags = re.findall(r"<input[^>]*name=\"((?:row|was|now)\.[^\"]+)\"[^>]*>", html)
    found = {}
    for tag in re.findall(r"<input[^>]*>", html):
        attributes = dict(re.findall(r'([\w-]+)="([^"]*)"', tag))
        if attributes.get("name") in tags and ("checkbox" not in tag or " checked" in tag):
            found[attributes["name"]] = unescape(attributes.get("value", ""))
    selects = re.findall(r'<select[^>]*name="(as\.\d+)"[^>]*>(.*?)</select>', html, re.DOTALL)
    return found | {name: re.findall(r'value="(\w+)" selected', options)[0] for name, options in selects}


def _list_prices() -> dict[str, int | None]:
    return dict(Item.objects.order_by("section__position", "position").values_list("name", "price_minor"))


def test_an_unchanged_table_is_saved_as_it_was_read(owner: Client) -> None:
    assert send(owner, step="save").status_code == 303
    assert _list_prices() == {"Goulash": 650, "Broth": 420, "Wine": None, "Tea": 280}
    assert len(Item.objects.get(name="Wine").variants) == 2
    assert Item.objects.get(name="Goulash").description == "with bread"


def test_names_and_prices_are_corrected_in_the_table(owner: Client) -> None:
    changed = {"row__3__name": "Beef goulash", "row__3__price": "7,90", "row__5__price": ""}
    assert send(owner, step="save", **changed).status_code == 303
    assert _list_prices() == {"Beef goulash": 790, "Broth": None, "Wine": None, "Tea": 280}


def test_a_skipped_dish_is_not_saved_and_can_be_added_again(owner: Client) -> None:
    html = send(owner, step="look", row__5__out="1").content.decode()
    assert "Dishes: 3, sections: 2" in html and "row.5.name" not in html
    again = _fields(html)
    assert again["row.5.out"] == "1" and again["row.5.was"] == "Broth 4,20"
    text = unescape(html.partition("<textarea")[2].partition(">")[2].partition("</textarea>")[0])
    fields = {"restaurant_name": "Da Gino", "currency": "EUR", "text": text, "step": "save", **again}
    assert owner.post("/app/menu/bring", fields).status_code == 303
    assert "Broth" not in _list_prices()
    del fields["row.5.out"]
    fields["restaurant_name"] = "Da Gino 2"
    assert owner.post("/app/menu/bring", fields).status_code == 303
    assert Menu.objects.get(restaurant_name="Da Gino 2").items().filter(name="Broth").exists()


def test_an_unreadable_price_is_shown_at_its_row_and_nothing_is_saved(owner: Client) -> None:
    answer = send(owner, step="save", row__5__price="cheap")
    html = answer.content.decode()
    assert answer.status_code == 422 and "1 line has errors" in html and 'value="cheap"' in html
    assert not Item.objects.exists()


def test_a_correction_of_a_line_that_has_changed_is_ignored(owner: Client) -> None:
    changed = {"row__3__name": "Beef goulash", "text": TEXT.replace("Goulash 6,50", "Fish soup 8,00")}
    assert send(owner, step="save", **changed).status_code == 303
    assert "Fish soup" in _list_prices() and "Beef goulash" not in _list_prices()


def test_corrections_stay_when_a_line_above_is_skipped(owner: Client) -> None:
    changed = {"row__11__name": "House wine", "row__12__price": "3,00"}  # below the line that is skipped
    assert send(owner, step="save", **changed).status_code == 303
    assert _list_prices() == {"Goulash": 650, "Broth": 420, "House wine": None, "Tea": 300}


def test_the_lines_of_the_text_show_what_was_not_understood(owner: Client) -> None:
    fields = {"restaurant_name": "Da Gino", "currency": "EUR", "text": TEXT, "step": "look"}
    html = owner.post("/app/menu/bring", fields).content.decode()
    lines = re.findall(r'<li(?: class="is-(\w+)")?>\s*<span class="mn-number">(\d+)<', html)
    kinds = {int(number): kind for kind, number in lines}
    assert kinds == {1: "section", 3: "dish", 4: "", 5: "dish", 7: "asked", 9: "section", 11: "dish", 12: "dish"}
