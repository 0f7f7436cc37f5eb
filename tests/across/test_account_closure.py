"""Closing an account with items of every kind."""

from __future__ import annotations

import pytest
from django.apps import apps
from django.test import Client

from tests.across.samples import things
from workspace.accounts.account_deletion import purge_account
from workspace.accounts.models import Account
from workspace.publishing.models import Publication, State
from workspace.testing.api import Api

pytestmark = pytest.mark.django_db


def test_all_rows_are_deleted_and_addresses_return_gone(api: Api, stranger: Api) -> None:
    made = things(api)
    things(stranger)
    code = api.run("svc_qr_edit", id=made["code"], logo_id=api.run("svc_upload_file", content=_picture())["upload_id"])
    published = list(Publication.objects.filter(account=api.account))
    id = api.account.pk
    purge_account(Account.objects.get(pk=id))
    for model in apps.get_models():
        if any(field.name == "account" for field in model._meta.get_fields()):
            assert not model._default_manager.filter(account_id=id).exists(), model
    for publication in published:
        publication.refresh_from_db()
        assert publication.state is State.DELETED
    assert Client().get(f"/q/{code['slug']}").status_code == 410
    assert api.get("me")[0] == 401
    assert stranger.run("svc_qr_list")["total"] == 1


def _picture() -> str:
    from workspace.testing.pictures import picture

    return picture()
