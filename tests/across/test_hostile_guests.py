"""A guest who submits a form while the owner deletes the item sees a friendly page, never an error."""

from __future__ import annotations

import re
from typing import Any

import pytest
from django.test import Client

from workspace.public_site import guest_form, spam_protection
from workspace.testing.api import Api, make_api

pytestmark = pytest.mark.django_db(transaction=True)


def test_contact_details_left_with_a_card_being_deleted_are_declined(monkeypatch: pytest.MonkeyPatch) -> None:
    api: Api = make_api()
    card = api.run("svc_card_create", full_name="Jane Doe", lead_capture=True)
    monkeypatch.setattr(
        guest_form, "check_submission", lambda request, form, min_seconds: spam_protection.SpamVerdict.FINE
    )
    guest = Client(raise_request_exception=False)
    path = f"/c/{card['slug']}/exchange"
    hidden = dict(re.findall(r'name="([^"]+)" value="([^"]*)"', guest.get(path).content.decode()))
    acting = guest_form.guest_transaction

    def late(*given: Any) -> Any:
        api.run("svc_card_delete", ids=[card["id"]])
        return acting(*given)

    monkeypatch.setattr(guest_form, "guest_transaction", late)
    form = {**hidden, "name": "Gus Guest", "email": "gus@example.com", "agreed": "yes"}
    response = guest.post(path, form)
    assert response.status_code == 410
