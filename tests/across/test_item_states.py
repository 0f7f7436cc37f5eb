"""The words for the state of an item are the same everywhere, and one switch controls what guests can do."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any

import pytest
from django.test import Client

from workspace.testing.api import Api
from workspace.testing.samples.booking import create_samples as make_booking
from workspace.testing.samples.event import create_samples as make_event
from workspace.testing.samples.seat import make_chart
from workspace.testing.samples.waiver import create_samples as make_waiver

pytestmark = pytest.mark.django_db


@pytest.fixture
def owner(api: Api) -> Client:
    client = Client()
    client.force_login(api.account.owner)
    return client


def chart(api: Api) -> str:
    return str(make_chart(api, find_table=False)["chart"]["id"])


def id_getter(make: Callable[[Api], dict[str, str]], name: str) -> Callable[[Api], str]:
    return lambda api: make(api)[name]


KINDS: list[tuple[str, Callable[[Api], str], str, str]] = [
    ("seat", chart, "svc_seat_charts", 'name="q"'),
    ("waiver", id_getter(make_waiver, "waiver"), "svc_waivers_list", "/sign"),
    ("booking", id_getter(make_booking, "booking_page"), "svc_booking_pages", "Fringe"),
]


def state_shown(html: str) -> str:
    found = re.search(r'role="switch" aria-checked="(?:true|false)"[^>]*><i></i><span>([^<]+)</span>', html)
    assert found
    return found[1]


def switch(owner: Client, page: str, on: bool) -> str:
    assert owner.post(f"{page}/state", {"on": "yes" if on else "no"}).status_code == 303
    return state_shown(owner.get(f"{page}/settings").content.decode())


@pytest.mark.parametrize(("product", "make", "listing", "act"), KINDS)
def test_live_means_that_guests_can_act_and_paused_that_they_cannot(
    product: str, make: Callable[[Api], str], listing: str, act: str, api: Api, owner: Client
) -> None:
    id, guest = make(api), Client()
    page = f"/app/{product}/{id}"
    row = next(row for row in api.run(listing)["items"] if row["id"] == id)
    address = "/" + row["public_url"].split("/", 3)[3]
    for on, word in ((True, "Live"), (False, "Paused"), (True, "Live")):
        assert switch(owner, page, on) == word
        assert (act in guest.get(address).content.decode()) is on, "guests can act exactly while it is live"
        badges = re.findall(r'class="thing-state"><[^>]*>([^<]+)<', owner.get(f"/app/{product}").content.decode())
        assert word in [badge.strip() for badge in badges], "the list says the same"


def test_a_new_chart_is_paused_until_guests_can_find_their_table(api: Api, owner: Client) -> None:
    page = f"/app/seat/{chart(api)}"
    assert state_shown(owner.get(page).content.decode()) == "Paused"


@pytest.mark.parametrize("product", ["seat", "waiver"])
def test_the_switch_also_ends_a_pause_set_by_the_api(product: str, api: Api, owner: Client) -> None:
    make, edit = {
        "seat": (chart, lambda id: api.run("svc_seat_edit", event_id=id, live=False)),
        "waiver": (id_getter(make_waiver, "waiver"), lambda id: api.run("svc_waiver_edit", id=id, live=False)),
    }[product]
    id = make(api)
    edit(id)
    assert state_shown(owner.get(f"/app/{product}/{id}").content.decode()) == "Paused"
    assert switch(owner, f"/app/{product}/{id}", True) == "Live"


def event(api: Api, **more: Any) -> dict[str, Any]:
    made = api.run("svc_event_create", title="Harbour Days", days=[{"date": "2027-05-15"}, {"date": "2027-05-16"}])
    found: dict[str, Any] = api.run("svc_event_edit", event_id=made["id"], **more) if more else made
    return found


def test_an_unpublished_program_shows_that_it_is_coming_soon(api: Api) -> None:
    made = event(api, venue="Hidden Hall")
    guest = Client()
    response = guest.get(f"/e/{made['slug']}")
    html = response.content.decode()
    assert response.status_code == 404 and "Hidden Hall" not in html
    assert "Harbour Days" in html and "May 2027" in html and "Coming soon" in html and "paused" not in html
    assert "erscheint bald" in guest.get(f"/e/{made['slug']}?lang=de").content.decode()
    assert "Harbour Days" not in guest.get(f"/e/{made['slug']}/info").content.decode()
    api.run("svc_event_edit", event_id=made["id"], password="sesame")
    assert "Harbour Days" not in guest.get(f"/e/{made['slug']}").content.decode(), "a password hides the title too"


def test_an_unpublished_program_that_was_published_before_is_paused(api: Api, owner: Client) -> None:
    id = make_event(api)["event"]
    made = api.run("svc_event_get", id=id)
    if not made["published"]:
        api.run("svc_event_edit", event_id=id, published=True)
    assert state_shown(owner.get(f"/app/event/{id}").content.decode()) == "Published"
    api.run("svc_event_edit", event_id=id, published=False)
    html = Client().get(f"/e/{made['slug']}").content.decode()
    assert "paused" in html and made["title"] not in html
    assert state_shown(owner.get(f"/app/event/{id}").content.decode()) == "Draft"
