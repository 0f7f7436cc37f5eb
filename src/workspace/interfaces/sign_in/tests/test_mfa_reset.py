from __future__ import annotations

import re
import time

import pytest
from allauth.mfa.models import Authenticator
from django.core.cache import cache
from django.test import Client

from workspace.testing.sign_in import PASSWORD, go_stale, totp


def set_up(browser) -> str:
    page = browser.get("/account/second-step/app").content.decode()
    secret = re.search(r'data-copy="([A-Z2-7]{32})"', page).group(1)
    answer = browser.post("/account/second-step/app", {"code": totp(secret)})
    assert answer.status_code == 302, answer.content.decode()
    cache.clear()  # a code is valid once, and the tests need less than its 30 seconds
    return secret


def half_way(person) -> Client:
    client = Client()
    answer = client.post("/sign-in/", {"login": person.email, "password": PASSWORD})
    assert answer["Location"] == "/sign-in/code"
    return client


def test_our_codes_match_rfc_6238():
    secret = "GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ"  # "12345678901234567890" in base 32, appendix B
    assert [totp(secret, moment) for moment in (59, 1111111109, 2000000000)] == ["287082", "081804", "279037"]


@pytest.mark.django_db(transaction=True)  # the email is sent when the change is committed
def test_setting_up_an_app_is_reported_by_email(person, browser, mailoutbox):
    set_up(browser)
    assert {letter.to[0] for letter in mailoutbox} == {person.email}
    assert "Two-step verification turned on" in [letter.subject for letter in mailoutbox]


def test_with_an_app_the_password_alone_does_not_sign_in(person, browser):
    secret = set_up(browser)
    client = half_way(person)
    assert client.get("/app/account")["Location"].startswith("/sign-in/")
    wrong = client.post("/sign-in/code", {"code": f"{(int(totp(secret)) + 1) % 1_000_000:06d}"})
    assert wrong.status_code == 200 and "wrong or expired" in wrong.content.decode()
    assert client.post("/sign-in/code", {"code": totp(secret)})["Location"] == "/app"
    assert client.get("/app/account").status_code == 200


def test_a_code_signs_in_once(person, browser):
    secret = set_up(browser)
    code = totp(secret)
    assert half_way(person).post("/sign-in/code", {"code": code}).status_code == 302
    assert half_way(person).post("/sign-in/code", {"code": code}).status_code == 200


def test_an_expired_code_is_refused(person, browser):
    secret = set_up(browser)
    old = totp(secret, time.time() - 150)
    assert half_way(person).post("/sign-in/code", {"code": old}).status_code == 200


def test_a_recovery_code_signs_in_once(person, browser):
    set_up(browser)
    page = browser.get("/account/second-step/codes").content.decode()
    codes = re.search(r'recovery-codes">(.+?)</pre>', page, re.DOTALL).group(1).split()
    assert len(codes) == 10
    assert half_way(person).post("/sign-in/code", {"code": codes[0]}).status_code == 302
    assert half_way(person).post("/sign-in/code", {"code": codes[0]}).status_code == 200


def test_the_stored_secret_is_encrypted(person, browser):
    secret = set_up(browser)
    stored = Authenticator.objects.get(user=person, type="totp").data
    assert secret not in str(stored)


def test_changing_second_factors_requires_a_recent_sign_in(person, browser):
    set_up(browser)
    go_stale(browser)
    for path in ("app/off", "codes/new"):
        answer = browser.post(f"/account/second-step/{path}")
        assert answer["Location"].startswith("/account/confirm"), path
    assert Authenticator.objects.filter(user=person).count() == 2


def test_turning_the_app_off(person, browser):
    set_up(browser)
    assert browser.post("/account/second-step/app/off").status_code == 302
    assert Client().post("/sign-in/", {"login": person.email, "password": PASSWORD})["Location"] == "/app"


def test_all_pages_of_it_are_shown(browser):
    paths = ["second-step", "second-step/app", "passkeys", "passkeys/new", "sessions", "password", "email"]
    assert {path: browser.get(f"/account/{path}").status_code for path in paths} == dict.fromkeys(paths, 200)
