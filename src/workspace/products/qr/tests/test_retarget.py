"""Changing the target of a code, and undo."""

from __future__ import annotations

import pytest

from workspace.products.qr.tests.guests import scan
from workspace.testing.api import Api

pytestmark = pytest.mark.django_db


def point(api: Api, code: dict, url: str) -> dict:
    return api.run("svc_qr_update_target", id=code["id"], target_url=url)


def test_the_next_scan_uses_the_new_target(api: Api, code: dict) -> None:
    assert scan(code)["Location"] == "https://example.com/menu"
    point(api, code, "example.com/winter")
    assert scan(code)["Location"] == "https://example.com/winter"
    api.run("svc_undo")
    assert scan(code)["Location"] == "https://example.com/menu"


def test_undo_restores_targets_step_by_step(api: Api, code: dict) -> None:
    point(api, code, "example.com/b")
    point(api, code, "example.com/c")
    for back in ("https://example.com/b", "https://example.com/menu"):
        api.run("svc_undo")
        assert api.run("svc_qr_get", id=code["id"])["target_url"] == back


def test_after_an_undo_the_search_uses_the_restored_target_and_the_history_shows_both_changes(
    api: Api, code: dict
) -> None:
    point(api, code, "example.com/summer")
    api.run("svc_undo")
    assert api.run("svc_qr_list", q="summer")["total"] == 0
    assert api.run("svc_qr_list", q="example.com/menu")["total"] == 1
    assert [change["to_url"] for change in api.run("svc_qr_get", id=code["id"])["retargets"]] == [
        "https://example.com/menu",
        "https://example.com/summer",
    ]


def test_a_change_after_an_undo_can_be_undone(api: Api, code: dict) -> None:
    point(api, code, "example.com/b")
    api.run("svc_undo")
    point(api, code, "example.com/c")
    api.run("svc_undo")
    assert api.run("svc_qr_get", id=code["id"])["target_url"] == "https://example.com/menu"


def test_the_history_is_listed_newest_first(api: Api, code: dict) -> None:
    point(api, code, "example.com/b")
    result = point(api, code, "example.com/c")
    assert [(row["from_url"], row["to_url"]) for row in result["retargets"]] == [
        ("https://example.com/b", "https://example.com/c"),
        ("https://example.com/menu", "https://example.com/b"),
    ]


def test_an_unchanged_target_is_not_recorded(api: Api, code: dict) -> None:
    assert point(api, code, "https://example.com/menu")["retargets"] == []


def test_a_refused_target_changes_nothing(api: Api, code: dict) -> None:
    assert api.refuse("svc_qr_update_target", id=code["id"], target_url="javascript:x")["error"] == "invalid_input"
    assert scan(code)["Location"] == "https://example.com/menu"


def test_another_account_cannot_change_the_target(stranger: Api, code: dict) -> None:
    body = stranger.refuse("svc_qr_update_target", id=code["id"], target_url="evil.example")
    assert body["error"] == "not_found"
    assert scan(code)["Location"] == "https://example.com/menu"
