"""Rotation of the secret key: sessions remain valid while the old key is configured, and the next start reports it."""

from __future__ import annotations

from typing import Any

import pytest
from allauth.mfa.models import Authenticator
from django.core.cache import cache
from django.test import Client

from workspace.accounts.models import Person
from workspace.interfaces.admin_cli import setting_changes
from workspace.interfaces.sign_in import encrypted_mfa, mfa_reset
from workspace.interfaces.sign_in.magic_link import build_sign_in_link
from workspace.interfaces.sign_in.tests.test_mfa_reset import half_way, set_up
from workspace.testing.sign_in import PASSWORD, totp

pytestmark = pytest.mark.django_db
NEW = "quite-another-one-9876543210-zyxwvutsrqponm"


def enters(person: Person, secret: str) -> bool:
    cache.clear()  # a code is valid once
    return bool(half_way(person).post("/sign-in/code", {"code": totp(secret)}).status_code == 302)


def test_sessions_links_and_second_factors_remain_valid(person: Person, browser: Client, settings: Any) -> None:
    secret = set_up(browser)
    browser.post("/account/second-step/codes/new")
    person.refresh_from_db()
    link = build_sign_in_link(person)
    settings.SECRET_KEY, settings.SECRET_KEY_FALLBACKS = NEW, ["short", settings.SECRET_KEY]
    assert [browser.get("/app").status_code for _ in range(3)] == [200] * 3
    assert browser.get("/account/second-step/codes").status_code == 200
    assert Client().get(link.removeprefix(settings.BASE_URL)).status_code == 200
    assert enters(person, secret)


def test_reencrypted_data_no_longer_needs_the_old_key(person: Person, browser: Client, settings: Any) -> None:
    secret = set_up(browser)
    browser.post("/account/second-step/codes/new")
    settings.SECRET_KEY, settings.SECRET_KEY_FALLBACKS = NEW, [settings.SECRET_KEY]
    assert encrypted_mfa.reencrypt_all() == 0
    before = list(Authenticator.objects.values_list("data", flat=True))
    assert encrypted_mfa.reencrypt_all() == 0 and list(Authenticator.objects.values_list("data", flat=True)) == before
    settings.SECRET_KEY_FALLBACKS = []
    assert encrypted_mfa.count_unreadable() == 0 and enters(person, secret)


def test_a_start_reports_a_secret_key_that_was_replaced(settings: Any) -> None:
    assert setting_changes.record_settings() == []
    old, settings.SECRET_KEY = settings.SECRET_KEY, NEW
    settings.SECRET_KEY_FALLBACKS = []
    assert "The secret key has changed since the last start" in setting_changes.record_settings()[0]
    assert setting_changes.record_settings() == []
    settings.SECRET_KEY, settings.SECRET_KEY_FALLBACKS = old, [NEW]
    assert setting_changes.record_settings() == []


def test_a_start_counts_unreadable_second_factors(browser: Client, settings: Any) -> None:
    set_up(browser)
    settings.SECRET_KEY = NEW
    assert setting_changes.record_settings() == [setting_changes.key_lost_message(encrypted_mfa.count_unreadable())]
    assert setting_changes.record_settings() == [setting_changes.key_lost_message(encrypted_mfa.count_unreadable())], (
        "until it is mended"
    )


def test_removing_a_second_factor_ends_every_session(person: Person, browser: Client, settings: Any) -> None:
    set_up(browser)
    # as after a key rotation: the session's key differs from the one in the list of devices
    settings.SECRET_KEY, settings.SECRET_KEY_FALLBACKS = NEW, [settings.SECRET_KEY]
    assert browser.get("/app").status_code == 200
    stranger = Client()
    stranger.force_login(Person.objects.create_user("else@example.com", PASSWORD))
    key = stranger.session.session_key
    assert mfa_reset.remove_second_factors(person) == ["authenticator app", "recovery codes"]
    assert browser.get("/app").status_code == 302 and stranger.session.session_key == key
    assert Client().post("/sign-in/", {"login": person.email, "password": PASSWORD})["Location"] == "/app"
    assert mfa_reset.remove_second_factors(person) == []
