from __future__ import annotations

import re
from datetime import timedelta

import time_machine
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext

from workspace.accounts.models import Account, ApiKey, Membership
from workspace.accounts.models.api_key import MAX_KEYS
from workspace.lib import clock
from workspace.testing.sign_in import go_stale, make_person, sign_in


def make_key(browser: Client, **chosen: str) -> str:
    answer = browser.post("/app/keys/new", {"name": "Website", "scope": "full", "days": ""} | chosen)
    page = answer.content.decode()
    assert answer.status_code == 200 and answer["Cache-Control"] == "no-store", page
    return str(re.search(r'id="secret">(svc_live_\w+)<', page).group(1))


def me(secret: str) -> int:
    return Client(headers={"authorization": f"Bearer {secret}"}).get("/api/v1/me").status_code


def test_a_key_is_shown_once_and_works(browser):
    secret = make_key(browser)
    assert me(secret) == 200
    page = browser.get("/app/keys").content.decode()
    assert secret not in page and secret[:13] in page and "Website" in page


def test_the_list_shows_the_use_of_each_key(browser):
    secret = make_key(browser)
    assert "· Not used yet" in browser.get("/app/keys").content.decode()
    me(secret), me(secret)
    page = browser.get("/app/keys").content.decode()
    assert "2 calls today" in page and "Last used" in page
    with time_machine.travel(clock.now() + timedelta(days=1)):
        assert "0 calls today" in browser.get("/app/keys").content.decode()


def test_a_revoked_key_is_refused(browser):
    secret = make_key(browser)
    key = ApiKey.objects.get()
    assert "can’t be undone" in browser.get(f"/app/keys/{key.pk}/revoke").content.decode()
    assert me(secret) == 200
    browser.post(f"/app/keys/{key.pk}/revoke")
    assert me(secret) == 401
    assert "Website" not in browser.get("/app/keys").content.decode().split("<main")[1].split("toasts")[0]


def test_a_read_only_key(browser):
    secret = make_key(browser, scope="read")
    assert ApiKey.find_live(secret).read_only is True
    assert "Read-only" in browser.get("/app/keys").content.decode()


def test_a_key_expires(browser):
    secret = make_key(browser, days="30")
    with time_machine.travel(clock.now() + timedelta(days=29)):
        assert me(secret) == 200
    with time_machine.travel(clock.now() + timedelta(days=31)):
        assert me(secret) == 401


def test_invalid_forms_are_shown_again(browser):
    for wrong in ({"name": ""}, {"name": "x" * 81}, {"scope": "admin"}, {"days": "7"}, {"name": "a\x00b"}):
        answer = browser.post("/app/keys/new", {"name": "Website", "scope": "full", "days": ""} | wrong)
        assert answer.status_code == 422, wrong
    assert ApiKey.objects.count() == 0


def test_an_account_with_the_maximum_of_keys_is_asked_to_revoke_one(browser):
    account = Account.objects.get()
    for _ in range(MAX_KEYS):
        ApiKey.create(account, name="Key")
    answer = browser.post("/app/keys/new", {"name": "One more", "scope": "full", "days": ""})
    assert answer.status_code == 422 and "Revoke one" in answer.content.decode()


def test_creating_a_key_requires_a_recent_sign_in(browser):
    go_stale(browser)
    assert browser.get("/app/keys").status_code == 200
    answer = browser.get("/app/keys/new")
    assert answer["Location"] == "/account/confirm?next=%2Fapp%2Fkeys%2Fnew"
    assert "Confirm your identity" in browser.get(answer["Location"]).content.decode()
    wrong = browser.post(answer["Location"], {"password": "not the password"})
    assert "Wrong password" in wrong.content.decode()
    assert browser.get("/app/keys/new").status_code == 302


def test_a_member_can_neither_create_nor_revoke_keys(browser):
    make_key(browser)
    account, key = Account.objects.get(), ApiKey.objects.get()
    member = make_person("bea@example.com")
    Account.objects.exclude(pk=account.pk).delete()
    Membership.objects.create(account=account, person=member, role=Membership.EDITOR)
    theirs = sign_in(member)
    assert theirs.get("/app/keys").status_code == 200
    for path in ("/app/keys/new", f"/app/keys/{key.pk}/revoke", "/app/members/invite", "/app/account/close"):
        assert theirs.post(path, {"name": "Mine", "scope": "full"}).status_code == 403, path
    assert account.keys.get().revoked_at is None


def test_a_key_of_another_account_is_inaccessible(browser):
    make_key(browser)
    key = ApiKey.objects.get()
    stranger = sign_in(make_person("bea@example.com"))
    assert stranger.post(f"/app/keys/{key.pk}/revoke").status_code == 404
    assert "Website" not in stranger.get("/app/keys").content.decode()
    key.refresh_from_db()
    assert key.revoked_at is None


def test_the_list_takes_the_same_queries_for_many_keys(browser):
    def queries() -> int:
        with CaptureQueriesContext(connection) as seen:
            browser.get("/app/keys")
        return len(seen)

    make_key(browser)
    one = queries()
    make_key(browser), make_key(browser)
    assert queries() == one
