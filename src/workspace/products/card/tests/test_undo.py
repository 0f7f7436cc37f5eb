"""What an owner did to a card is taken back, and guests see that at their next load."""

from __future__ import annotations

from typing import Any

import pytest

from workspace.accounts.tests.samples import picture
from workspace.products.card.models import Card
from workspace.products.card.tests.guests import Guest
from workspace.products.card.tests.samples import make_card
from workspace.testing import Api

pytestmark = pytest.mark.django_db


@pytest.fixture
def card(api: Api) -> dict[str, Any]:
    return make_card(api, title="Cook")


def test_fields_come_back_and_the_page_is_drawn_anew(api: Api, card: dict[str, Any]) -> None:
    changed = api.run("svc_card_edit", id=card["id"], title="Chef", bio="New")["change"]
    assert changed["before"] == {card["id"]: {"title": "Cook", "bio": ""}}
    assert "Chef" in Guest().get(f"/c/{card['slug']}").content.decode()
    api.run("svc_undo")
    assert (Card.objects.get().title, Card.objects.get().bio) == ("Cook", "")
    assert "Chef" not in Guest().get(f"/c/{card['slug']}").content.decode()


def test_an_edit_that_changes_nothing_is_no_change(api: Api, card: dict[str, Any]) -> None:
    assert api.run("svc_card_edit", id=card["id"], title="Cook", slug=card["slug"])["change"] is None


def test_an_older_change_is_taken_back_beside_a_newer_one_of_something_else(api: Api, card: dict[str, Any]) -> None:
    older = api.run("svc_card_edit", id=card["id"], title="Chef")["change"]["id"]
    api.run("svc_card_edit", id=card["id"], bio="New")
    api.run("svc_undo", change_id=older)
    assert (Card.objects.get().title, Card.objects.get().bio) == ("Cook", "New")


def test_another_slug_and_a_pause_come_back(api: Api, card: dict[str, Any]) -> None:
    api.run("svc_card_edit", id=card["id"], slug="jane-doe")
    api.run("svc_undo")
    assert api.run("svc_card_get", id=card["id"])["slug"] == card["slug"]
    assert Guest().get("/c/jane-doe").status_code == 200, "it may be on paper by now"
    paused = api.run("svc_card_pause", id=card["id"])["change"]
    assert paused["before"] == {card["id"]: {"live": True}}
    api.run("svc_undo")
    assert api.run("svc_card_get", id=card["id"])["state"] == "live"


def test_a_photo_comes_back_and_is_in_use(api: Api, card: dict[str, Any]) -> None:
    first, second = (api.run("svc_upload_picture", content=picture())["upload_id"] for _ in range(2))
    for photo in (first, second):
        api.run("svc_card_edit", id=card["id"], photo_id=photo)
    api.run("svc_undo")
    assert Card.objects.get().photo_id == first
    uses = dict(api.account.uploads.values_list("pk", "uses"))
    assert uses == {first: 1, second: 0}


def test_what_is_deleted_for_good_says_so(api: Api, card: dict[str, Any]) -> None:
    api.run("svc_card_delete", id=card["id"])
    assert "cannot be taken back" in api.refuse("svc_undo")["message"]
