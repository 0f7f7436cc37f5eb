"""Errors that only the server can detect are shown at their field, on the page of that field."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import Any

import pytest

from workspace.products.form.tests.guest import Guest
from workspace.testing.api import Api
from workspace.testing.samples.form import make_form

pytestmark = pytest.mark.django_db


@pytest.fixture(autouse=True)
def _people_take_their_time(time_machine: Any) -> None:
    time_machine.move_to(datetime(2026, 4, 2, 12, tzinfo=UTC))
    Guest.clock = time_machine


def test_a_guest_who_answers_twice_returns_to_the_email_field(api: Api) -> None:
    form = make_form(
        api,
        fields=[
            {"label": "Email", "key": "email", "type": "email"},
            {"type": "page", "label": "Then"},
            {"label": "Town", "key": "town"},
        ],
        one_per_email=True,
    )
    for address in ("ada@example.com", "Ada@example.com"):
        guest = Guest(f"/f/{form['slug']}")
        guest.send(email=address)
        guest.send(town="Wien")
    html = guest.response.content.decode()
    assert guest.response.status_code == 409 and guest.visible_fields == ["email"]
    assert 'href="#f-email"' in html and 'id="f-email-e"' in html
    text = f"already been used to submit a response. Use another one, or ask {api.account.name}"
    assert guest.sheet.text.count(text) == 2  # above the form and at the field
    guest.send(email="bo@example.com")
    guest.send()
    assert guest.response.status_code == 303


def test_fields_that_changed_with_the_answers_are_named(api: Api) -> None:
    fields = [
        {"label": "Tickets", "key": "n", "type": "integer"},
        {"label": "Price", "key": "price", "type": "calculated", "formula": "{n} * 12.5"},
        {"label": "For whom?", "key": "whom", "show_if": {"field": "n", "gt": 1}},
    ]
    guest = Guest(f"/f/{make_form(api, fields=fields)['slug']}")
    guest.send(n="3")
    above = guest.response.content.decode().partition('id="wrong"')[2].partition("</div>")[0]
    assert 'href="#f-price"' in above and ": 37.50" in above and 'href="#f-whom"' in above and "f-n" not in above
    assert 'id="f-price"' in guest.sheet.html
