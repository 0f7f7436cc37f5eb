"""Dashboard pages: gallery, questions, validity, signatures, a person's page, check-in and invitations."""

from __future__ import annotations

from typing import Any

import pytest
from django.test import Client

from workspace.lib.languages import GUEST_LANGUAGES
from workspace.products.waiver.domain import template_gallery
from workspace.products.waiver.models import Signature
from workspace.testing.api import Api
from workspace.testing.samples import waiver as samples

pytestmark = pytest.mark.django_db
PART = {"HTTP_HX_REQUEST": "true"}


@pytest.fixture
def owner(api: Api) -> Client:
    client = Client()
    client.force_login(api.account.owner)
    return client


@pytest.fixture
def waiver(api: Api) -> str:
    return str(api.run("svc_waiver_create", title="Kayak", text="Be careful", clauses=samples.CLAUSES)["id"])


def text(response: Any) -> str:
    return " ".join(response.content.decode().split())


def test_every_template_of_the_gallery_can_be_created(api: Api) -> None:
    for language in GUEST_LANGUAGES:
        api.run("svc_brand_edit", languages=[language])
        for name in template_gallery.TEMPLATE_NAMES:
            made = api.run("svc_waiver_create", title="Mine", copy_of=name)
            assert made["language"] == language and made["clauses"] and made["questions"]
            written = template_gallery.load_template(name, language)["text"]
            assert written.replace("{business}", api.account.name) == made["text"] != written
            assert "{business}" not in str(made["clauses"])


def test_a_waiver_can_start_from_a_template(api: Api, owner: Client) -> None:
    assert 'value="climbing"' in text(owner.get("/app/waiver/new"))
    response = owner.post("/app/waiver/new", {"copy_of": "climbing", "title": ""})
    result = api.run("svc_waiver_get", id=response["Location"].split("/")[-1].removesuffix("?made"))
    assert result["title"] == "Climbing and bouldering" and len(result["clauses"]) == 9
    assert owner.post("/app/waiver/new", {"copy_of": "empty", "title": "Mine", "text": "Be careful"}).status_code == 303
    assert owner.post("/app/waiver/new", {"copy_of": "empty", "title": "Mine"}).status_code == 422


def test_questions_and_clauses_can_be_added_and_removed(api: Api, owner: Client, waiver: str) -> None:
    page = f"/app/waiver/{waiver}"
    fields = {
        "title": "Kayak",
        "text": "Be careful",
        "_has": ["clauses", "questions"],
        "clauses.0.key": "risk",
        "clauses.0.title": "Risk",
        "clauses.0.text": samples.CLAUSES[0]["text"],
        "clauses.0.initials": "true",
        "clauses.0.required": "true",
        "questions.0.label": "Size",
        "questions.0.type": "single_choice",
        "questions.0.options": "S\r\nM\r\n\r\nL",
        "questions.1.label": "Whom do we call?",
        "questions.1.required": "true",
        "questions.2.label": "",
        "questions.2.type": "",
    }
    assert owner.post(page, fields).status_code == 303
    result = api.run("svc_waiver_get", id=waiver)
    kinds = [
        (question["label"], question["type"], question["options"], question["required"])
        for question in result["questions"]
    ]
    assert kinds == [("Size", "single_choice", ["S", "M", "L"], False), ("Whom do we call?", "short_text", [], True)]
    assert result["version"] == 2 and result["required_version"] == 1
    assert "Do people have to sign again?" not in text(owner.get(page)), (
        "while nobody has signed, there is nobody to ask"
    )
    fresh = {**fields, "text": "Be careful out there", "clauses.1.title": "Pictures", "clauses.1.initials": "true"}
    stored = text(owner.post(page, {**fresh, "clauses.1.text": "", "questions.0.options": ""}))
    assert 'name="clauses.1.title"' in stored and 'name="clauses.1.required"' not in stored, (
        "it is not unticked by a fault"
    )
    assert owner.post(page, {**fresh, "clauses.1.text": "You may"}).status_code == 303
    result = api.run("svc_waiver_get", id=waiver)
    assert result["required_version"] == 1 and result["clauses"][1]["required"], "not asked while nobody has signed"
    assert owner.post(page, fields).status_code == 303
    row = api.account.waivers.get(pk=waiver)
    row.signed_count = 1
    row.save(update_fields=["signed_count"])
    assert "Do people have to sign again?" in text(owner.get(page))
    without = {
        **fields,
        "clauses.0.title": "",
        "clauses.0.text": "",
        "questions.0.label": "",
        "questions.0.options": "",
    }
    assert "Choose whether people have to sign again" in text(owner.post(page, without))
    assert owner.post(page, {**without, "material": "true"}).status_code == 303
    result = api.run("svc_waiver_get", id=waiver)
    assert (len(result["clauses"]), len(result["questions"]), result["required_version"]) == (0, 1, 5)
    worded = {**without, "text": "Be very careful"}
    assert "Be very careful" in text(owner.post(f"{page}/preview", worded)), "before anything is said of signatures"
    worded["questions.1.label"] = "Whom shall we call?"
    assert "Whom shall we call?" in text(owner.post(f"{page}/preview?step=sign", worded))
    assert owner.post(page, {**worded, "material": "false"}).status_code == 303
    assert api.run("svc_waiver_get", id=waiver)["required_version"] == 5
    wrong = owner.post(page, {**fields, "questions.0.options": ""})
    assert wrong.status_code == 422 and "Enter at least one option." in text(wrong)


