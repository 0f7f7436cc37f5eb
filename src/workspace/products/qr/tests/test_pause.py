"""Pausing and resuming."""

from __future__ import annotations

import pytest

from workspace.products.qr.tests.guests import scan
from workspace.testing import Api

pytestmark = pytest.mark.django_db


def test_a_paused_code_leads_nowhere_until_it_is_resumed(api: Api, code: dict) -> None:
    assert api.run("svc_qr_edit", id=code["id"], live=False)["state"] == "paused"
    assert scan(code).status_code == 404
    assert api.run("svc_qr_edit", id=code["id"], live=True)["state"] == "live"
    assert scan(code).status_code == 302


def test_both_may_be_repeated(api: Api, code: dict) -> None:
    for live, state in ((False, "paused"), (True, "live")):
        assert [api.run("svc_qr_edit", id=code["id"], live=live)["state"] for _ in range(2)] == [state, state]


def test_a_paused_code_is_not_counted(api: Api, code: dict) -> None:
    api.run("svc_qr_edit", id=code["id"], live=False)
    scan(code)
    assert api.run("svc_qr_stats", id=code["id"])["total"] == 0


def test_another_account_can_do_neither(stranger: Api, code: dict) -> None:
    for live in (False, True):
        assert stranger.refuse("svc_qr_edit", id=code["id"], live=live)["error"] == "not_found"
    assert scan(code).status_code == 302
