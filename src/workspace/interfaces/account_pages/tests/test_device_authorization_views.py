from __future__ import annotations

import json
from datetime import timedelta
from typing import Any

import pytest
import time_machine
from django.test import Client

from workspace.accounts.models import Account, ApiKey, DeviceAuthorization
from workspace.accounts.models.api_key import MAX_KEYS
from workspace.lib import clock
from workspace.testing.sign_in import go_stale, make_person, sign_in


def start_authorization(name: Any = "svc on a laptop") -> dict[str, Any]:
    answer = Client().post("/device/start", json.dumps({"name": name}), content_type="application/json")
    assert answer.status_code == 200, answer.content
    return answer.json()


def poll_token(started: dict[str, Any]) -> tuple[int, dict[str, Any]]:
    body = json.dumps({"device_code": started["device_code"]})
    answer = Client().post("/device/token", body, content_type="application/json")
    assert answer["Cache-Control"] == "no-store"
    return answer.status_code, answer.json()


def approve(browser: Client, started: dict[str, Any]) -> None:
    answer = browser.post("/device", {"code": started["user_code"], "decision": "approve"})
    assert answer.status_code == 200 and "Approved" in answer.content.decode()


def test_a_program_gets_a_key_when_the_owner_approves(browser, person):
    started = start_authorization()
    assert started["verification_uri"] == "http://127.0.0.1:8000/device"
    assert started["verification_uri_complete"] == f"http://127.0.0.1:8000/device?code={started['user_code']}"
    assert (started["expires_in"], started["interval"], len(started["user_code"])) == (600, 2, 9)
    assert poll_token(started)[1]["error"] == "authorization_pending"

    page = browser.get("/device", {"code": started["user_code"].lower().replace("-", "")}).content.decode()
    assert "svc on a laptop" in page and started["user_code"] in page
    assert ApiKey.objects.count() == 0, "looking approves nothing"
    approve(browser, started)
    assert ApiKey.objects.count() == 0, "no secret waits in the database"

    status, given = poll_token(started)
    assert status == 200 and given["account"] == {"name": "Ada's Bakery", "email": "ada@example.com"}
    found = ApiKey.find_live(given["api_key"])
    assert found is not None
    key = ApiKey.objects.get(pk=found.id)
    assert (key.name, key.created_by, key.account) == ("svc on a laptop", person, Account.for_person(person))
    headers = {"authorization": f"Bearer {given['api_key']}"}
    assert Client(headers=headers).get("/api/v1/me").json()["data"]["name"] == "Ada's Bakery"

    assert poll_token(started) == (
        400,
        {"error": "expired_token", "error_description": poll_token(started)[1]["error_description"]},
    )
    assert ApiKey.objects.count() == 1


def test_a_declined_program_gets_nothing(browser):
    started = start_authorization()
    browser.post("/device", {"code": started["user_code"], "decision": "deny"})
    assert poll_token(started)[1]["error"] == "access_denied"
    assert poll_token(started)[1]["error"] == "expired_token"


def test_polling_too_often_is_slowed_down(db):
    started = start_authorization()
    now = clock.now()
    answers = []
    for seconds in (0, 0.5, 2.5, 4.4):
        with time_machine.travel(now + timedelta(seconds=seconds), tick=False):
            answers.append(poll_token(started)[1]["error"])
    assert answers == ["authorization_pending", "slow_down", "authorization_pending", "authorization_pending"]


def test_a_code_expires_after_ten_minutes(browser):
    started = start_authorization()
    with time_machine.travel(clock.now() + timedelta(minutes=10, seconds=1)):
        assert poll_token(started)[1]["error"] == "expired_token"
        assert DeviceAuthorization.find_open(started["user_code"]) is None
        start_authorization()
        assert DeviceAuthorization.objects.count() == 1, "the old one is gone"


def test_wrong_codes_are_reported_and_soon_limited(browser):
    started = start_authorization()
    for code in ("ABCD-EFGH", "", "x", "ÄÖÜ", "BCDF-GHJ", "B" * 4000, "<script>")[:7]:
        assert browser.get("/device", {"code": code}).status_code in (200, 422)
    answers = [browser.get("/device", {"code": "BBBB-BBBB"}).status_code for _ in range(10)]
    assert answers[-1] == 429
    # after too many attempts, even the right code is rejected
    assert browser.post("/device", {"code": started["user_code"], "decision": "approve"}).status_code == 429
    assert poll_token(started)[1]["error"] == "authorization_pending"


def test_an_unknown_device_code_gets_nothing(db):
    start_authorization()
    assert poll_token({"device_code": "guess"})[1]["error"] == "expired_token"


def test_the_device_code_is_stored_only_as_a_hash(db):
    started = start_authorization()
    assert started["device_code"] not in str(DeviceAuthorization.objects.values().get())


def test_approving_requires_a_recent_sign_in_and_an_owner(browser, person):
    started = start_authorization()
    assert (
        Client()
        .post("/device", {"code": started["user_code"], "decision": "approve"})["Location"]
        .startswith("/sign-in/")
    )
    go_stale(browser)
    answer = browser.post("/device", {"code": started["user_code"], "decision": "approve"})
    assert answer["Location"].startswith("/account/confirm")
    assert poll_token(started)[1]["error"] == "authorization_pending"


def test_a_second_approval_has_no_effect(browser):
    started = start_authorization()
    approve(browser, started)
    eve = sign_in(make_person("eve@example.com", "Eve's"))
    assert eve.post("/device", {"code": started["user_code"], "decision": "approve"}).status_code == 422
    assert poll_token(started)[1]["account"]["name"] == "Ada's Bakery"


def test_an_account_with_the_maximum_of_keys_is_asked_to_revoke_one(browser, person):
    for _ in range(MAX_KEYS):
        ApiKey.create(Account.for_person(person), name="Key")
    started = start_authorization()
    answer = browser.post("/device", {"code": started["user_code"], "decision": "approve"})
    assert answer.status_code == 422 and "Revoke a key" in answer.content.decode()
    assert poll_token(started)[1]["error"] == "authorization_pending"


def test_starting_is_limited_per_address(db):
    answers = [Client().post("/device/start", "{}", content_type="application/json").status_code for _ in range(11)]
    assert answers == [200] * 10 + [429]
    other = Client(**{"workspace.client_address": "192.0.2.7"})
    assert other.post("/device/start", "{}", content_type="application/json").status_code == 200


@pytest.mark.parametrize(
    "body",
    [
        b"[]",
        b"{",
        b"\xff",
        b'{"name": 1}',
        b'{"name": "a\\u0000"}',
        b'{"name": "a\\nb"}',
        b'{"name": "' + b"x" * 81 + b'"}',
        b"1",
    ],
)
def test_invalid_bodies_are_refused(db, body):
    answer = Client().post("/device/start", body, content_type="application/json")
    assert (answer.status_code, answer.json()["error"]) == (400, "invalid_request")
    answer = Client().post("/device/token", body, content_type="application/json")
    assert (answer.status_code, answer.json()["error"]) == (400, "invalid_request")


def test_starting_and_polling_require_post(db):
    assert Client().get("/device/start").status_code == Client().get("/device/token").status_code == 405
