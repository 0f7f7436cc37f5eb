"""Editing a code: name, folder, slug, expiry, password and style."""

from __future__ import annotations

from datetime import timedelta

import pytest

from workspace.accounts.models import Upload
from workspace.lib import clock
from workspace.products.qr.tests.guests import scan
from workspace.products.qr.tests.images import logo
from workspace.testing.api import Api, make_account, make_api

pytestmark = pytest.mark.django_db


def edit(api: Api, code: dict, **changes: object) -> dict:
    answer = api.run("svc_qr_edit", id=code["id"], **changes)
    return {name: value for name, value in answer.items() if name != "change"}


def refuse(api: Api, code: dict, **changes: object) -> dict:
    body = api.refuse("svc_qr_edit", id=code["id"], **changes)
    assert body["error"] == "invalid_input", body
    return body["issues"][0]


def test_only_the_given_fields_change(api: Api, code: dict) -> None:
    assert edit(api, code, name="Card") | {"updated_at": ""} == code | {"name": "Card", "updated_at": ""}


def test_an_empty_text_clears_a_field(api: Api, code: dict) -> None:
    edit(api, code, password="secret", expires_at="2999-01-01T00:00")
    result = edit(api, code, folder="", password="", expires_at="")
    assert (result["folder"], result["has_password"], result["expires_at"]) == ("", False, None)


def test_the_old_slug_works_after_a_change(api: Api, code: dict) -> None:
    result = edit(api, code, slug="Summer-Menu")
    assert result["public_url"].endswith("/q/summer-menu") and result["slugs"] == ["summer-menu", code["slug"]]
    for slug in (code["slug"], code["slug"].upper(), "summer-menu", "SUMMER-MENU"):
        assert scan(slug).status_code == 302


def test_a_code_can_return_to_an_earlier_slug(api: Api, code: dict) -> None:
    edit(api, code, slug="summer")
    result = edit(api, code, slug=code["slug"])
    assert result["slug"] == code["slug"] and set(result["slugs"]) == {"summer", code["slug"]}


@pytest.mark.parametrize("slug", ["a", "a b", "ä-b", "-ab", "ab-", "a--b", "a/b", "a.svg", "a+", "x" * 51, "ab\n"])
def test_a_slug_consists_of_letters_digits_and_single_hyphens(slug: str, api: Api, code: dict) -> None:
    if slug == "ab\n":  # surrounding white space is stripped
        assert edit(api, code, slug=slug)["slug"] == "ab"
        return
    assert refuse(api, code, slug=slug)["path"] == "slug"


def test_a_slug_once_used_is_never_given_to_another_account(api: Api, stranger: Api, code: dict) -> None:
    edit(api, code, slug="summer")
    theirs = stranger.run("svc_qr_create", name="Theirs", target_url="example.org")
    for slug in ("summer", code["slug"]):
        assert "already in use" in refuse(stranger, theirs, slug=slug)["message"]
    api.run("svc_qr_delete", ids=[code["id"]])
    assert "already in use" in refuse(stranger, theirs, slug="summer")["message"]


def test_a_time_without_an_offset_is_in_the_accounts_time_zone(db: None) -> None:
    api = make_api(make_account(time_zone="Europe/Berlin"))
    code = api.run("svc_qr_create", name="Menu", target_url="example.com")
    assert edit(api, code, expires_at="2030-07-01T18:00")["expires_at"] == "2030-07-01T16:00:00Z"
    assert edit(api, code, expires_at="2030-07-01T18:00:00+00:00")["expires_at"] == "2030-07-01T18:00:00Z"


def test_a_time_in_the_past_is_refused(api: Api, code: dict) -> None:
    past = (clock.now() - timedelta(minutes=1)).isoformat()
    assert refuse(api, code, expires_at=past)["path"] == "expires_at"
    for text in ("tomorrow", "2030-13-01", "99999-01-01T00:00"):
        assert refuse(api, code, expires_at=text)["path"] == "expires_at"


def test_a_style_that_would_not_scan_is_refused_with_advice(api: Api, code: dict) -> None:
    issue = refuse(api, code, style={"foreground": "#ffeeee"})
    assert issue["path"] == "style" and "darker" in issue["message"]
    assert api.run("svc_qr_get", id=code["id"])["style"] == code["style"]


@pytest.mark.parametrize(
    "style",
    [
        {"foreground": "red"},
        {"foreground": "#12345"},
        {"modules": "hearts"},
        {"logo_share": 0.5},
        {"caption": "x" * 31},
        {"caption": "a\x00b"},
        {"unknown": 1},
        "dark",
        [],
    ],
)
def test_an_invalid_style_is_refused(style: object, api: Api, code: dict) -> None:
    assert refuse(api, code, style=style)["path"].removeprefix("arguments.").split(".")[0] == "style"


def test_a_style_and_a_preset_cannot_be_given_together(api: Api, code: dict) -> None:
    assert edit(api, code, preset="ocean")["style"]["modules"] == "dots"
    assert refuse(api, code, preset="ocean", style={})["path"] == "preset"
    assert refuse(api, code, preset="neon")["path"] == "preset"


def test_a_logo_must_be_an_upload_of_the_same_account(api: Api, stranger: Api, code: dict) -> None:
    mine = api.run("svc_upload_file", content=logo())["upload_id"]
    theirs = stranger.run("svc_upload_file", content=logo())["upload_id"]
    assert refuse(api, code, logo_id=theirs)["path"] == "logo_id"
    assert edit(api, code, logo_id=mine)["logo_id"] == mine
    assert Upload.objects.get(pk=mine).use_count == 1
    assert edit(api, code, logo_id="")["logo_id"] is None
    assert Upload.objects.get(pk=mine).use_count == 0


def test_one_invalid_field_changes_nothing(api: Api, stranger: Api, code: dict) -> None:
    stranger.run("svc_qr_edit", id=stranger.run("svc_qr_create", name="A", target_url="b.example")["id"], slug="taken")
    refuse(api, code, name="Changed", folder="Changed", slug="taken")
    assert api.run("svc_qr_get", id=code["id"]) == code
