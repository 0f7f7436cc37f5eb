"""Requests that the scripts of the planner page and the check-in list send."""

from __future__ import annotations

import json
from typing import Any

import pytest
from django.test import Client

from workspace.products.seat.models import Chart, Guest
from workspace.testing.api import Api
from workspace.testing.samples.seat import create_samples

pytestmark = pytest.mark.django_db
SCRIPT = {"Accept": "application/json"}


@pytest.fixture
def owner(api: Api) -> Client:
    client = Client()
    client.force_login(api.account.owner)
    return client


def post_action(owner: Client, chart: str, **fields: Any) -> tuple[int, dict[str, Any]]:
    answer = owner.post(f"/app/seat/{chart}/act", fields, headers=SCRIPT)
    return answer.status_code, answer.json()


def version_of(api: Api, chart: str) -> int:
    version: int = api.run("svc_seat_tables", event_id=chart)["chart"]["version"]
    return version


def test_an_action_returns_the_changes_since_the_version_of_the_page(api: Api, owner: Client) -> None:
    made = create_samples(api)
    chart, version = made["chart"], version_of(api, made["chart"])
    status, data = post_action(owner, chart, act="move", guest=made["guest"], table=made["seat_table"], version=version)
    assert status == 200 and "Anna Berg moved to Table 1." in data["said"] and data["can_undo"] and not data["whole"]
    assert set(data["guests"]) == {made["guest"]} and set(data["tables"]) == {made["seat_table"], made["other_table"]}
    assert "½" in data["tables"][made["other_table"]]  # Ben has not moved
    # another planner's page
    since = owner.get(f"/app/seat/{chart}/since", {"version": version}, headers=SCRIPT).json()
    assert since["guests"] == data["guests"] and since["version"] == data["version"]
    assert owner.get(f"/app/seat/{chart}/since", {"version": data["version"]}).status_code == 204
    assert owner.get(f"/app/seat/{chart}/since", {"version": 0}).json()["whole"]
    assert (
        post_action(owner, chart, act="undo", version=data["version"])[1]["said"]
        == "Undone: Anna Berg moved to Table 1."
    )


def test_a_full_table_is_refused_with_alternatives(api: Api, owner: Client) -> None:
    made = create_samples(api)
    chart = made["chart"]
    api.run("svc_seat_save_tables", event_id=chart, items=[{"id": made["other_table"], "capacity": 1}])
    requested = {"act": "move", "guest": made["guest"], "named": "2", "version": version_of(api, chart)}
    status, data = post_action(owner, chart, **requested)
    assert status == 409 and "Table 2 is full" in data["refused"]
    assert "Add chair at Table 2" in data["ask"] and "Swap" in data["ask"] and "4 free" in data["ask"]
    assert post_action(owner, chart, **requested, over=1)[0] == 200
    swapped = post_action(owner, chart, act="swap", guest=made["third_guest"], other=made["guest"], version=0)[1]
    assert swapped["said"] == "Cleo Sand and Anna Berg swapped."
    # without scripts, the error is shown on the page of the form
    answer = owner.post(f"/app/seat/{chart}/act", {**requested, "back": f"guest/{made['guest']}"})
    assert answer.status_code == 303 and answer["Location"].endswith(f"/guest/{made['guest']}")


def test_invalid_actions_change_nothing(api: Api, owner: Client) -> None:
    made = create_samples(api)
    before = version_of(api, made["chart"])
    for fields in (
        {"act": "explode"},
        {"act": "move", "guest": "gst_nobody"},
        {"act": "move", "guest": made["guest"], "named": "99"},
        {"act": "place", "table": made["seat_table"], "x": "nan"},
        {"act": "swap", "guest": made["guest"], "other": "gst_nobody"},
        {},
    ):
        assert post_action(owner, made["chart"], **fields)[0] == 409, fields
    assert version_of(api, made["chart"]) == before


