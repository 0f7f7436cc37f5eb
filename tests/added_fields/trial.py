"""Tests of the added fields, run in a copy of the sources with these fields (`test_added_fields.py`)."""

from __future__ import annotations

import csv
import io
import re
from typing import Any

import pytest
from django.test import Client

from tests.across.test_account_takeout import export_account, import_account
from workspace.accounts import demo
from workspace.accounts.models import Account
from workspace.products.card.models import Card
from workspace.products.menu.models import Item
from workspace.testing.api import Api, make_account, make_api
from workspace.testing.samples.menu import make_menu, save_item

pytestmark = pytest.mark.django_db
TOO_LONG = "x" * 41


def owner(api: Api) -> Client:
    client = Client()
    client.force_login(api.account.owner)
    return client


def get_by_id(rows: list[dict[str, Any]], id: str) -> dict[str, Any]:
    return next(row for row in rows if row["id"] == id)


def is_shown(form: str, name: str, label: str, value: str) -> bool:
    """Return whether a form has the field with its label, value and maximum length."""
    [field] = re.findall(rf'<input[^<>]* name="{name}"[^<>]*>', form)
    labeled = re.search(rf'<label for="f-{name}">{label}\b', form)
    return bool(labeled) and f'value="{value}"' in field and 'maxlength="40"' in field


def read_page(url: str) -> str:
    return Client().get("/" + url.split("/", 3)[3]).content.decode()


def import_copy(api: Api) -> Account:
    """Export this account, import it into another one, and return that one."""
    other = make_api(make_account(name="Copy"))
    told = import_account(other, export_account(api))
    assert told["state"] == "done", told
    return other.account


def read_table(api: Api, tool: str, **arguments: Any) -> list[dict[str, str]]:
    url = api.run(tool, **arguments)["file_url"]
    return list(csv.DictReader(io.StringIO(api.client.get(url).content.decode("utf-8-sig"))))


def test_a_card_has_pronouns_everywhere(api: Api) -> None:
    id = api.run("svc_card_create", full_name="Jane Doe")["id"]
    told = api.post("card/edit", {"card_id": id, "pronouns": "she/her"})[1]
    assert told["data"]["pronouns"] == "she/her"
    assert "- pronouns: she/her" in told["text"]
    browser = owner(api)
    form = browser.get(f"/app/card/{id}").content.decode()
    assert is_shown(form, "pronouns", "Pronouns", "she/her")
    refused = browser.post(f"/app/card/{id}", {"full_name": "Jane Doe", "pronouns": TOO_LONG})
    assert '<a href="#f-pronouns">Pronouns</a>: Use at most 40 characters' in refused.content.decode()
    browser.post(f"/app/card/{id}", {"full_name": "Jane Doe", "pronouns": "she/they"})
    card = api.run("svc_card_get", card_id=id)
    assert card["pronouns"] == "she/they"
    assert ">she/they</p>" in read_page(card["public_url"])
    assert "X-PRONOUNS:she/they" in read_page(card["vcard_url"])
    [row] = import_copy(api).cards.all()
    assert row.pronouns == "she/they"
    copy = api.run("svc_card_save", items=[{"copy_of": id, "full_name": "Jo"}])["items"][0]
    assert copy["pronouns"] == "she/they"
    change = api.run("svc_card_edit", card_id=id, pronouns="")["change"]
    assert change["before"] == {id: {"pronouns": "she/they"}}
    api.run("svc_undo", change_id=change["id"])
    assert api.run("svc_card_get", card_id=id)["pronouns"] == "she/they"


def test_a_dish_has_a_portion_everywhere(api: Api) -> None:
    made: Any = make_menu(api)
    menu, id = made["menu"]["id"], made["items"][0]["id"]
    save_item(api, menu, id=id, portion="300 g")
    told = api.get("menu/items", menu_id=menu)[1]
    assert get_by_id(told["data"]["items"], id)["portion"] == "300 g"
    assert "300 g" in told["text"]
    browser, url = owner(api), f"/app/menu/{menu}/items/{id}"
    form = browser.get(url).content.decode()
    assert is_shown(form, "portion", "Portion", "300 g")
    refused = browser.post(url, {"name": "Soup", "portion": TOO_LONG})
    assert '<a href="#f-portion">Portion</a>: Use at most 40 characters' in refused.content.decode()
    assert ">300 g</p>" in read_page(made["menu"]["public_url"])
    row = get_by_id(read_table(api, "svc_menu_export", menu_id=menu), id)
    assert row["portion"] == "300 g"
    table = f"name,price,portion,id\n{row['name']},8,400 g,{id}\nStew,9,one pot,\n"
    browser.post(f"/app/menu/{menu}/bring", {"text": table, "step": "save"})
    again = {item["name"]: item["portion"] for item in api.run("svc_menu_items", menu_id=menu)["items"]}
    assert (again[row["name"]], again["Stew"]) == ("400 g", "one pot")
    assert {item.portion for item in import_copy(api).menus.get().items()} >= {"400 g", "one pot"}
    copy = api.run("svc_menu_create", restaurant_name="Copy", copy_of=menu)["menu"]["id"]
    assert {item["portion"] for item in api.run("svc_menu_items", menu_id=copy)["items"]} >= {"400 g", "one pot"}
    change = api.run("svc_menu_save_items", menu_id=menu, items=[{"id": id, "portion": ""}])["change"]
    api.run("svc_undo", change_id=change["id"])
    assert get_by_id(api.run("svc_menu_items", menu_id=menu)["items"], id)["portion"] == "400 g"


def test_a_session_has_a_level_everywhere(api: Api) -> None:
    event = api.run("svc_event_create", title="Meetup", days=[{"date": "2030-05-04"}])["id"]
    table = "day,start,end,title,level\n2030-05-04,09:30,10:00,Knots,beginners\n"
    told = api.post("event/save/sessions", {"event_id": event, "csv": table})[1]
    [session] = told["data"]["items"]
    assert session["level"] == "beginners"
    assert "beginners" in told["text"]
    browser, url = owner(api), f"/app/event/{event}/sessions/{session['id']}"
    form = browser.get(url).content.decode()
    assert is_shown(form, "level", "Level", "beginners")
    refused = browser.post(url, {"title": "Knots", "level": TOO_LONG})
    assert '<a href="#f-level">Level</a>: Use at most 40 characters' in refused.content.decode()
    api.run("svc_event_edit", event_id=event, published=True)
    assert ">beginners</p>" in read_page(session["public_url"])
    assert [row["level"] for row in read_table(api, "svc_event_export", event_id=event)] == ["beginners"]
    assert import_copy(api).events.get().sessions.get().level == "beginners"
    items = [{"id": session["id"], "level": ""}]
    change = api.run("svc_event_save_sessions", event_id=event, items=items)["change"]
    api.run("svc_undo", change_id=change["id"])
    [again] = api.run("svc_event_get", id=event)["schedule"]
    assert again["level"] == "beginners"


def test_the_demo_shows_them(api: Api) -> None:
    demo.fill_account(api.account)
    assert Card.objects.filter(pronouns="she/her").exists()
    assert Item.objects.filter(portion="for two").exists()
