"""The owner's pages for a form's logic describe rules in sentences, including unreachable pages."""

from __future__ import annotations

import re
from typing import Any

import pytest
from django.test import Client

from workspace.accounts.models import Account
from workspace.testing.api import Api
from workspace.testing.samples.form import make_form

pytestmark = pytest.mark.django_db

PAGES: list[dict[str, Any]] = [
    {
        "key": "one",
        "title": "You",
        "fields": [
            {"key": "who", "label": "Your name"},
            {"key": "n", "label": "How many?", "type": "number", "require_if": {"field": "who", "is_answered": True}},
            {"key": "day", "label": "Which day?", "type": "date", "show_if": {"field": "n", "gt": 2}},
        ],
        "next": [{"go_to": "three"}],
    },
    {"key": "two", "fields": [{"key": "lost", "label": "Lost"}]},
    {"key": "three", "title": "Food", "fields": [{"key": "food", "label": "Food", "type": "radio", "options": ["A"]}]},
]


@pytest.fixture
def owner(account: Account) -> Client:
    client = Client()
    client.force_login(account.owner)
    return client


def test_a_rule_has_the_comparisons_of_its_answer_and_is_described_in_sentences(owner: Client, api: Api) -> None:
    form = make_form(api, pages=PAGES)
    assert form["never"] == ["two", "lost"]
    at = f"/app/form/{form['id']}/logic"
    html = owner.get(at).content.decode()
    for told in ("No path reaches this page", "when How many? is more than 2", "Your name is answered"):
        assert told in html, told

    def tried(part: str, field: str, op: str, value: str = "", **more: str) -> str:
        rows = {"joint": "all", "field": field, "op": op, "value": value, **more}
        return owner.post(f"{at}/{part}", rows).content.decode()

    redrawn = tried("questions/day", "who", "gt", _redraw="1")
    assert "contains" in redrawn and "is more than" not in redrawn and "is after" not in redrawn
    assert "is on or after" in tried("questions/n", "day", "is", _redraw="1")
    refused = tried("questions/n", "day", "is", "2027-01-01")
    assert "These questions depend on each other: “How many?” → “Which day?” → “How many?”" in refused
    assert "“Your name” supports only these comparisons: is, is not" in tried("questions/n", "who", "gt", "3")
    assert "“Food” is on a later page" in tried("questions/n", "food", "is", "A")
    assert "Enter a value to compare with." in tried("required/day", "who", "is")

    owner.post(f"{at}/required/day", {"joint": "all", "field": "n", "op": "gte", "value": "3"})
    [result] = [
        field for field in api.run("svc_form_get", id=form["id"])["pages"][0]["fields"] if field["key"] == "day"
    ]
    assert result["require_if"] == {"field": "n", "op": "gte", "value": "3"}

    at = f"/app/form/{form['id']}"
    added = owner.get(f"{at}/add?page=two&type=calculated").content.decode()
    assert "<code>{n}</code> <bdi>How many?</bdi>" in added, "what a formula may name"
    assert "data-keys" not in owner.get(f"{at}/add?page=one&type=number").content.decode()

    def visible_preview(step: str, **typed: str) -> str:
        """Return the visible part of the preview."""
        page = owner.post(f"{at}/preview?step={step}", typed) if typed else owner.get(f"{at}/preview?step={step}")
        return re.sub("<template>.*?</template>", "", page.content.decode(), flags=re.DOTALL)

    assert "Your name" in visible_preview("gone") and "Which day?" not in visible_preview("gone")
    assert "Which day?" in visible_preview("day"), "also while its rule hides it"
    assert 'data-key="food"' in visible_preview("food") and 'data-key="who"' not in visible_preview("food")
    typed = visible_preview("@three", _question="", _page="three", type="short_text", label="Allergies?")
    assert "Allergies?" in typed and "Food" in typed

    answers = {"who": "Ada", "n": "3", "nope": "x"}
    assert api.run("svc_form_test", id=form["id"], answers=answers)["ignored"] == ["nope"]