def test_the_validity_is_chosen_or_typed(api: Api, owner: Client, waiver: str) -> None:
    page = f"/app/waiver/{waiver}/rules"
    for fields, stored in (
        ({"valid_for": "end_of_year"}, {"end_of_year": True}),
        ({"valid_for": "never"}, {}),
        ({"valid_for": "other", "_other": "18 months"}, {"months": 18}),
        ({"valid_for": "other", "_other": "2027-06-30"}, {"until": "2027-06-30"}),
    ):
        assert owner.post(page, fields).status_code == 303
        assert api.run("svc_waiver_get", id=waiver)["valid_for"] == stored
    assert 'value="2027-06-30"' in text(owner.get(page))
    wrong = owner.post(page, {"valid_for": "other", "_other": "a while"})
    assert wrong.status_code == 422 and "1 year" in text(wrong) and 'value="a while"' in text(wrong)


def test_a_persons_page_shows_everything_and_voids_one_sibling(api: Api, owner: Client, waiver: str) -> None:
    children = [samples.child(), samples.child("Eve King", "2018-03-04")]
    tim, eve = samples.sign(waiver, api.account, participants=children).signatures.order_by("id")
    other = str(api.run("svc_waiver_create", title="Climbing", text="Be careful")["id"])
    samples.sign(other, api.account, participants=children[:1])
    page = f"/app/waiver/{waiver}/signatures"
    assert "Tim King" in text(owner.get(f"{page}?q=tim&state=minor"))
    assert "No matches" in text(owner.get(f"{page}?q=tom")) and "No signatures with this status" in text(
        owner.get(f"{page}?state=voided")
    )
    shown = text(owner.get(f"{page}/{tim.pk}"))
    assert "Climbing" in shown and "Eve King" in shown and "No check-ins yet" in shown
    assert "Checked in" in text(owner.post(f"{page}/{tim.pk}/visit", **PART))
    assert owner.post(f"{page}/{tim.pk}/visit", {"back": "/app/waiver/door"})["Location"] == "/app/waiver/door"
    assert owner.post(f"{page}/{tim.pk}/visit", {"back": "//evil.example"})["Location"] == f"{page}/{tim.pk}"
    assert len(api.run("svc_waiver_get", id=tim.pk)["signed"]["visits"]) == 3
    assert owner.post(f"{page}/{tim.pk}", {"reason": ""}).status_code == 422
    assert owner.post(f"{page}/{tim.pk}", {"reason": "Wrong birth date", "ask_again": "true"}).status_code == 303
    tim.refresh_from_db()
    eve.refresh_from_db()
    assert tim.void_reason == "Wrong birth date" and eve.voided_at is None
    assert "Record a visit" not in text(owner.get(f"{page}/{tim.pk}"))
    assert owner.post(f"{page}/{tim.pk}/again").status_code == 303
    assert api.run("svc_waiver_get", id=waiver)["asked"][0]["email"] == "ada@example.com"


def test_check_in_shows_the_state_as_a_color_and_in_words(api: Api, owner: Client, waiver: str) -> None:
    signed = samples.sign(waiver, api.account).signatures.get()
    door = "/app/waiver/door"
    result = text(owner.get(f"{door}?q=ad+ki"))
    assert 'data-kind="good"' in result and "Valid until" in result and "Check in " in result and "born 1990" in result
    other = str(api.run("svc_waiver_create", title="Climbing", text="Be careful")["id"])
    samples.sign(other, api.account)
    api.run("svc_waiver_edit", id=waiver, text="Be more careful", material=True)
    result = text(owner.get(f"{door}?q=ada"))
    assert 'class="wo-card" data-kind="wait"' in result and "Must sign again" in result, (
        "of one waiver and not of the other"
    )
    narrowed = text(owner.get(f"{door}?q=ada&waiver={waiver}"))
    assert "Valid until" not in narrowed and "Check in " not in narrowed
    api.run("svc_waiver_void", signature_ids=[signed.pk], reason="Wrong")
    assert 'class="wo-card" data-kind="bad"' in text(owner.get(f"{door}?q=ada&waiver={waiver}"))
    assert "No matches" in text(owner.get(f"{door}?q=zzz"))
    listed = text(owner.get(f"{door}/list"))
    assert "1 person" in listed and "Ada King" in listed
    Signature.objects.update(created_at="2026-01-01T00:00:00Z")
    assert "No valid signatures" in text(owner.get(f"{door}/list?days=1"))


def test_a_pasted_list_of_addresses_is_invited(api: Api, owner: Client, waiver: str) -> None:
    page = f"/app/waiver/{waiver}/share/ask"
    assert "No requests yet" in text(owner.get(page))
    pasted = 'Bea <bea@example.com>; "Cleo, K." <cleo@example.com>,\n bea@example.com dora@example.com.'
    assert owner.post(page, {"list": pasted, "message": "See you"}).status_code == 303
    asked = {item["email"] for item in api.run("svc_waiver_get", id=waiver)["asked"]}
    assert asked == {"bea@example.com", "cleo@example.com", "dora@example.com"}
    assert "Sending" in text(owner.get(page))
    many = " ".join(f"a{n}@example.com" for n in range(101))
    for value, told in (
        ("nobody", "at least one email address"),
        (many, "at most 100"),
        ("ada@example.com a@b", "a@b: Enter a valid email address"),
    ):
        wrong = owner.post(page, {"list": value})
        assert wrong.status_code == 422 and told in text(wrong), value
