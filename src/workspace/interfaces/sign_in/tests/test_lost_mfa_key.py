"""A second factor whose key is lost: a page explains the problem, and a signed-in person can turn it off."""

from __future__ import annotations

from typing import Any

import pytest
from allauth.mfa.models import Authenticator
from django.test import Client

from workspace.interfaces.sign_in.tests.test_mfa_reset import half_way, set_up
from workspace.testing.sign_in import PASSWORD

pytestmark = pytest.mark.django_db


def test_a_signed_in_person_can_turn_the_app_off_and_set_it_up_again(
    person: Any, browser: Client, settings: Any
) -> None:
    set_up(browser)
    browser.post("/account/second-step/codes/new")
    for lost in Authenticator.objects.all():
        lost.data = {name: "gAAAAAB-of-another" if name in ("secret", "seed") else 0 for name in lost.data}
        lost.save()
    settings.OPERATOR_NAME, settings.OPERATOR_EMAIL = "Ann Lee", "ann@example.com"
    for path in ("", "/codes", "/codes/file"):
        answer = browser.get(f"/account/second-step{path}")
        page = answer.content.decode()
        assert answer.status_code == 409 and "Two-step verification unavailable" in page
        assert "Ann Lee" in page and "mailto:ann@example.com" in page
        assert 'href="/account/second-step/app/off"' in page
    assert browser.post("/account/second-step/app/off").status_code == 302
    assert browser.get("/account/second-step").status_code == 200
    set_up(browser)


def test_a_sign_in_interrupted_by_the_removal_starts_again(person: Any, browser: Client) -> None:
    set_up(browser)
    client = half_way(person)
    Authenticator.objects.all().delete()
    assert client.get("/sign-in/")["Location"] == "/sign-in/code"
    assert client.get("/sign-in/code")["Location"].startswith("/sign-in")
    assert client.get("/sign-in/").status_code == 200
    assert client.post("/sign-in/", {"login": person.email, "password": PASSWORD})["Location"] == "/app"
