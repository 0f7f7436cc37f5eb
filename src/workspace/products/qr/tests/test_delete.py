"""Deletion of codes."""

from __future__ import annotations

from datetime import timedelta

import pytest

from workspace.accounts.models import Upload
from workspace.lib import clock
from workspace.products.qr.tests.guests import scan
from workspace.products.qr.tests.images import logo
from workspace.publishing.models import PublishedItem
from workspace.testing.api import Api

pytestmark = pytest.mark.django_db


def test_all_addresses_of_a_deleted_code_return_gone(api: Api, code: dict) -> None:
    api.run("svc_qr_edit", id=code["id"], slug="summer")
    assert api.run("svc_qr_delete", ids=[code["id"]])["deleted"] == [{"id": code["id"], "title": "Menu"}]
    for slug in (code["slug"], "summer"):
        response = scan(slug)
        assert response.status_code == 410 and "removed" in response.content.decode()
        assert scan(f"{slug}+").status_code == 410
        assert scan(f"{slug}.svg").status_code == 410


def test_the_owner_no_longer_sees_a_deleted_code(api: Api, code: dict) -> None:
    api.run("svc_qr_delete", ids=[code["id"]])
    assert api.run("svc_qr_list")["total"] == 0
    for tool in ("svc_qr_get", "svc_qr_stats", "svc_qr_edit"):
        assert api.refuse(tool, id=code["id"])["error"] == "not_found"


def test_the_logo_is_released_when_the_code_is_purged(api: Api, code: dict, time_machine) -> None:
    upload = api.run("svc_upload_file", content=logo())["upload_id"]
    api.run("svc_qr_edit", id=code["id"], logo_id=upload)
    api.run("svc_qr_delete", ids=[code["id"]])
    assert Upload.objects.get(pk=upload).use_count == 1, "it may come back"
    time_machine.move_to(clock.now() + timedelta(days=31))
    PublishedItem.purge_deleted()
    assert Upload.objects.get(pk=upload).use_count == 0
    assert scan(code).status_code == 410


def test_another_account_cannot_delete_a_code(stranger: Api, code: dict) -> None:
    assert stranger.refuse("svc_qr_delete", ids=[code["id"]])["error"] == "not_found"
    assert scan(code).status_code == 302
