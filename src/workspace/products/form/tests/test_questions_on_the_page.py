"""Questions are typed on the page: their words are changed in place, and the next one follows the question above it."""

from __future__ import annotations

from typing import Any

import pytest
from django.test import Client

from workspace.accounts.models import Account
from workspace.testing.api import Api

pytestmark = pytest.mark.django_db

PARTIAL = {"HTTP_HX_REQUEST": "true"}
FIELDS: list[dict[str, Any]] = [
    {"label": "Name", "key": "name", "required": True, "help": "First and last", "max_length": 80},
    {"label": "Party", "key": "party", "type": "single_choice", "options": ["Wedding", "Birthday"]},
    {"label": "Venue", "key": "venue", "show_if": {"field": "party", "is": "Wedding"}},
]


@pytest.fixture
def owner(account: Account) -> Client:
    client = Client()
    client.force_login(account.owner)
    return client


def list_fields(api: Api, id: str) -> list[dict[str, Any]]:
    return [field for page in api.run("svc_form_get", id=id)["pages"] for field in page["fields"]]


def test_changing_the_words_of_a_question_keeps_its_settings(api: Api, owner: Client) -> None:
    id = api.run("svc_form_create", title="Party", fields=FIELDS)["id"]
    before = list_fields(api, id)
    at = f"/app/form/{id}/questions/name/label"
    assert owner.post(at, {"label": " Your name "}, **PARTIAL).status_code == 204
    assert list_fields(api, id) == [{**before[0], "label": "Your name"}, *before[1:]]
    assert owner.post(at, {"label": "Who?"})["Location"] == f"/app/form/{id}#q-name", "without scripts"
    owner.post(at, {"label": ""}, **PARTIAL)
    assert list_fields(api, id)[0]["label"] == "Who?", "a question needs words"


def test_the_next_question_follows_the_one_above_it(api: Api, owner: Client) -> None:
    form = api.run("svc_form_create", title="Party", fields=FIELDS)
    at = f"/app/form/{form['id']}/add?page={form['pages'][0]['key']}"
    sent = {"_quick": "yes", "label": "Email", "type": "email", "_after": "name"}
    html = owner.post(at, sent, **PARTIAL).content.decode()
    assert [field["key"] for field in list_fields(api, form["id"])] == ["name", "email", "party", "venue"]
    assert 'data-continue="email"' in html, "the one after it can be typed at once"
    owner.post(at, {"_quick": "yes", "label": "Anything else?", "type": "long_text", "_after": ""})
    assert [field["label"] for field in list_fields(api, form["id"])][-1] == "Anything else?"
    owner.post(at, {"_quick": "yes", "label": "At the end", "type": "short_text", "_after": "gone"})
    assert [field["label"] for field in list_fields(api, form["id"])][-1] == "At the end"


def test_a_question_that_needs_options_opens_its_form(api: Api, owner: Client) -> None:
    form = api.run("svc_form_create", title="Party", fields=FIELDS)
    at = f"/app/form/{form['id']}/add?page={form['pages'][0]['key']}"
    answer = owner.post(at, {"_quick": "yes", "label": "Meal", "type": "single_choice"}, **PARTIAL)
    html = answer.content.decode()
    assert 'value="Meal"' in html and 'name="options"' in html and "form-errors" not in html
    assert len(list_fields(api, form["id"])) == 3


def test_the_page_draws_questions_as_guests_see_them(api: Api, owner: Client) -> None:
    fields = [
        *FIELDS,
        {"label": "Stars", "type": "rating", "max": 4},
        {"label": "Scale", "type": "scale", "min": 1, "max": 3},
    ]
    id = api.run("svc_form_create", title="Party", fields=fields)["id"]
    html = owner.get(f"/app/form/{id}").content.decode()
    assert "First and last" in html and "<bdi>Wedding</bdi>" in html and "☆☆☆☆</span>" in html
    assert "<span>1</span><span>2</span><span>3</span>" in html
    assert "shown when Party is Wedding" in html


def test_a_condition_is_edited_beside_its_question(api: Api, owner: Client) -> None:
    id = api.run("svc_form_create", title="Party", fields=FIELDS)["id"]
    at = f"/app/form/{id}/logic/questions/venue?at=question"
    assert f'hx-get="{at}"' in owner.get(f"/app/form/{id}").content.decode()
    assert f'action="{at}"' in owner.get(at, **PARTIAL).content.decode()
    rule = {"joint": "all", "field": "party", "op": "is", "value": "Birthday"}
    assert "shown when Party is Birthday" in owner.post(at, rule, **PARTIAL).content.decode(), "the list of questions"
    assert owner.post(at, rule)["Location"] == f"/app/form/{id}#q-venue"
    assert list_fields(api, id)[2]["show_if"] == {"field": "party", "op": "is", "value": "Birthday"}
