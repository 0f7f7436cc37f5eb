"""Pointing a code elsewhere, and back."""

from __future__ import annotations

import pytest

from workspace.products.qr.tests.guests import scan
from workspace.testing.api import Api

pytestmark = pytest.mark.django_db


def point(api: Api, code: dict, url: str) -> dict:
    return api.run("svc_qr_update_target", id=code["id"], target_url=url)


def test_the_very_next_scan_follows(api: Api, code: dict) -> None:
    assert scan(code)["Location"] == "https://example.com/menu"
    point(api, code, "example.com/winter")
    assert scan(code)["Location"] == "https://example.com/winter"
    api.run("svc_undo")
    assert scan(code)["Location"] == "https://example.com/menu"


def test_undo_goes_back_step_by_step(api: Api, code: dict) -> None:
    point(api, code, "example.com/b")
    point(api, code, "example.com/c")
    for back in ("https://example.com/b", "https://example.com/menu"):
        api.run("svc_undo")
        assert api.run("svc_qr_get", id=code["id"])["target_url"] == back


def test_what_was_taken_back_is_found_by_its_search_again_and_stands_in_the_history(api: Api, code: dict) -> None:
    point(api, code, "example.com/summer")
    api.run("svc_undo")
    assert api.run("svc_qr_list", q="summer")["total"] == 0
    assert api.run("svc_qr_list", q="example.com/menu")["total"] == 1
    assert [change["to_url"] for change in api.run("svc_qr_get", id=code["id"])["retargets"]] == [
        "https://example.com/menu",
        "https://example.com/summer",
    ]


def test_a_change_after_an_undo_can_be_undone_itself(api: Api, code: dict) -> None:
    point(api, code, "example.com/b")
    api.run("svc_undo")
    point(api, code, "example.com/c")
    api.run("svc_undo")
    assert api.run("svc_qr_get", id=code["id"])["target_url"] == "https://example.com/menu"


def test_the_history_is_kept_newest_first(api: Api, code: dict) -> None:
    point(api, code, "example.com/b")
    found = point(api, code, "example.com/c")
    assert [(row["from_url"], row["to_url"]) for row in found["retargets"]] == [
        ("https://example.com/b", "https://example.com/c"),
        ("https://example.com/menu", "https://example.com/b"),
    ]


def test_the_same_target_again_is_no_change(api: Api, code: dict) -> None:
    assert point(api, code, "https://example.com/menu")["retargets"] == []


def test_a_refused_target_changes_nothing(api: Api, code: dict) -> None:
    assert api.refuse("svc_qr_update_target", id=code["id"], target_url="javascript:x")["error"] == "invalid_input"
    assert scan(code)["Location"] == "https://example.com/menu"


def test_another_account_cannot_point_it(stranger: Api, code: dict) -> None:
    body = stranger.refuse("svc_qr_update_target", id=code["id"], target_url="evil.example")
    assert body["error"] == "not_found"
    assert scan(code)["Location"] == "https://example.com/menu"
