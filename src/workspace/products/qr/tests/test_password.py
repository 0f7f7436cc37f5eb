"""Codes with a password."""

from __future__ import annotations

import pytest

from workspace.products.qr.tests.guests import scan, unlock
from workspace.rate_limits.table import get_limit
from workspace.testing.api import Api

pytestmark = pytest.mark.django_db


@pytest.fixture
def locked(api: Api, code: dict) -> dict:
    return api.run("svc_qr_edit", id=code["id"], password="open sesame")


def total(api: Api, code: dict) -> int:
    return api.run("svc_qr_stats", id=code["id"])["total"]


def test_a_guest_is_asked_for_the_password_first(api: Api, locked: dict) -> None:
    response = scan(locked)
    assert response.status_code == 200 and 'type="password"' in response.content.decode()
    assert "example.com" not in response.content.decode() and not response.cookies
    assert total(api, locked) == 0


def test_the_password_opens_the_code_and_counts_once(api: Api, locked: dict) -> None:
    response = unlock(locked, "open sesame")
    assert (response.status_code, response["Location"]) == (302, "https://example.com/menu")
    assert total(api, locked) == 1


@pytest.mark.parametrize("password", ["", "Open Sesame", "x" * 5000, "open sesame\x00", "\ud83d"])
def test_a_wrong_password_is_refused(password: str, api: Api, locked: dict) -> None:
    response = unlock(locked, password.encode("utf-8", "surrogatepass").decode("utf-8", "replace"))
    assert response.status_code == 403 and "Wrong password" in response.content.decode()
    assert total(api, locked) == 0


def test_password_attempts_are_limited(api: Api, locked: dict) -> None:
    assert {unlock(locked, f"guess {n}").status_code for n in range(get_limit("unlock").count)} == {403}
    assert unlock(locked, "one more").status_code == 429
    assert unlock(locked, "open sesame").status_code == 429
    assert total(api, locked) == 0


@pytest.mark.parametrize(
    "headers", [{"origin": "https://evil.example"}, {"sec-fetch-site": "cross-site"}, {"origin": "null"}]
)
def test_a_form_on_another_site_is_refused(headers: dict, api: Api, locked: dict) -> None:
    if headers == {"origin": "null"}:
        headers = {"origin": "null", "sec-fetch-site": "cross-site"}
    assert unlock(locked, "open sesame", **headers).status_code == 403
    assert total(api, locked) == 0


def test_a_code_without_a_password_accepts_no_post(api: Api, code: dict) -> None:
    assert unlock(code, "x").status_code == 405
    assert total(api, code) == 0