def test_ticks_can_be_replayed_in_any_order_and_twice(api: Api, owner: Client) -> None:
    made = create_samples(api)
    url = f"/app/seat/{made['chart']}/door/ticks"
    ticks = [
        {"guest": made["guest"], "arrived": True, "at": "2026-11-20T18:00:00Z", "id": "a"},
        {"guest": made["guest"], "arrived": False, "at": "2026-11-20T18:05:00Z", "id": "b"},
        {"guest": made["guest"], "arrived": True, "at": "2026-11-20T18:10:00Z", "id": "c"},
        {"guest": made["third_guest"], "arrived": True, "at": "2026-11-20T18:01:00Z", "id": "d"},
        {"guest": "gst_gone", "arrived": True, "at": "2026-11-20T18:01:00Z", "id": "e"},
    ]
    for sent in ([ticks[2]], [ticks[1], ticks[0]], ticks, list(reversed(ticks))):
        answer = owner.post(url, json.dumps({"device": "phone", "ticks": sent}), content_type="application/json")
        assert answer.status_code == 200 and made["guest"] in answer.json()["arrived"]
    here = set(Guest.objects.filter(checked_in_at__isnull=False).values_list("pk", flat=True))
    assert here == {made["guest"], made["third_guest"]}
    # rejected ticks are reported, and the others are saved
    assert [item["id"] for item in answer.json()["refused"]] == ["e"]
    ticks = [
        {"guest": made["guest"], "arrived": False, "at": "2026-11-20T18:20:00Z", "id": "f"},
        {"guest": made["third_guest"], "arrived": False, "at": "this evening", "id": "g"},
        {"guest": made["third_guest"], "arrived": False, "at": "0001-01-01T00:00:00+14:00", "id": "h"},
    ]
    answer = owner.post(url, json.dumps({"device": "phone", "ticks": ticks}), content_type="application/json")
    assert [item["id"] for item in answer.json()["refused"]] == ["g", "h"] and all(
        item["why"] for item in answer.json()["refused"]
    )
    assert answer.json()["arrived"] == [made["third_guest"]]
    nul = {"guest": "\0", "arrived": True, "at": "2037-05-15T10:00:00Z", "id": "1"}
    deep, holds_nul = "[" * 50_000, json.dumps({"device": "x", "ticks": [nul]})
    for bad in ("", "[]", '{"device": "x", "ticks": [{}]}', "\ud800", deep, holds_nul):
        assert owner.post(url, bad.encode("utf-8", "replace"), content_type="application/json").status_code == 422


def test_room_sizes_can_be_typed_in_feet(api: Api, owner: Client) -> None:
    chart = api.run("svc_seat_create", title="Gala", units="ft")["chart"]["id"]
    url, sent = f"/app/seat/{chart}/room", {"wide": "60 ft 6 in", "deep": "40'", "picture_wide": "50"}
    assert owner.post(url, sent).status_code == 303
    room = Chart.objects.get(pk=chart)
    assert (room.width, room.depth, room.background_width) == pytest.approx((1844.04, 1219.2, 1524))
    page = owner.get(url).content.decode()
    assert all(f'value="{told}"' in page for told in ("60′ 6″", "40′ 0″", "50′ 0″"))
    assert owner.post(url, {**sent, "wide": "60′ 6″", "deep": "far"}).status_code == 422
    assert owner.post(url, {"wide": "60′ 6″", "deep": "40′ 0″"}).status_code == 303
    room.refresh_from_db()
    assert (room.width, room.background_width) == pytest.approx((1844.04, 0))


def test_an_unexpected_guest_is_seated_at_a_table_with_a_free_seat(api: Api, owner: Client) -> None:
    made = create_samples(api)
    owner.post(f"/app/seat/{made['chart']}/door", {"name": "Uninvited", "table": made["seat_table"]})
    guest = Guest.objects.get(name="Uninvited")
    assert guest.table_id == made["seat_table"] and guest.checked_in_at is not None and guest.reply == "yes"


def test_rows_of_the_guest_table_are_saved_together(api: Api, owner: Client) -> None:
    made = create_samples(api)
    url = f"/app/seat/{made['chart']}/guests"
    line = {"id": made["guest"], f"{made['guest']}-name": "Anna Moor", f"{made['guest']}-party": "Moor"}
    line |= {f"{made['guest']}-reply": "yes", f"{made['guest']}-table": made["seat_table"], "new0-name": "Dora"}
    assert owner.post(url, line).status_code == 303
    anna = Guest.objects.get(pk=made["guest"])
    assert (anna.name, anna.party, anna.table_id) == ("Anna Moor", "Moor", made["seat_table"])
    assert Guest.objects.filter(name="Dora", table=None).exists()
    owner.post(url, {**line, "gone": made["guest"], "remove": "1"})
    assert not Guest.objects.filter(pk=made["guest"]).exists()


