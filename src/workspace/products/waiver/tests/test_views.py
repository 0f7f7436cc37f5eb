"""The guest's form without scripts, and the dashboard pages."""

from __future__ import annotations

import json
import re
from datetime import timedelta
from typing import Any

import pytest
import time_machine
from django.test import Client

from workspace.lib import clock
from workspace.products.waiver.models import Signing
from workspace.testing.api import Api
from workspace.testing.samples import waiver as samples

pytestmark = pytest.mark.django_db
_HIDDEN = re.compile(r'<input type="hidden" name="([^"]+)" value="([^"]*)"')
BROWSER = {"user-agent": "Mozilla/5.0 (X11; Linux) Firefox/140.0", "sec-fetch-site": "same-origin"}
TYPED = {
    "name": "Ada King",
    "email": "ada@example.com",
    "born-day": "1",
    "born-month": "5",
    "born-year": "1990",
    "initials-risk": "AK",
    "answer-emergency_contact": "Bob",
    "typed": "Ada King",
    "consent": "yes",
}


@pytest.fixture
def waiver_data(api: Api) -> dict[str, Any]:
    clauses = [*samples.CLAUSES, {"title": "Pictures", "text": "You may", "initials": True, "required": False}]
    result: dict[str, Any] = api.run(
        "svc_waiver_create",
        title="Kayak",
        text="# Rules\n\nBe <b>careful</b> [here](javascript:alert(1))",
        clauses=clauses,
        questions=samples.QUESTIONS,
    )
    return result


def send(path: str, **typed: str) -> Any:
    """Open the form and send it half a minute later. Fields with the value None are left out."""
    client = Client(headers=BROWSER)
    fields = dict(_HIDDEN.findall(client.get(path).content.decode()))
    with time_machine.travel(clock.now() + timedelta(seconds=30)):
        return client.post(path, {**fields, **typed})


def test_a_guardian_signs_for_a_child_on_the_page(waiver_data: dict[str, Any]) -> None:
    path = f"/w/{waiver_data['slug']}/sign"
    added = send(path, **TYPED, add="1").content.decode()
    assert 'name="child-0-born-year"' in added and 'value="Ada King"' in added and "I’m also taking part" in added
    child = {
        "children": "1",
        "child-0-name": "Tim King",
        "child-0-born-day": "2",
        "child-0-born-month": "1",
        "child-0-born-year": "2016",
        "child-0-relationship": "Mother",
    }
    sent = send(path, **TYPED, **child)
    assert (sent.status_code, sent["Location"]) == (303, f"{path}?signed")
    assert [signature.name for signature in Signing.objects.get().signatures.all()] == ["Tim King"]
    text = Client().get(f"{path}?signed").content.decode()
    assert "You’ve signed. Your copy will arrive" in text, "where all must give an address, nobody wonders"


def test_a_drawn_signature_is_accepted_and_restored_after_an_error(api: Api, waiver_data: dict[str, Any]) -> None:
    path, strokes = f"/w/{waiver_data['slug']}/sign", [[[n * 9, n % 5] for n in range(20)]]
    drawn = {**TYPED, "typed": "", "drawn": json.dumps(strokes)}
    back = send(path, **{**drawn, "name": ""}).content.decode()
    assert f'value="{json.dumps(strokes)}" data-drawn' in back and 'id="typed-error"' not in back
    assert send(path, **drawn).status_code == 303
    signing = Signing.objects.get()
    assert (signing.signature_kind, signing.strokes, signing.typed_name) == ("drawn", strokes, "")
    api.run("svc_waiver_edit", id=waiver_data["id"], signature="typed")
    assert "data-draw" not in Client().get(path).content.decode()
    assert 'id="typed-error"' in send(path, **drawn).content.decode()
    api.run("svc_waiver_edit", id=waiver_data["id"], signature="drawn")
    only = Client().get(path).content.decode()
    assert 'name="typed"' not in only and "Turn on JavaScript" in only
    assert 'id="typed-error">Draw your signature.' in send(path, **TYPED).content.decode()


def test_url_parameters_prefill_participants_but_never_sign(waiver_data: dict[str, Any]) -> None:
    asked = "name=Ada&child-0-name=Tim&children=1&born-year=1990&answer-emergency_contact=Bob"
    signs = "token=abcdefgh1234&consent=yes&typed=Ada&drawn=[]&marketing=yes&initials-risk=AK&stamp=x&version=7"
    html = Client().get(f"/w/{waiver_data['slug']}/sign?{asked}&{signs}").content.decode()
    for value in ("Ada", "Tim", "1990", "Bob"):
        assert f'value="{value}"' in html
    assert 'value="abcdefgh1234"' not in html and " checked" not in html and 'value="AK"' not in html
    assert 'name="typed" value=""' in html


