"""A form has one clear state in the list and on its pages, and so does a response wherever it is opened."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import Any

import pytest
from django.test import Client

from workspace.accounts.models import Account
from workspace.products.form.models import Form
from workspace.testing.api import Api
from workspace.testing.samples.form import make_form, submit_response

pytestmark = pytest.mark.django_db


@pytest.fixture
def owner(account: Account) -> Client:
    client = Client()
    client.force_login(account.owner)
    return client


def state(owner: Client, id: str) -> tuple[str, str]:
    """Return the state in the list and in the header."""
    listed = owner.get("/app/form").content.decode().partition('class="thing-state">')[2].partition("</p>")[0]
    head = owner.get(f"/app/form/{id}").content.decode().partition('class="frame-state">')[2].partition("</div>")[0]
    return listed, head


@pytest.mark.parametrize(
    ("given", "word"),
    [
        ({"max_responses": 1}, "Full"),
        ({"closes_at": datetime(2020, 1, 1, tzinfo=UTC)}, "Ended"),
        ({"accepting": False}, "Paused"),
    ],
)
def test_a_form_that_accepts_no_answers_is_not_shown_as_live(
    owner: Client, api: Api, given: dict[str, Any], word: str
) -> None:
    id = make_form(api)["id"]
    submit_response(id)
    listed, head = state(owner, id)
    assert ">Live<" in listed and ">Live<" in head
    Form.objects.filter(pk=id).update(**given)
    listed, head = state(owner, id)
    assert f">{word}<" in listed and "Live" not in listed and 'data-kind="good"' not in listed
    assert (
        head.count(f">{word}<") == 1
        and head.count("badge") <= 1
        and ">Live<" not in head
        and 'aria-checked="true"' not in head
    )
    assert ("Reopen" in head) is (word != "Paused")  # the switch reopens a paused form


def test_opening_a_response_by_its_url_marks_it_as_read(owner: Client, api: Api) -> None:
    form = make_form(api)
    at = f"/app/form/{form['id']}/responses/{submit_response(form['id'])}"

    def new() -> int:
        total: int = api.run("svc_form_find_responses", id=form["id"], status="new")["total"]
        return total

    opened = owner.get(at).content.decode()
    assert new() == 1, "a browser may fetch it ahead"
    assert f'hx-post="{at}?whole" hx-trigger="load"' in opened
    read = owner.post(f"{at}?whole", headers={"HX-Request": "true"}).content.decode()
    assert new() == 0 and 'id="response"' in read and "Mark as unread" in read and "?whole" not in read