def test_a_list_is_previewed_before_it_is_saved(api: Api, owner: Client) -> None:
    made = create_samples(api)
    url = f"/app/seat/{made['chart']}/guests/bring"
    text = "Guest,Household,Dinner\nEva & Finn Moor,Moor,Fish\nGil,,\n"
    looked = owner.post(url, {"csv": text, "column-2": "meal"}).content.decode()
    assert "may be two guests: Eva Moor and Finn Moor" in looked and "Import 2 guests" in looked
    assert not Guest.objects.filter(name="Gil").exists()
    saved = owner.post(url, {"csv": text, "column-2": "meal", "accept": "split", "step": "save"})
    assert saved.status_code == 303
    assert Guest.objects.get(name="Eva Moor").meals == ["Fish"] and Guest.objects.get(name="Finn Moor").party == "Moor"
    assert owner.post(url, {"csv": ""}).status_code == 422


def test_a_pdf_can_be_exported_and_downloaded(api: Api, owner: Client) -> None:
    made = create_samples(api)
    told = api.run("svc_seat_export", event_id=made["chart"], kind="cards", paper="letter")
    assert told["file_name"].startswith("cards-") and told["media_type"] == "application/pdf"
    assert owner.get(told["file_url"]).content.startswith(b"%PDF")
    api.refuse("svc_seat_export", event_id=made["chart"], kind="cards", paper="a1")
    assert owner.get(f"/app/seat/{made['chart']}/print/cards.pdf").content.startswith(b"%PDF")


def test_a_rule_keeps_its_words_after_an_error(api: Api, owner: Client) -> None:
    made = create_samples(api)
    typed = {"one": "Nobody at all", "verb": "near.must", "other": "Table 1"}
    answer = owner.post(f"/app/seat/{made['chart']}/preferences", typed)
    page = answer.content.decode()
    assert answer.status_code == 422 and 'value="Nobody at all"' in page and 'value="Table 1"' in page
    assert '<option value="near.must" selected>' in page
    assert '<option value="apart.must" selected>' not in page
    assert '<option value="apart.must" selected>' in owner.get(f"/app/seat/{made['chart']}/arrange").content.decode()


def test_a_rule_is_a_sentence_that_can_be_changed_and_removed(api: Api, owner: Client) -> None:
    made = create_samples(api)
    url = f"/app/seat/{made['chart']}/preferences"
    api.run("svc_seat_edit", event_id=made["chart"], remove=list(_rules(api, made["chart"])))
    assert owner.post(url, {"one": "Berg", "verb": "apart.must", "other": "Cleo Sand"}).status_code == 303
    page = owner.get(f"/app/seat/{made['chart']}/arrange").content.decode()
    assert "<bdi>Berg</bdi> <em>must not sit with</em> <bdi>Cleo Sand</bdi>" in page
    [id] = _rules(api, made["chart"])
    changed = {"id": id, "one": "Cleo Sand", "verb": "near.wanted", "other": "table 1"}
    assert owner.post(url, changed).status_code == 303
    assert _rules(api, made["chart"]) == {id: ("near", "wanted", ["Cleo Sand"], "1")}
    guest = owner.get(f"/app/seat/{made['chart']}/guest/{made['third_guest']}").content.decode()
    assert "Cleo Sand should sit at Table 1" in guest
    # a table is not a guest, and the reverse
    assert owner.post(url, {**changed, "verb": "together.must"}).status_code == 422
    assert owner.post(url, {**changed, "other": "Berg"}).status_code == 422
    assert owner.post(url, {**changed, "verb": "explode.now"}).status_code == 422
    assert _rules(api, made["chart"]) == {id: ("near", "wanted", ["Cleo Sand"], "1")}
    owner.post(url, {"remove": id})
    assert _rules(api, made["chart"]) == {}


def _rules(api: Api, chart: str) -> dict[str, Any]:
    rules = api.run("svc_seat_tables", event_id=chart)["preferences"]
    return {rule["id"]: (rule["kind"], rule["weight"], rule["names"], rule["table"]) for rule in rules}
