"""The fields of a card: accepted values, and how they are stored."""

from __future__ import annotations

from typing import Any

import pytest

from workspace.products.card.models import Card
from workspace.testing.api import Api
from workspace.testing.samples.card import SAMPLES, make_card

pytestmark = pytest.mark.django_db


@pytest.mark.parametrize(
    ("arguments", "path"),
    [
        ({}, "full_name"),
        ({"full_name": ""}, "full_name"),
        ({"full_name": "x" * 121}, "full_name"),
        ({"full_name": "a\nb"}, "full_name"),
        ({"email": "nobody"}, "email"),
        ({"email": "a@b.de\nBcc: c@d.de"}, "email"),
        ({"phone": "call"}, "phone"),
        ({"more_phones": [{"number": "+43 1 2"}]}, "more_phones"),
        ({"website": "javascript:alert(1)"}, "website"),
        ({"website": "x" * 3000}, "website"),
        ({"address": "x" * 301}, "address"),
        ({"bio": "x" * 1001}, "bio"),
        ({"bio": "\x00"}, ""),
        ({"links": "https://example.com"}, "links"),
        ({"links": [{"label": "No address"}]}, "links.0.url"),
        ({"links": [{"url": "example.com"}, {"url": "ftp://example.com"}]}, "links.1.url"),
        ({"links": [{"url": "example.com", "color": "red"}]}, "links.0.color"),
        ({"links": [5]}, "links.0"),
        ({"links": [{"url": "example.com"}] * 9}, "links"),
        ({"lead_capture": "yes"}, "lead_capture"),
    ],
)
def test_an_invalid_field_is_named_and_no_card_is_created(arguments: dict[str, Any], path: str, api: Api) -> None:
    fields = {"full_name": "Jane Doe", **arguments} if arguments else {}
    body = api.refuse("svc_card_create", **fields)
    assert body["error"] == "invalid_input"
    assert body["issues"][0]["path"].startswith(path)
    assert not Card.objects.exists()


def test_urls_are_completed_and_links_labeled(api: Api) -> None:
    card = make_card(
        api,
        website=" Example.com/Shop ",
        links=[
            "linkedin.com/in/jane",
            {"url": "https://de.linkedin.com/x"},
            "www.example.org",
            {"url": "x.de", "label": "X"},
        ],
    )
    assert card["website"] == "https://example.com/Shop"
    assert card["links"] == [
        {"url": "https://linkedin.com/in/jane", "label": "LinkedIn"},
        {"url": "https://de.linkedin.com/x", "label": "LinkedIn"},
        {"url": "https://www.example.org", "label": "example.org"},
        {"url": "https://x.de", "label": "X"},
    ]


def test_an_edit_changes_the_given_fields_and_an_empty_text_clears(api: Api) -> None:
    before = api.run("svc_card_create", **SAMPLES["svc_card_create"]({}))
    after = api.run(
        "svc_card_edit", card_id=before["id"], title="Owner", bio="", website="", email="", phone="", address=""
    )
    expected = {"title": "Owner", "bio": "", "website": "", "email": "", "phone": "", "address": ""}
    for name in ("full_name", "company", "links", "lead_capture", "slug", "color", "theme"):
        expected[name] = before[name]
    assert {name: after[name] for name in expected} == expected
    assert api.run("svc_card_edit", card_id=before["id"], links=[])["links"] == []


@pytest.mark.parametrize(
    ("arguments", "path"),
    [
        ({"color": "red"}, "color"),
        ({"color": "#12345"}, "color"),
        ({"color": "#17604b;}"}, "color"),
        ({"theme": "neon"}, "theme"),
        ({"slug": "a b"}, "slug"),
        ({"slug": "-"}, "slug"),
        ({"photo_id": "upl_nothing"}, "photo_id"),
        ({"full_name": ""}, "full_name"),
        ({"more_phones": [{"number": "+43 1 2"}, {"number": "call"}]}, "more_phones.1.number"),
        ({"more_phones": [""]}, "more_phones.0.number"),
        ({"more_phones": ["+43 1 2"] * 6}, "more_phones"),
        ({"more_emails": ["a@example.com", {"email": "nobody", "label": "x"}]}, "more_emails.1.email"),
        ({"more_emails": [{"email": "a@example.com", "label": "x" * 41}]}, "more_emails.0.label"),
        ({"more_emails": [{"email": "a@example.com", "kind": "x"}]}, "more_emails.0.kind"),
        ({"expires_at": "2001-01-01"}, "expires_at"),
    ],
)
def test_an_invalid_edit_changes_nothing(arguments: dict[str, Any], path: str, api: Api) -> None:
    card = make_card(api)
    body = api.refuse("svc_card_edit", card_id=card["id"], **{"title": "Half-written", **arguments})
    assert body["issues"][0]["path"] == path
    assert api.run("svc_card_get", card_id=card["id"]) == card


def test_an_empty_text_clears_a_field(api: Api) -> None:
    card = make_card(api)
    filled = {
        **dict.fromkeys(("title", "company", "address", "bio", "name_prefix", "name_suffix"), "Words"),
        "phone": "+43 1 2345678",
        "email": "jane@example.com",
        "website": "https://example.com",
        "consent_text": "We call you.",
    }
    written = api.run("svc_card_edit", card_id=card["id"], **filled)
    assert [name for name in filled if not written[name]] == []
    emptied = api.run("svc_card_edit", card_id=card["id"], **dict.fromkeys(filled, ""))
    assert {**emptied, "updated_at": "", "change": None} == {**card, "updated_at": "", "change": None}


def test_an_owners_text_is_not_markdown_in_the_answer(api: Api) -> None:
    _, body = api.post("card/create", {"full_name": "**Jane** [x](http://evil.example)"})
    assert r"\*\*Jane\*\* \[x\]" in body["text"]
