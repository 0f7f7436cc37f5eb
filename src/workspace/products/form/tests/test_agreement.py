"""A consent question is required by default. Existing forms do not change."""

from __future__ import annotations

from typing import Any

import pytest
from django.test import Client

from workspace.accounts.models import Account
from workspace.products.form.models import FormVersion
from workspace.testing.api import Api
from workspace.testing.samples.form import make_form

pytestmark = pytest.mark.django_db
ASKS: dict[str, Any] = {"label": "I agree", "type": "consent"}


def required(api: Api, id: str) -> dict[str, bool]:
    result = api.run("svc_form_get", id=id)
    return {field["key"]: field.get("required", False) for field in result["pages"][0]["fields"]}


def test_a_consent_is_required_unless_specified_otherwise(api: Api) -> None:
    fields = [
        {**ASKS, "key": "terms"},
        {**ASKS, "key": "news", "required": False},
        {"label": "Under 18?", "key": "young", "type": "yes_no"},
        {**ASKS, "key": "parents", "require_if": {"field": "young", "is": True}},
    ]
    id = make_form(api, fields=fields)["id"]
    asked = {"terms": True, "news": False, "young": False, "parents": False}
    assert required(api, id) == asked
    # the setting survives saving a form unchanged, other changes, and copying
    pages = api.run("svc_form_get", id=id)["pages"]
    api.run("svc_form_edit", id=id, pages=pages)
    assert api.run("svc_form_get", id=id)["version"] == 1
    api.run("svc_form_save_fields", id=id, items=[{"key": "news", "label": "You may write to me"}])
    assert required(api, id) == required(api, api.run("svc_form_create", title="Again", copy_of=id)["id"]) == asked
    assert FormVersion.objects.filter(form=id).count() == 2


def test_the_builder_requires_a_new_consent_and_respects_one_that_was_made_optional(api: Api, account: Account) -> None:
    owner = Client()
    owner.force_login(account.owner)
    id = make_form(api, fields=[{"label": "Name", "key": "name"}])["id"]
    home = f"/app/form/{id}"
    switch = owner.get(f"{home}/add?type=consent").content.decode().partition('name="required"')[2].partition(">")[0]
    assert "checked" in switch
    for label, more in (("Terms", {"required": "true"}), ("News", {})):
        owner.post(f"{home}/add?type=consent", {"type": "consent", "label": label, **more})
    assert required(api, id) == {"name": False, "terms": True, "news": False}
    owner.post(f"{home}/questions/news", {"type": "consent", "label": "Our news"})
    asked = {"type": "consent", "label": "Name"}
    redrawn = owner.post(f"{home}/questions/name", {**asked, "_redraw": "1"}).content.decode()
    assert "checked" in redrawn.partition('name="required"')[2].partition(">")[0]
    owner.post(f"{home}/questions/name", asked)  # made optional where it was offered
    assert required(api, id) == {"name": False, "terms": True, "news": False}
