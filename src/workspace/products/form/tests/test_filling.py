"""Answers given by the owner: for someone who called, and prefilled in a link."""

from __future__ import annotations

import html

import pytest
from django.test import Client

from workspace.accounts.models import Account
from workspace.delivery.models import Delivery
from workspace.products.form.models import Response
from workspace.products.form.tests.guest import Guest
from workspace.testing.api import Api
from workspace.testing.samples.form import make_form

pytestmark = pytest.mark.django_db

FIELDS = [
    {"key": "name", "label": "Your name", "required": True},
    {"key": "menu", "label": "Menu", "type": "multi_choice", "options": ["Garden & more", "Grill"], "other": True},
    {"key": "who", "label": "From where", "type": "hidden"},
    {"key": "sign", "label": "Signature", "type": "signature", "required": True},
    {"key": "ok", "label": "I agree", "type": "consent", "required": True},
]


@pytest.fixture
def owner(account: Account) -> Client:
    client = Client()
    client.force_login(account.owner)
    return client


def test_a_response_by_phone_can_be_added_and_marked(owner: Client, api: Api) -> None:
    form = make_form(api, fields=FIELDS, max_responses=1, accepting=False)
    results = f"/app/form/{form['id']}/results"
    assert "No visits in this period" in owner.get(results).content.decode()
    at = f"/app/form/{form['id']}/responses"
    refused = owner.post(f"{at}/add", {"f-menu": "Grill", "f-menu-other": "Soup"})
    text = refused.content.decode()
    assert refused.status_code == 422 and "Your name</bdi></a>: Answer this question" in text and 'value="Soup"' in text
    assert "I agree" not in text and not Response.objects.exists()

    assert owner.post(f"{at}/add", {"f-name": "Ada", "f-menu": "Grill", "f-menu-other": "Soup"}).status_code == 303
    [stored] = Response.objects.all()
    assert (stored.by_owner, stored.read_at is not None) == (True, True) and not Delivery.objects.exists()
    assert stored.answers == {"name": "Ada", "menu": ["Grill", "Soup"]}
    assert "Added by you" in owner.get(at).content.decode()
    text = owner.get(results).content.decode()
    assert "Based on the newest response." in text and "No visits in this period" not in text, (
        "also where nobody was counted"
    )


def test_a_link_opens_the_form_with_prefilled_answers(owner: Client, api: Api) -> None:
    form = make_form(api, fields=FIELDS)
    at = f"/app/form/{form['id']}/share/link"
    assert "Fill in at least one answer" in owner.get(at).content.decode()
    page = owner.get(at, {"f-name": "Ada Bäcker", "f-menu": ["Garden & more", "Grill"], "f-who": "insta"}).content
    link = f"{form['public_url']}?name=Ada+B%C3%A4cker&menu=Garden+%26+more&menu=Grill&who=insta"
    assert html.escape(link) in page.decode()
    sheet = Guest(link.removeprefix("http://127.0.0.1:8000")).sheet
    imported = [("f-name", "Ada Bäcker"), ("f-menu", "Garden & more"), ("f-menu", "Grill"), ("f-who", "insta")]
    assert [item for item in sheet.sent if item in imported] == imported
