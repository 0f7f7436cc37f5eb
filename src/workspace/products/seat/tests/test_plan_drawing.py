"""The owner's plan: chairs with their guests, diets and warnings, and moves to a certain chair."""

from __future__ import annotations

from typing import Any

import pytest
from django.test import Client

from workspace.products.seat.models import Guest
from workspace.products.seat.tests.page_elements import read_page
from workspace.testing.api import Api
from workspace.testing.samples.seat import add, create_samples, make_chart

pytestmark = pytest.mark.django_db
SCRIPT = {"Accept": "application/json"}


@pytest.fixture
def owner(api: Api) -> Client:
    client = Client()
    client.force_login(api.account.owner)
    return client


def plan(owner: Client, chart: str) -> Any:
    return read_page(owner.get(f"/app/seat/{chart}").content.decode())


def send_action(owner: Client, chart: str, **fields: Any) -> dict[str, Any]:
    answer = owner.post(f"/app/seat/{chart}/act", {"version": 0, **fields}, headers=SCRIPT)
    assert answer.status_code == 200, answer.content
    data: dict[str, Any] = answer.json()
    return data


def test_a_chair_names_its_guest_party_meal_and_diets(api: Api, owner: Client) -> None:
    made = create_samples(api)
    item = {"id": made["guest"], "table_id": made["seat_table"], "notes": "Vegan & <b>no</b> nuts", "diet": []}
    api.run("svc_seat_save_guests", event_id=made["chart"], items=[item])
    [seat] = plan(owner, made["chart"]).find_all("g", data_guest=made["guest"])
    assert (seat["data-name"], seat["data-party"], seat["data-meal"]) == ("Anna Berg", "Berg", "Fish")
    assert seat.find_all("title")[0].text == "Anna Berg · Berg · Fish · Vegan · Nut-free"
    assert seat.find_all("g", "st-diet")[0].text == "VG+"
    [other] = plan(owner, made["chart"]).find_all("g", data_guest=made["other_guest"])
    assert not other.find_all("g", "st-diet")


def test_names_on_chairs_are_escaped(api: Api, owner: Client) -> None:
    made = make_chart(api)
    name = 'Eve "E" <script>alert(1)</script>'
    [eve] = add(api, made["chart"]["id"], {"name": name, "party": "<b>P</b>", "meal": "Fish & chips"})
    api.run("svc_seat_assign", event_id=made["chart"]["id"], guest_id=eve["id"], table_id=made["items"][0]["id"])
    page = owner.get(f"/app/seat/{made['chart']['id']}").content.decode()
    assert "<script>alert" not in page and "<b>P</b>" not in page
    assert [
        seat["data-name"] for seat in read_page(page).find_all("g", "st-seat") if "data-guest" in seat.attributes
    ] == [name]


def test_a_guest_is_moved_to_a_certain_chair_and_two_swap_chairs(api: Api, owner: Client) -> None:
    made = create_samples(api)
    chart, guest, other = made["chart"], made["guest"], made["third_guest"]
    said = send_action(owner, chart, act="move", guest=guest, table=made["seat_table"], seat=3)["said"]
    assert said.startswith("Anna Berg moved to Table 1.")
    assert plan(owner, chart).find_all("g", data_guest=guest)[0]["data-seat"] == "3"
    send_action(owner, chart, act="move", guest=other, table=made["other_table"], seat=4)
    send_action(owner, chart, act="swap", guest=guest, other=other, seat=4, other_seat=3)
    seats = {row.pk: (row.table_id, row.seat) for row in Guest.objects.filter(pk__in=[guest, other])}
    assert seats == {guest: (made["other_table"], 4), other: (made["seat_table"], 3)}
    # within a table, a guest only changes chairs
    send_action(owner, chart, act="move", guest=guest, table=made["other_table"], seat=1)
    assert Guest.objects.get(pk=guest).seat == 1


def test_a_table_outside_of_the_room_is_marked_until_it_is_moved_back(api: Api, owner: Client) -> None:
    made = create_samples(api)
    moved = send_action(owner, made["chart"], act="place", table=made["seat_table"], x=-120, y=200)
    text = "Table 1 is outside the room. Move it, or make the room larger."
    assert moved["outside"] == {made["seat_table"]: text} and "st-outside" in moved["tables"][made["seat_table"]]
    page = plan(owner, made["chart"])
    [note] = page.find_all("a", "st-outside-note")
    assert note.text == text and note["href"].endswith(f"/table/{made['seat_table']}")
    assert text.rstrip(".") in page.find_all(id=f"at-{made['seat_table']}")[0]["aria-label"]
    assert send_action(owner, made["chart"], act="place", table=made["seat_table"], x=300, y=300)["outside"] == {}
