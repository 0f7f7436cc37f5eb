"""Leads: saved and rejected input, and notifications."""

from __future__ import annotations

from datetime import timedelta
from typing import Any

import pytest
from django.apps import apps

from workspace.delivery.mail import parse_message
from workspace.delivery.models import Delivery
from workspace.lib import clock
from workspace.products.card.models import Card, Lead
from workspace.publishing.models import SoftDeleted
from workspace.testing.api import Api, make_account, make_api
from workspace.testing.guest_browser import Guest
from workspace.testing.rate_limits import set_limit
from workspace.testing.samples.card import make_card, submit_lead

pytestmark = pytest.mark.django_db
GIVEN = {"name": "Gus Guest", "email": "gus@example.org", "phone": "", "note": "Call me", "agreed": "yes"}


@pytest.fixture
def card(api: Api) -> dict[str, Any]:
    return make_card(api, company="Corner Café")


@pytest.fixture
def path(card: dict[str, Any]) -> str:
    return f"/c/{card['slug']}/exchange"


def leads(api: Api, card: dict[str, Any]) -> list[dict[str, Any]]:
    items: list[dict[str, Any]] = api.run("svc_card_leads", card_id=card["id"])["items"]
    return items


def test_a_guest_leaves_details_and_the_owner_is_notified(api: Api, card: dict[str, Any], path: str) -> None:
    sent = Guest().send(path, **GIVEN)
    assert (sent.status_code, sent["Location"]) == (303, f"{path}?sent")
    thanks = Guest().get(sent["Location"]).content.decode()
    assert "Thank you" in thanks and f"/c/{card['slug']}.vcf" in thanks
    [lead] = leads(api, card)
    assert {name: lead[name] for name in ("name", "email", "phone", "note")} == {
        "name": "Gus Guest",
        "email": "gus@example.org",
        "phone": "",
        "note": "Call me",
    }
    assert lead["consent"] == "I agree that Jane Doe 0 (Corner Café) may store these details to contact me."
    assert lead["submitted_at"].endswith("Z")
    letter = parse_message(Delivery.objects.get())
    assert letter["To"] == api.account.owner.email
    assert letter["Reply-To"] == "gus@example.org"
    assert "Gus Guest left their details" in letter["Subject"]
    body = letter.get_body(("plain",)).get_content()  # type: ignore[attr-defined]
    assert "Call me" in body and f"/app/card/{card['id']}/leads" in body and lead["consent"] in body


def test_the_consent_text_that_the_guest_saw_is_stored_even_if_the_owner_changes_it(
    api: Api, card: dict[str, Any], path: str
) -> None:
    guest = Guest()
    fields = guest.hidden(path)
    api.run("svc_card_edit", card_id=card["id"], consent_text="We write to you once a month.")
    assert "once a month" in guest.get(path).content.decode()
    sent = guest.send(path, **{**GIVEN, "words": fields["words"]})
    assert sent.status_code == 303
    assert leads(api, card)[0]["consent"].startswith("I agree that Jane Doe 0 (Corner Café) may store")


@pytest.mark.parametrize(
    ("typed", "words"),
    [
        ({"name": ""}, "Enter your name"),
        ({"name": "  "}, "Enter your name"),
        ({"email": ""}, "Enter an email address or a phone number"),
        ({"email": "nobody"}, "Enter a valid email address"),
        ({"email": "a@b@c.de"}, "Enter a valid email address"),
        ({"email": "x" * 250 + "@example.org"}, "Use at most 254"),
        ({"phone": "call me"}, "Enter a phone number like +43 1 234 56 78"),
        ({"phone": "1" * 41}, "Use at most 40"),
        ({"name": "x" * 121}, "Use at most 120"),
        ({"name": "two\nlines"}, "plain text"),
        ({"name": "nul\x00"}, "plain text"),
        ({"note": "bell\x07"}, "plain text"),
        ({"note": "x" * 1001}, "Use at most 1000"),
        ({"email": "gus@example.org\r\nBcc: all@example.org"}, "plain text"),
        ({"agreed": ""}, "Check the box to agree"),
        ({"agreed": "no"}, "Check the box to agree"),
        ({"words": "made up"}, "form has expired"),
        ({"words": ""}, "form has expired"),
        ({"stamp": "made up"}, "form has expired"),
    ],
)
def test_errors_are_explained_and_nothing_is_saved(typed: dict[str, str], words: str, path: str) -> None:
    answer = Guest().send(path, **{**GIVEN, **typed})
    html = answer.content.decode()
    assert answer.status_code == 400
    assert words in html
    assert 'role="alert"' in html
    assert "Call me" in html or "note" in typed, "what was typed is still there"
    assert not Lead.objects.exists() and not Delivery.objects.exists()


def test_a_phone_number_alone_is_enough_and_the_note_may_have_several_lines(
    api: Api, card: dict[str, Any], path: str
) -> None:
    sent = Guest().send(path, **{**GIVEN, "email": "", "phone": "+43 1 5", "note": "One\r\ntwo"})
    assert sent.status_code == 303
    assert (leads(api, card)[0]["phone"], leads(api, card)[0]["note"]) == ("+43 1 5", "One\ntwo")
    assert "Reply-To" not in parse_message(Delivery.objects.get())


