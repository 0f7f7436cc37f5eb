"""Taking back what was done to codes: edits, looks, pauses, moves, deletions, and lists of them."""

from __future__ import annotations

from typing import Any

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from workspace.accounts.models import Upload
from workspace.products.qr.models import Code
from workspace.products.qr.tests.guests import scan
from workspace.products.qr.tests.pictures import logo
from workspace.publishing.models import Address
from workspace.testing.api import Api, make_account, make_api

pytestmark = pytest.mark.django_db


def now(api: Api, code: dict) -> Any:
    return api.run("svc_qr_get", id=code["id"]) | {"updated_at": "", "retargets": []}


def rows(count: int) -> list[dict]:
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
def test_an_edit_says_what_was_before_and_is_taken_back(
    fields: dict, before: dict | None, api: Api, code: dict
) -> None:
    was = now(api, code)
    change = api.run("svc_qr_edit", id=code["id"], **fields)["change"]
    assert change["before"] == {code["id"]: before or {"slug": code["slug"]}}
    assert now(api, code) != was
    api.run("svc_undo")
    assert now(api, code) | {"slugs": []} == was | {"slugs": []}


def test_an_edit_that_changes_nothing_says_so(api: Api, code: dict) -> None:
    status, body = api.post("qr/edit", {"id": code["id"], "name": "Menu", "live": True})
    assert (status, body["data"]["change"]) == (200, None)
    assert body["text"].startswith("**Nothing changed")


def test_a_password_is_secret_and_cannot_be_put_back(api: Api, code: dict) -> None:
    change = api.run("svc_qr_edit", id=code["id"], password="sesame")["change"]
    assert change["cannot_be_undone"]
    assert "sesame" not in str(change)


def test_a_logo_comes_back_with_the_edit_that_is_taken_back(api: Api, code: dict) -> None:
    upload = api.run("svc_upload_file", content=logo())["upload_id"]
    api.run("svc_qr_edit", id=code["id"], logo_id=upload)
    api.run("svc_qr_edit", id=code["id"], logo_id="")
    api.run("svc_undo")
    assert now(api, code)["logo_id"] == upload
    assert Upload.objects.get(pk=upload).use_count == 1


def test_deleted_codes_come_back_with_their_ids_and_addresses(api: Api, code: dict) -> None:
    other = api.run("svc_qr_create", name="Other", target_url="example.org")
    scan(code)
    was = now(api, code)
    api.run("svc_qr_delete", ids=[code["id"], other["id"]])
    assert [scan(one).status_code for one in (code, other)] == [410, 410]
    api.run("svc_undo")
    assert now(api, code) == was
    assert [scan(one).status_code for one in (code, other)] == [302, 302]


def test_what_comes_back_needs_room_in_the_plan() -> None:
    api = make_api(make_account(qr="free"))
    made = api.run("svc_qr_save_codes", items=rows(10))["items"]
    deleted = api.run("svc_qr_delete", ids=[row["id"] for row in made[:3]])["change"]["id"]
    api.run("svc_qr_save_codes", items=rows(2))
    assert "no room for 3" in api.refuse("svc_undo", change_id=deleted)["message"]
    assert api.run("svc_qr_list")["total"] == 9


def test_a_making_that_is_taken_back_frees_the_address_where_no_guest_came(api: Api) -> None:
    api.run("svc_qr_create", name="Menu", target_url="example.com")
    api.run("svc_undo")
    assert not Code._base_manager.exists()
    assert not Address.objects.exists()


def test_a_list_is_taken_back_as_one(api: Api, code: dict) -> None:
    other = api.run("svc_qr_create", name="Other", target_url="example.org")
    was = now(api, code), now(api, other)
    items = [*rows(3), {"id": code["id"], "name": "Card", "target_url": "example.com/card", "preset": "soft"}]
    saved = api.run("svc_qr_save_codes", items=items, remove=[other["id"]])
    assert (saved["created"], saved["changed"], saved["removed"]) == (3, 1, 1)
    api.run("svc_undo")
    assert (now(api, code), now(api, other)) == was
    assert api.run("svc_qr_list")["total"] == 2


def test_a_list_and_taking_it_back_cost_the_same_queries_at_three_and_at_sixty(api: Api) -> None:
    def queries(name: str, **arguments: Any) -> int:
        with CaptureQueriesContext(connection) as context:
            api.run(name, **arguments)
        return len(context)

    def costs(count: int) -> list[int]:
        made = api.run("svc_qr_save_codes", items=rows(count))["items"]
        edits = [{"id": row["id"], "name": "X", "target_url": "example.org", "preset": "soft"} for row in made]
        ids = [row["id"] for row in made]
        return [
            queries("svc_qr_save_codes", items=rows(count)),
            queries("svc_undo"),
            queries("svc_qr_save_codes", items=edits),
            queries("svc_undo"),
            queries("svc_qr_delete", ids=ids),
            queries("svc_undo"),
        ]

    costs(3)  # what is asked for once
    assert costs(3) == costs(60)
