"""Pausing and resuming codes."""

from __future__ import annotations

import pytest

from workspace.products.qr.models import Code
from workspace.products.qr.tests.guests import scan
from workspace.testing.api import Api

pytestmark = pytest.mark.django_db


def test_a_paused_code_does_not_redirect_until_it_is_resumed(api: Api, code: dict) -> None:
    assert api.run("svc_qr_edit", id=code["id"], live=False)["state"] == "paused"
    assert scan(code).status_code == 404
    assert api.run("svc_qr_edit", id=code["id"], live=True)["state"] == "live"
    assert scan(code).status_code == 302


def test_pausing_and_resuming_can_be_repeated(api: Api, code: dict) -> None:
    for live, state in ((False, "paused"), (True, "live")):
        assert [api.run("svc_qr_edit", id=code["id"], live=live)["state"] for _ in range(2)] == [state, state]


def test_a_scan_of_a_paused_code_is_not_counted(api: Api, code: dict) -> None:
    api.run("svc_qr_edit", id=code["id"], live=False)
    scan(code)
    assert api.run("svc_qr_stats", id=code["id"])["total"] == 0


def test_a_paused_code_can_redirect_to_a_fallback_uncounted(api: Api, code: dict) -> None:
    fields = {"live": False, "fallback_url": "example.com/soon"}
    assert api.run("svc_qr_edit", id=code["id"], **fields)["fallback_url"] == "https://example.com/soon"
    response = scan(code)
    assert (response.status_code, response["Location"]) == (302, "https://example.com/soon")
    assert response["Cache-Control"] == "no-store"
    assert api.run("svc_qr_stats", id=code["id"])["total"] == 0
    api.run("svc_qr_edit", id=code["id"], live=True)
    assert scan(code)["Location"] == "https://example.com/menu"


def test_a_banned_or_deleted_code_does_not_redirect_to_the_fallback(api: Api, code: dict) -> None:
    api.run("svc_qr_edit", id=code["id"], fallback_url="example.com/soon")
    Code.objects.get().publication.ban("phishing")
    assert scan(code).status_code == 404
    Code.objects.get().publication.unban()
    api.run("svc_qr_delete", ids=[code["id"]])
    assert scan(code).status_code == 410


@pytest.mark.parametrize("url", ["javascript:x", "http://127.0.0.1:8000/q/abc"])
def test_the_fallback_must_be_a_web_address_and_not_a_code(url: str, api: Api, code: dict) -> None:
    assert api.refuse("svc_qr_edit", id=code["id"], fallback_url=url)["issues"][0]["path"] == "fallback_url"


def test_another_account_cannot_pause_or_resume_a_code(stranger: Api, code: dict) -> None:
    for live in (False, True):
        assert stranger.refuse("svc_qr_edit", id=code["id"], live=live)["error"] == "not_found"
    assert scan(code).status_code == 302