@pytest.mark.parametrize("after", [0, 1])
def test_a_form_submitted_too_fast_is_rejected(after: float, path: str) -> None:
    assert Guest().send(path, after=after, **GIVEN).status_code == 400
    assert not Lead.objects.exists()


def test_a_form_open_for_days_is_accepted_and_for_weeks_rejected(path: str) -> None:
    assert Guest().send(path, after=2 * 86_400, **GIVEN).status_code == 303
    assert Guest().send(path, after=20 * 86_400, **GIVEN).status_code == 400


def test_a_filled_hidden_field_gets_a_normal_answer_and_saves_nothing(path: str) -> None:
    assert Guest().send(path, **GIVEN, office_fax="1").status_code == 303
    assert not Lead.objects.exists()


@pytest.mark.parametrize("headers", [{"sec-fetch-site": "cross-site"}, {"origin": "https://evil.example"}])
def test_a_form_of_another_site_is_rejected(headers: dict[str, str], path: str) -> None:
    assert Guest().send(path, headers=headers, **GIVEN).status_code == 400
    assert not Lead.objects.exists()


def test_a_form_sent_twice_is_one_lead(api: Api, card: dict[str, Any], path: str) -> None:
    guest = Guest()
    fields = guest.hidden(path)
    for _ in range(2):
        assert guest.send(path, **{**GIVEN, **fields}).status_code == 303
    assert len(leads(api, card)) == 1
    assert Delivery.objects.count() == 1


def test_a_guest_who_sends_too_many_is_limited_and_others_are_not(path: str) -> None:
    guest = Guest(address="203.0.113.50")
    answers = [guest.send(path, **{**GIVEN, "note": str(n)}).status_code for n in range(7)]
    assert answers == [303] * 5 + [429] * 2
    assert Guest(address="203.0.113.51").send(path, **GIVEN).status_code == 303


def test_leads_above_the_notification_limit_are_saved_without_emails(
    path: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    set_limit(monkeypatch, "notification", 2)
    for number in range(4):
        Guest(address=f"203.0.113.{number}").send(path, **GIVEN)
    assert (Lead.objects.count(), Delivery.objects.count()) == (4, 2)


@pytest.mark.parametrize("switched", ["flag", "plan"])
def test_a_card_without_lead_form_says_so(switched: str) -> None:
    api = make_api(make_account(card="free" if switched == "plan" else "pro"))
    card = make_card(api, lead_capture=switched == "plan")
    guest, path = Guest(), f"/c/{card['slug']}/exchange"
    for answer in (guest.get(path), guest.client.post(path, GIVEN)):
        assert answer.status_code == 404
        assert "collecting contact details" in answer.content.decode()
    assert not Lead.objects.exists()


def test_a_lead_with_an_internationalized_domain_reaches_the_owner(api: Api, path: str) -> None:
    sent = Guest().send(path, **{**GIVEN, "name": "Zoë 花子", "email": "zoe@münchen.de"})
    assert sent.status_code == 303
    assert Delivery.objects.count() == 1


def test_the_owner_removes_a_lead(api: Api, stranger: Api, card: dict[str, Any]) -> None:
    lead = submit_lead(card["id"])
    assert stranger.refuse("svc_card_delete", ids=[lead])["error"] == "not_found"
    before = leads(api, card)
    removed = api.run("svc_card_delete", ids=[lead])
    assert removed["deleted"] == [{"id": lead, "title": "Guest 0"}]
    assert removed["change"]["before"] == {lead: {"deleted": False}}, "no copy of it is made"
    assert api.run("svc_card_get", card_id=card["id"])["lead_count"] == 0
    assert leads(api, card) == []
    api.run("svc_undo")
    assert leads(api, card) == before, "with its id and its time"


def test_a_lead_is_erased_at_once_and_everywhere(api: Api, stranger: Api, card: dict[str, Any]) -> None:
    lead = submit_lead(card["id"], name="Marked Guest", email="marked@example.org")
    other = submit_lead(card["id"], 1)
    api.run("svc_card_edit", card_id=card["id"], title="Baker")
    api.run("svc_card_delete", ids=[lead])
    assert stranger.refuse("svc_card_delete", ids=[lead], erase=True)["error"] == "not_found"
    refused = api.refuse("svc_card_delete", ids=[lead, card["id"]], erase=True)
    assert refused["issues"][0]["path"] == "ids.1"
    erased = api.run("svc_card_delete", ids=[lead], erase=True)
    assert erased["change"]["cannot_be_undone"]
    assert api.refuse("svc_undo", change_id=erased["change"]["id"])["error"] == "tool_error"
    # the latest change that can be undone; the deletion of the lead cannot be undone either
    earlier = api.run("svc_undo")
    assert earlier["passed_over"][0] == erased["change"]["id"] and earlier["tool"] == "svc_card_edit"
    stored = [row for model in apps.get_models() for row in model._base_manager.values()]
    assert "marked" not in repr(stored).lower()
    assert [left["id"] for left in leads(api, card)] == [other]


def test_after_thirty_days_nothing_of_a_deleted_lead_is_stored(
    api: Api, card: dict[str, Any], time_machine: Any
) -> None:
    api.run("svc_card_delete", ids=[submit_lead(card["id"])])
    time_machine.move_to(clock.now() + timedelta(days=31))
    SoftDeleted.purge_deleted()
    assert not Lead._base_manager.exists() and Card.objects.exists()
