"""Account settings that an owner edits: name, time zone and notifications."""

from __future__ import annotations

import pytest

from workspace.delivery import notifications
from workspace.testing.api import Api

pytestmark = pytest.mark.django_db


def off(api: Api) -> list[str]:
    return [one.kind.name for one in notifications.list_switches(api.account) if not one.is_on]


def test_notifications_are_switched_by_kind_and_the_rest_stays(api: Api, stranger: Api) -> None:
    answer = api.run("svc_account_edit", notifications={"card.lead": False})
    assert answer["notifications"]["card.lead"] is False and answer["notifications"]["review.received"] is True
    assert answer["change"]["before"] == {api.account.pk: {"notices_off": []}}
    assert api.run("svc_account_edit", notifications={"review.received": False})["notifications"]["card.lead"] is False
    assert (off(api), off(stranger)) == (["card.lead", "review.received"], [])
    assert api.run("svc_account_edit", notifications={"card.lead": False})["change"] is None


def test_a_switch_is_undone_with_the_rest_of_its_change(api: Api) -> None:
    api.run("svc_account_edit", notifications={"review.received": False})
    answer = api.run("svc_account_edit", name="Noon", notifications={"card.lead": False, "review.received": True})
    assert answer["change"]["before"] == {api.account.pk: {"name": "Corner Café", "notices_off": ["review.received"]}}
    assert off(api) == ["card.lead"]
    api.run("svc_undo")
    assert off(api) == ["review.received"] and api.run("svc_me")["name"] == "Corner Café"
    api.run("svc_undo", change_id=api.run("svc_activity")["items"][0]["id"])
    assert off(api) == ["card.lead"] and api.run("svc_me")["name"] == "Noon"


def test_an_unknown_kind_is_rejected_at_its_path_and_nothing_changes(api: Api) -> None:
    refusal = api.refuse("svc_account_edit", name="Noon", notifications={"card.lead": False, "pigeons": False})
    assert [issue["path"] for issue in refusal["issues"]] == ["notifications.pigeons"]
    assert off(api) == [] and api.run("svc_me")["name"] == "Corner Café"
    for wrong in ({"card.lead": "off"}, {"card.lead": 0}, ["card.lead"]):
        assert api.refuse("svc_account_edit", notifications=wrong)["issues"][0]["path"].startswith("notifications")


def test_the_text_lists_every_kind_with_its_state(api: Api) -> None:
    _, body = api.post("call", {"name": "svc_account_edit", "arguments": {"notifications": {"card.lead": False}}})
    assert "Leads (`card.lead`): off" in body["text"] and "(`review.received`): on" in body["text"]
