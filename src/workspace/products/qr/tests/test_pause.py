"""Pausing and resuming."""

from __future__ import annotations

import pytest

from workspace.products.qr.tests.guests import scan
from workspace.testing import Api

pytestmark = pytest.mark.django_db


def test_a_paused_code_leads_nowhere_until_it_is_resumed(api: Api, code: dict) -> None:
    assert api.run("svc_qr_pause", id=code["id"])["state"] == "paused"
    assert scan(code).status_code == 404
    assert api.run("svc_qr_resume", id=code["id"])["state"] == "live"
    assert scan(code).status_code == 302


def test_both_may_be_repeated(api: Api, code: dict) -> None:
    for tool, state in (("svc_qr_pause", "paused"), ("svc_qr_resume", "live")):
        assert [api.run(tool, id=code["id"])["state"] for _ in range(2)] == [state, state]


def test_a_paused_code_is_not_counted(api: Api, code: dict) -> None:
    api.run("svc_qr_pause", id=code["id"])
    scan(code)
    assert api.run("svc_qr_stats", id=code["id"])["total"] == 0


def test_another_account_can_do_neither(stranger: Api, code: dict) -> None:
    for tool in ("svc_qr_pause", "svc_qr_resume"):
        assert stranger.refuse(tool, id=code["id"])["error"] == "not_found"
    assert scan(code).status_code == 302
