"""Undo of changes to codes: edits, styles, pauses, slugs, deletions, and lists."""

from __future__ import annotations

from typing import Any

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from workspace.accounts.models import Upload
from workspace.products.qr.models import Code
from workspace.products.qr.tests.guests import scan
from workspace.products.qr.tests.images import logo
from workspace.publishing.models import Address
from workspace.testing.api import Api, make_account, make_api

pytestmark = pytest.mark.django_db


def now(api: Api, code: dict) -> Any:
    return api.run("svc_qr_get", id=code["id"]) | {"updated_at": "", "retargets": []}


def build_items(count: int) -> list[dict]:
    return [{"name": f"Table {n}", "target_url": f"example.com/?table={n}", "folder": "Tables"} for n in range(count)]


@pytest.mark.parametrize(
    ("fields", "before"),
    [
        ({"name": "Card", "folder": ""}, {"name": "Menu", "folder": "Tables"}),
        ({"target_url": "example.com/winter"}, {"target_url": "https://example.com/menu"}),
        ({"preset": "ocean"}, {"style": {}}),
        ({"live": False}, {"live": True}),
        ({"expires_at": "2999-01-01T00:00:00Z"}, {"expires_at": None}),
        ({"slug": "summer"}, None),
    ],
)
def test_an_edit_returns_former_values_and_can_be_undone(
    fields: dict, before: dict | None, api: Api, code: dict
) -> None:
    was = now(api, code)
    change = api.run("svc_qr_edit", id=code["id"], **fields)["change"]
    assert change["before"] == {code["id"]: before or {"slug": code["slug"]}}
    assert now(api, code) != was
    api.run("svc_undo")
    assert now(api, code) | {"slugs": []} == was | {"slugs": []}


def test_an_edit_without_changes_answers_that_nothing_changed(api: Api, code: dict) -> None:
    status, body = api.post("qr/edit", {"id": code["id"], "name": "Menu", "live": True})
    assert (status, body["data"]["change"]) == (200, None)
    assert body["text"].startswith("**No changes to “")


def test_a_password_is_secret_and_cannot_be_restored(api: Api, code: dict) -> None:
    change = api.run("svc_qr_edit", id=code["id"], password="sesame")["change"]
    assert change["cannot_be_undone"]
    assert "sesame" not in str(change)


def test_undoing_an_edit_restores_the_logo(api: Api, code: dict) -> None:
    upload = api.run("svc_upload_file", content=logo())["upload_id"]
    api.run("svc_qr_edit", id=code["id"], logo_id=upload)
    api.run("svc_qr_edit", id=code["id"], logo_id="")
    api.run("svc_undo")
    assert now(api, code)["logo_id"] == upload
    assert Upload.objects.get(pk=upload).use_count == 1


def test_deleted_codes_are_restored_with_their_ids_and_addresses(api: Api, code: dict) -> None:
    other = api.run("svc_qr_create", name="Other", target_url="example.org")
    scan(code)
    was = now(api, code)
    api.run("svc_qr_delete", ids=[code["id"], other["id"]])
    assert [scan(item).status_code for item in (code, other)] == [410, 410]
    api.run("svc_undo")
    assert now(api, code) == was
    assert [scan(item).status_code for item in (code, other)] == [302, 302]


def test_restoring_codes_requires_room_within_the_plans_limit() -> None:
    api = make_api(make_account(qr="free"))
    made = api.run("svc_qr_save", items=build_items(10))["items"]
    deleted = api.run("svc_qr_delete", ids=[row["id"] for row in made[:3]])["change"]["id"]
    api.run("svc_qr_save", items=build_items(2))
    assert "Your plan doesn’t allow 3 more QR codes" in api.refuse("svc_undo", change_id=deleted)["message"]
    assert api.run("svc_qr_list")["total"] == 9


def test_undoing_a_creation_frees_the_address_if_no_guest_visited_it(api: Api) -> None:
    api.run("svc_qr_create", name="Menu", target_url="example.com")
    api.run("svc_undo")
    assert not Code._base_manager.exists()
    assert not Address.objects.exists()


def test_a_list_is_undone_as_a_whole(api: Api, code: dict) -> None:
    other = api.run("svc_qr_create", name="Other", target_url="example.org")
    was = now(api, code), now(api, other)
    items = [*build_items(3), {"id": code["id"], "name": "Card", "target_url": "example.com/card", "preset": "soft"}]
    saved = api.run("svc_qr_save", items=items, remove=[other["id"]])
    assert (saved["created"], saved["changed"], saved["removed"]) == (3, 1, 1)
    api.run("svc_undo")
    assert (now(api, code), now(api, other)) == was
    assert api.run("svc_qr_list")["total"] == 2


def test_a_list_and_its_undo_take_the_same_queries_for_three_and_for_sixty_codes(api: Api) -> None:
    def queries(name: str, **arguments: Any) -> int:
        with CaptureQueriesContext(connection) as context:
            api.run(name, **arguments)
        return len(context)

    def costs(count: int) -> list[int]:
        made = api.run("svc_qr_save", items=build_items(count))["items"]
        edits = [{"id": row["id"], "name": "X", "target_url": "example.org", "preset": "soft"} for row in made]
        ids = [row["id"] for row in made]
        return [
            queries("svc_qr_save", items=build_items(count)),
            queries("svc_undo"),
            queries("svc_qr_save", items=edits),
            queries("svc_undo"),
            queries("svc_qr_delete", ids=ids),
            queries("svc_undo"),
        ]

    costs(3)  # warm the caches
    assert costs(3) == costs(60)
