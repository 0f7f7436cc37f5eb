"""Changes by the owner are visible on a guest's next load, although the page is cached."""

from __future__ import annotations

from datetime import datetime
from typing import Any
from zoneinfo import ZoneInfo

import pytest
import time_machine
from django.test import Client

from workspace.products.menu.tests.page_parser import Page
from workspace.public_site import page_cache
from workspace.testing.api import Api, make_account, make_api
from workspace.testing.samples.menu import create_samples, make_menu, save_item

pytestmark = pytest.mark.django_db
VIENNA = ZoneInfo("Europe/Vienna")
EMPTY = [{"name": "Empty"}]


class Guest:
    """A browser that revalidates its cache, as every browser does with `no-cache`."""

    def __init__(self, path: str) -> None:
        self.client, self.path, self.etag, self.status = Client(), path, "", 0
        self.page = Page("")

    def load(self, at: str = "") -> Page:
        if at:
            with time_machine.travel(datetime.fromisoformat(at).replace(tzinfo=VIENNA), tick=False):
                return self.load()
        response = self.client.get(self.path, headers={"if-none-match": self.etag} if self.etag else {})
        self.status, self.etag = response.status_code, response["ETag"]
        assert response["Cache-Control"] == "no-cache" and not response.cookies
        if response.status_code == 200:
            self.page = Page(response.content.decode())
        return self.page


def _slug(api: Api) -> str:
    return str(api.run("svc_menu_list")["items"][0]["slug"])


@pytest.mark.parametrize("path", ["/m/{}", "/m/{}/print", "/m/{}?avoid=milk"])
def test_an_unchanged_page_is_not_sent_twice_and_a_changed_one_is(path: str, api: Api) -> None:
    made = create_samples(api)
    guest = Guest(path.format(_slug(api)))
    guest.load()
    assert guest.status == 200
    guest.load()
    assert guest.status == 304
    api.run("svc_menu_update_item", menu_id=made["menu"], item_id=made["item"], name="Minestrone")
    guest.load()
    assert guest.status == 200
    assert "Minestrone" in guest.page.text and "Tomato soup" not in guest.page.text


def _changes(made: dict[str, str]) -> list[tuple[str, dict[str, Any]]]:
    item, section = made["item"], made["section"]
    calls: list[tuple[str, dict[str, Any]]] = [
        ("update_item", {"item_id": item, "price": 99}),
        ("update_item", {"item_id": item, "sold_out": True}),
        ("update_item", {"item_id": item, "hidden": True}),
        ("update_item", {"item_id": item, "hidden": False, "price_note": "ask us"}),
        ("save_items", {"items": [{"id": item, "dietary_tags": ["halal"], "allergens": {"soy": "contains"}}]}),
        ("save_items", {"items": [{"id": item, "variants": [{"name": "Bowl", "price": 3}]}]}),
        ("save_items", {"items": [{"id": item, "allergens_checked": True}]}),
        ("save_items", {"items": [{"section_id": section, "name": "Bread"}]}),
        ("save_items", {"items": [{"id": item, "section_id": made["other_section"]}]}),
        ("change_prices", {"percent": 10}),
        ("save_sections", {"order": [made["other_section"], section]}),
        ("save_sections", {"items": [{"id": section, "name": "Antipasti"}]}),
        ("save_sections", {"items": EMPTY}),  # nothing visible changes, so nothing is sent
        ("save_items", {"remove": [made["other_item"]]}),
        ("save_sections", {"remove": [section]}),
        ("edit", {"restaurant_name": "Da Gino", "theme": "plum"}),
        ("edit", {"currency": "EUR"}),
        ("edit", {"allergens_checked": True}),
    ]
    return [(f"svc_menu_{name}", {"menu_id": made["menu"], **fields}) for name, fields in calls]


def test_every_change_is_visible_on_the_next_load(api: Api) -> None:
    made = create_samples(api)
    guest = Guest(f"/m/{_slug(api)}")
    guest.load()
    for tool, arguments in _changes(made):
        api.run(tool, **arguments)
        guest.load()
        assert guest.status == (304 if arguments.get("items") == EMPTY else 200), tool
        guest.load()
        assert guest.status == 304


def test_hidden_items_are_absent_and_sold_out_items_are_marked(api: Api) -> None:
    made = create_samples(api)
    guest = Guest(f"/m/{_slug(api)}")
    api.run("svc_menu_update_item", menu_id=made["menu"], item_id=made["item"], hidden=True)
    api.run("svc_menu_update_item", menu_id=made["menu"], item_id=made["other_item"], sold_out=True)
    html = guest.client.get(guest.path).content.decode()
    assert "Tomato soup" not in html
    assert "Sold out" in Page(html).dishes["Prawns in garlic"]["text"]
    api.run("svc_menu_save_sections", menu_id=made["menu"], items=[{"id": made["section"], "hidden": True}])
    assert "Prawns" not in guest.client.get(guest.path).content.decode()
    assert "Prawns" not in guest.client.get(f"{guest.path}/print").content.decode()


@pytest.fixture
def viennese(db: None) -> Api:
    return make_api(make_account(time_zone="Europe/Vienna"))