def test_each_problem_is_shown_beside_its_field_and_nothing_is_saved(waiver_data: dict[str, Any]) -> None:
    path = f"/w/{waiver_data['slug']}/sign"
    wrong = {
        "name": "",
        "email": "x",
        "born-day": "1",
        "born-month": "5",
        "born-year": "90",
        "initials-risk": "",
        "answer-emergency_contact": "",
        "typed": "",
    }
    child = {
        "children": "1",
        "child-0-name": "Tim",
        "child-0-born-day": "1",
        "child-0-born-month": "1",
        "child-0-born-year": "1990",
    }
    answer = send(path, **wrong, **child)
    html = answer.content.decode()
    assert answer.status_code == 400 and answer["Cache-Control"] == "no-store"
    fields = ["name", "email", "born", "initials-risk", "answer-emergency_contact", "typed", "consent", "child-0-born"]
    for name in fields:
        assert f'id="{name}-error"' in html, name
    assert 'value="90"' in html and "four digits for the year" in html and not Signing.objects.exists()
    assert send(path, **TYPED, children="9999").status_code == 303, "places that were left empty are nobody"


def test_html_in_an_owners_text_is_escaped(waiver_data: dict[str, Any]) -> None:
    html = Client().get(f"/w/{waiver_data['slug']}").content.decode()
    assert "<h3>Rules</h3>" in html and "&lt;b&gt;careful" in html and 'javascript:alert(1)"' not in html


def test_a_closed_waiver_shows_a_notice_and_accepts_nothing(api: Api, waiver_data: dict[str, Any]) -> None:
    path = f"/w/{waiver_data['slug']}/sign"
    api.run("svc_waiver_edit", id=waiver_data["id"], accepting=False)
    assert "isn’t open for signing right now" in Client().get(path).content.decode()
    assert send(path, **TYPED).status_code != 303 and not Signing.objects.exists()


def test_saving_the_text_preserves_fields_that_the_page_does_not_show(api: Api, waiver_data: dict[str, Any]) -> None:
    owner = Client()
    owner.force_login(api.account.owner)
    page = owner.get(f"/app/waiver/{waiver_data['id']}").content.decode()
    fields = dict(_HIDDEN.findall(page.split("<form", 2)[2]))
    inputs = re.findall(r'<(?:input|textarea)[^>]* name="(clauses\.\d+\.(?:title|text))"', page)
    assert inputs
    shown = {name: value for name, value in fields.items() if name.startswith("clauses.")}
    texts = {"clauses.0.title": "Risk", "clauses.0.text": "I know that a kayak turns over"}
    texts |= {"clauses.1.title": "Pictures", "clauses.1.text": "You may"}
    ticks = {"clauses.0.initials": "true", "clauses.1.initials": "true"}
    ticks |= {"clauses.0.required": "true", "clauses.1.required": "false"}
    sent = owner.post(
        f"/app/waiver/{waiver_data['id']}",
        {"title": "Kayak trip", "text": waiver_data["text"], **shown, **texts, **ticks},
    )
    assert sent.status_code == 303, sent.content.decode()[-3000:]
    result = api.run("svc_waiver_get", id=waiver_data["id"])
    assert result["title"] == "Kayak trip" and result["clauses"] == waiver_data["clauses"]


def test_each_problem_links_to_its_field(waiver_data: dict[str, Any]) -> None:
    path = f"/w/{waiver_data['slug']}/sign"
    page = send(
        path, **{**TYPED, "name": "", "born-year": "", "typed": "", "answer-emergency_contact": "", "consent": ""}
    )
    html = page.content.decode()
    links = re.findall(r'<li><a href="#([^"]+)">', html)
    assert links == ["name", "born-day", "answer-emergency_contact", "typed", "consent"]
    for anchor in links:
        assert html.count(f' id="{anchor}"') == 1, anchor
    assert "Your full name: Fill in this field." in html


def test_the_birth_date_field_explains_who_is_too_young_to_sign(api: Api, waiver_data: dict[str, Any]) -> None:
    path = f"/w/{waiver_data['slug']}/sign"
    text = "A parent or guardian must sign for you."
    young = str(clock.now().year - 10)
    assert f'data-too-young="{text}" data-age="18"' in Client(headers=BROWSER).get(path).content.decode()
    html = send(path, **{**TYPED, "born-year": young}).content.decode()
    assert f'<a href="#born-day">Date of birth: {text}</a>' in html
    assert f'<p class="error" id="born-error">{text}</p>' in html
    api.run("svc_waiver_edit", id=waiver_data["id"], minors="allowed")
    assert "data-too-young" not in Client(headers=BROWSER).get(path).content.decode()
