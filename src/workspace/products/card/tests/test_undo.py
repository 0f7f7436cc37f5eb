"""Undoing changes of a card: edits, pauses, new slugs, deletion and creation."""

from __future__ import annotations

from datetime import timedelta
from typing import Any

import pytest

from workspace.lib import clock
from workspace.products.card.models import Card, Lead
from workspace.publishing.models import Address, PublishedItem
from workspace.testing.api import Api, make_account, make_api
from workspace.testing.pictures import picture

pytestmark = pytest.mark.django_db


@pytest.fixture
def card(api: Api) -> Any:
    return api.run("svc_card_create", full_name="Ana Silva", title="Cook", email="ana@example.com")


def now(api: Api, id: str) -> Any:
    return api.run("svc_card_get", card_id=id)


def test_an_edit_is_undone_field_by_field(api: Api, card: Any) -> None:
    change = api.run("svc_card_edit", card_id=card["id"], title="Chef", bio="Since 1999")["change"]
    assert change["before"] == {card["id"]: {"title": "Cook", "bio": ""}}
    api.run("svc_card_edit", card_id=card["id"], phone="+49 30 1234567")
    api.run("svc_undo", change_id=change["id"])
    result = now(api, card["id"])
    assert (result["title"], result["bio"]) == ("Cook", "")
    assert result["phone"], "what was changed since stays"


def test_guests_see_the_undone_state_at_their_next_load(api: Api, card: Any, client) -> None:
    page = f"/c/{card['slug']}"
    api.run("svc_card_edit", card_id=card["id"], title="Chef")
    assert "Chef" in client.get(page).content.decode()
    api.run("svc_undo")
    assert "Cook" in client.get(page).content.decode()


def test_a_pause_and_a_new_slug_are_undone(api: Api, card: Any) -> None:
    assert api.run("svc_card_edit", card_id=card["id"], live=False)["change"]["before"] == {card["id"]: {"live": True}}
    api.run("svc_undo")
    assert now(api, card["id"])["state"] == "live"
    api.run("svc_card_edit", card_id=card["id"], slug="ana-the-cook")
    api.run("svc_undo")
    result = now(api, card["id"])
    assert result["slug"] == card["slug"]
    assert set(result["slugs"]) == {card["slug"], "ana-the-cook"}, "what may be on paper goes on working"


def test_a_deleted_card_is_restored_completely_with_its_id_and_its_address(api: Api, card: Any, client) -> None:
    Card.objects.get().save_lead("1", name="Guest", email="g@example.com", phone="", note="", consent="yes")
    before = now(api, card["id"])
    api.run("svc_card_delete", ids=[card["id"]])
    assert client.get(f"/c/{card['slug']}").status_code == 410
    assert api.refuse("svc_card_get", card_id=card["id"])["error"] == "not_found"
    assert api.run("svc_card_list")["total"] == 0
    api.run("svc_undo")
    after = now(api, card["id"])
    assert {**after, "updated_at": ""} == {**before, "updated_at": ""}
    assert client.get(f"/c/{card['slug']}").status_code == 200


def test_deleted_cards_do_not_count_and_restoring_needs_quota() -> None:
    api = make_api(make_account(card="free"))
    first = api.run("svc_card_create", full_name="One")
    api.run("svc_card_create", full_name="Two")
    deleted = api.run("svc_card_delete", ids=[first["id"]])["change"]["id"]
    api.run("svc_card_create", full_name="Three")
    assert "You’ve reached your plan’s limit of 2 cards" in api.refuse("svc_undo", change_id=deleted)["message"]
    assert api.run("svc_card_list")["total"] == 2


def test_after_thirty_days_the_bin_is_emptied_and_the_address_stays_reserved(
    api: Api, card: Any, client, time_machine
) -> None:
    Card.objects.get().save_lead("1", name="Guest", email="g@example.com", phone="", note="", consent="yes")
    deleted = api.run("svc_card_delete", ids=[card["id"]])["change"]["id"]
    time_machine.move_to(clock.now() + timedelta(days=29))
    PublishedItem.purge_deleted()
    assert Card._base_manager.exists()
    time_machine.move_to(clock.now() + timedelta(days=2))
    PublishedItem.purge_deleted()
    assert not Card._base_manager.exists()
    assert not Lead.objects.exists()
    assert client.get(f"/c/{card['slug']}").status_code == 410
    assert api.refuse("svc_undo", change_id=deleted)["error"] == "conflict"


def test_undoing_creation_frees_the_address_if_no_guest_has_come(api: Api, card: Any) -> None:
    api.run("svc_undo")
    assert not Card._base_manager.exists()
    assert not Address.objects.exists()


def test_a_card_that_guests_have_seen_is_moved_to_the_bin_and_keeps_its_address(api: Api, card: Any, client) -> None:
    client.get(f"/c/{card['slug']}", headers={"user-agent": "Mozilla/5.0 (iPhone; CPU iPhone OS 18_0 like Mac OS X)"})
    undone = api.run("svc_undo")["change"]["id"]
    assert client.get(f"/c/{card['slug']}").status_code == 410
    api.run("svc_undo", change_id=undone)
    assert now(api, card["id"])["state"] == "live"


def test_undoing_an_edit_restores_the_picture(api: Api, card: Any) -> None:
    upload = api.run("svc_upload_file", content=picture())["upload_id"]
    api.run("svc_card_edit", card_id=card["id"], photo_id=upload)
    api.run("svc_card_edit", card_id=card["id"], photo_id="")
    api.run("svc_undo")
    assert now(api, card["id"])["photo_id"] == upload