def _timed(api: Api, **fields: Any) -> Guest:
    sections = [
        {
            "name": "Lunch",
            "hours": [{"days": [], "from": "11:30", "until": "14:30"}],
            "items": [{"name": "Stew", "price": 9}],
        },
        {"name": "Dinner", "hours": [{"from": "18:00", "until": "01:00"}], "items": [{"name": "Steak", "price": 24}]},
    ]
    menu = api.run("svc_menu_create", restaurant_name="Bistro", sections=sections, **fields)["menu"]
    return Guest(f"/m/{menu['slug']}")


def test_lunch_changes_to_dinner_at_the_set_time(viennese: Api) -> None:
    guest = _timed(viennese)

    def now(at: str) -> str:
        return guest.load(at).text.partition("At other times")[0]

    assert "Stew" in now("2026-11-20T14:29") and "Steak" not in now("2026-11-20T14:29")
    assert guest.status == 304
    assert "Nothing is being served right now" in now("2026-11-20T14:30")
    assert guest.status == 200
    assert "Steak" in now("2026-11-20T18:00")
    assert "Steak" in now("2026-11-21T00:59")
    assert "Steak" not in now("2026-11-21T01:00")
    assert "daily 18:00–01:00" in guest.page.text


def test_a_cached_page_is_rendered_again_only_when_the_served_sections_change(
    viennese: Api, monkeypatch: pytest.MonkeyPatch
) -> None:
    drawn: list[int] = []
    seal = page_cache.build_page
    monkeypatch.setattr(page_cache, "build_page", lambda page: (drawn.append(1), seal(page))[1])
    guest = _timed(viennese)
    for at in ("2026-11-20T12:00", "2026-11-20T12:01", "2026-11-20T14:29"):
        guest.load(at)
    assert len(drawn) == 1
    guest.load("2026-11-20T14:30")
    assert len(drawn) == 2


def test_a_menu_outside_its_hours_shows_when_it_is_served(viennese: Api) -> None:
    guest = _timed(viennese, hours=[{"days": ["sun"], "from": "10:00", "until": "14:00"}])
    assert "This menu is served Sun 10:00–14:00." in guest.load("2026-11-20T12:00").text
    assert "This menu is served" not in guest.load("2026-11-22T12:00").text


def test_sold_out_items_are_available_again_the_next_morning(viennese: Api) -> None:
    guest = _timed(viennese, sold_out_resets_at="05:00")
    with time_machine.travel(datetime(2026, 11, 20, 20, 0, tzinfo=VIENNA)):
        menu = viennese.run("svc_menu_list")["items"][0]["id"]
        item = viennese.run("svc_menu_items", menu_id=menu)["items"][0]["id"]
        row = viennese.run("svc_menu_update_item", menu_id=menu, item_id=item, sold_out=True)
        assert (row["sold_out"], row["sold_out_until"]) == (True, "2026-11-21T04:00:00Z")
    assert "Sold out" in guest.load("2026-11-20T20:01").dishes["Stew"]["text"]
    assert "Sold out" in guest.load("2026-11-21T04:59").dishes["Stew"]["text"]
    assert "Sold out" not in guest.load("2026-11-21T05:00").dishes["Stew"]["text"]
    with time_machine.travel(datetime(2026, 11, 21, 6, 0, tzinfo=VIENNA)):
        [row, _] = viennese.run("svc_menu_items", menu_id=menu)["items"]
        assert (row["sold_out"], row["sold_out_until"]) == (False, None)


def test_without_a_reset_time_an_item_stays_sold_out(viennese: Api) -> None:
    made = make_menu(viennese)
    ids = {"menu_id": made["menu"]["id"], "item_id": made["items"][0]["id"]}
    assert viennese.run("svc_menu_update_item", **ids, sold_out=True)["sold_out_until"] is None
    menu, item = ids["menu_id"], ids["item_id"]
    until = save_item(viennese, menu, id=item, sold_out_until="2037-06-01T06:00")["sold_out_until"]
    assert until == "2037-06-01T04:00:00Z"
    again = save_item(viennese, menu, id=item, sold_out_until="")
    assert (again["sold_out"], again["sold_out_until"]) == (True, None)
    assert viennese.run("svc_menu_update_item", **ids, sold_out=False)["sold_out"] is False


def test_a_view_is_counted_and_a_filtered_page_is_not(api: Api) -> None:
    create_samples(api)
    slug = _slug(api)
    phone = Client(headers={"user-agent": "Mozilla/5.0 (iPhone; CPU iPhone OS 18_0 like Mac OS X) Safari/604.1"})
    for path in (f"/m/{slug}", f"/M/{slug.upper()}", f"/m/{slug}?avoid=milk", f"/m/{slug}/print", f"/m/{slug}.svg"):
        assert phone.get(path).status_code == 200
    [row] = api.run("svc_menu_list")["items"]
    assert row["views"] == 2
    stats = api.run("svc_menu_stats", menu_id=row["id"])
    assert (stats["total"], stats["last_7_days"], stats["unique_per_day"]) == (2, 2, 1)
