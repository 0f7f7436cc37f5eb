"""The guest list: parties with folded guests, sums in its head, filters, and a row that is edited in place."""

from __future__ import annotations

from typing import Any

import pytest
from django.test import Client

from workspace.products.seat.models import Guest
from workspace.products.seat.tests.page_elements import read_page
from workspace.testing.api import Api
from workspace.testing.samples.seat import add, make_chart

pytestmark = pytest.mark.django_db
SCRIPT = {"Accept": "application/json"}
GUESTS: list[dict[str, Any]] = [
    {"name": "Zoe Berg", "party": "Berg", "reply": "yes", "diet": ["vegetarian"]},
    {"name": "Guest of Zoe Berg", "party": "Berg", "reply": "yes", "placeholder": True},
    {"name": "Ann Ash", "party": "ash", "reply": "no", "diet": ["vegetarian"]},
    {"name": "Bob Ash", "party": "Ash", "reply": "yes", "notes": "Vegetarian, late"},
    {"name": "Single Sam"},
]


@pytest.fixture
def owner(api: Api) -> Client:
    client = Client()
    client.force_login(api.account.owner)
    return client


@pytest.fixture
def chart(api: Api) -> str:
    id: str = make_chart(api)["chart"]["id"]
    add(api, id, *GUESTS)
    return id


def read_list(owner: Client, chart: str, query: str = "") -> Any:
    return read_page(owner.get(f"/app/seat/{chart}/guests{query}").content.decode())


def test_guests_are_grouped_by_party_and_unnamed_ones_are_folded(owner: Client, chart: str) -> None:
    page = read_list(owner, chart)
    groups = [[name.text for name in party.find_all("a", "name")] for party in page.find_all("tbody", "st-party")]
    assert groups == [["Ann Ash", "Bob Ash"], ["Zoe Berg", "Guest of Zoe Berg"], ["Single Sam"]]
    [extra] = page.find_all("tr", "st-extra")
    assert extra.find_all("a", "name")[0].text == "Guest of Zoe Berg"
    assert page.find_all("button", "st-unfold")[0].text == "+1"


def test_the_head_shows_the_sums_and_chips_filter_the_list(api: Api, owner: Client, chart: str) -> None:
    page = read_list(owner, chart)
    assert page.find_all("p", "st-sum")[0].text.startswith("5 invited, 3 attending, 2 vegetarian")
    chips = {chip.text: chip["href"].partition("?")[2] for chip in page.find_all("nav", "chips")[0].find_all("a")}
    assert list(chips) == ["All 5", "Attending 3", "No reply 1", "Declined 1", "No table 4", "Diets and notes 3"]
    for label, query in chips.items():
        shown = read_list(owner, chart, f"?{query}").find_all("a", "name")
        assert len(shown) == int(label.split()[-1]), label
    sums = api.run("svc_seat_tables", event_id=chart)["guest_counts"]
    assert sums == {
        "invited": 5, "coming": 3, "waiting": 1, "declined": 1, "unseated": 4, "with_needs": 3,
        "diets": {"vegetarian": 2},
    }  # fmt: skip


def test_the_tool_filters_and_sorts_as_the_page_does(api: Api, chart: str) -> None:
    def names(**fields: Any) -> list[str]:
        return [row["name"] for row in api.run("svc_seat_guests", event_id=chart, **fields)["items"]]

    assert names(sort="party") == ["Ann Ash", "Bob Ash", "Zoe Berg", "Guest of Zoe Berg", "Single Sam"]
    assert names(filter="declined") == ["Ann Ash"] and names(filter="waiting") == ["Single Sam"]
    assert set(names(filter="needs")) == {"Zoe Berg", "Ann Ash", "Bob Ash"}
    assert names(filter="coming", q="ash") == ["Bob Ash"]


def test_one_row_is_edited_in_place_also_without_a_script(owner: Client, chart: str) -> None:
    bob = Guest.objects.get(name="Bob Ash")
    assert not read_list(owner, chart).find_all("tr", "st-editing")
    [row] = read_list(owner, chart, f"?filter=coming&edit={bob.pk}").find_all("tr", "st-editing")
    sent = {field["name"]: field["value"] for field in row.find_all("input")}
    assert sent[f"{bob.pk}-notes"] == "Vegetarian, late" and sent["id"] == bob.pk
    sent |= {f"{bob.pk}-reply": "waiting", f"{bob.pk}-table": "", f"{bob.pk}-notes": "On time"}
    saved = owner.post(f"/app/seat/{chart}/guests?filter=coming&edit={bob.pk}", sent)
    assert saved["Location"] == f"/app/seat/{chart}/guests?filter=coming"
    bob.refresh_from_db()
    assert (bob.reply, bob.notes) == ("waiting", "On time")


def test_scripts_are_told_what_was_saved_and_what_is_wrong(api: Api, owner: Client, chart: str) -> None:
    url, zoe = f"/app/seat/{chart}/guests", Guest.objects.get(name="Zoe Berg")
    full = make_chart(api, 1, tables=[{"capacity": 0}])["items"][0]["id"]
    row = {"id": zoe.pk, f"{zoe.pk}-name": "Zoe Berg", f"{zoe.pk}-party": "Berg", f"{zoe.pk}-reply": "yes"}
    added = owner.post(url, {"new0-name": "Eva", "new0-party": "Berg"}, headers=SCRIPT)
    assert added.json() == {"said": "1 guest added."} and Guest.objects.get(name="Eva").party == "Berg"
    refused = owner.post(url, {**row, f"{zoe.pk}-table": full}, headers=SCRIPT)
    assert refused.status_code == 422 and refused.json()["problem"]
    zoe.refresh_from_db()
    assert zoe.table_id is None


def test_a_new_row_keeps_what_was_typed_after_an_error(api: Api, owner: Client, chart: str) -> None:
    typed = {"new0-name": "Eva", "new0-party": "Berg", "new0-reply": "no", "new0-meal": "Fish", "new0-notes": "Late"}
    zoe = Guest.objects.get(name="Zoe Berg")
    full = make_chart(api, 1, tables=[{"capacity": 0}])["items"][0]["id"]
    row = {"id": zoe.pk, f"{zoe.pk}-name": "Zoe Berg", f"{zoe.pk}-reply": "yes", f"{zoe.pk}-table": full}
    answer = owner.post(f"/app/seat/{chart}/guests", {**row, **typed})
    assert answer.status_code == 422
    new = read_page(answer.content.decode()).find_all("tr", "st-fresh")[0]
    shown = {field["name"]: field["value"] for field in new.find_all("input")}
    [reply] = [option["value"] for option in new.find_all("option") if "selected" in option.attributes]
    assert shown | {"new0-reply": reply} == typed
