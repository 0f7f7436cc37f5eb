from __future__ import annotations

import re
from datetime import timedelta
from urllib.parse import urlsplit

import time_machine
from django.test import Client

from workspace.accounts.models import Person
from workspace.interfaces.sign_in.magic_link import build_sign_in_link
from workspace.lib import clock
from workspace.testing.api import make_account


def path_of(person: Person) -> str:
    link = build_sign_in_link(Person.objects.get(pk=person.pk))
    assert link.startswith("http://127.0.0.1:8000/sign-in/once/")
    return urlsplit(link).path


def test_the_link_signs_in_a_person_who_has_no_password_yet(db):
    owner = make_account().owner
    browser = Client()
    path = path_of(owner)
    page = browser.get(path).content.decode()
    assert owner.email in page
    assert browser.get("/app/account").status_code == 302, "looking at it does not use it"
    assert browser.post(path)["Location"] == "/account/password/set"
    assert browser.get("/app/account").status_code == 200
    assert browser.post("/account/password/set", {"password1": "teapot on a windy hill"}).status_code == 302


def test_the_link_works_once(db):
    path = path_of(make_account().owner)
    assert Client().post(path).status_code == 302
    assert Client().post(path).status_code == Client().get(path).status_code == 410


def test_the_link_expires_after_an_hour(db):
    path = path_of(make_account().owner)
    with time_machine.travel(clock.now() + timedelta(hours=1, seconds=5)):
        assert Client().post(path).status_code == 410


def test_a_tampered_link_is_invalid(db):
    path = path_of(make_account().owner)
    assert Client().post(re.sub(".$", "x" if path[-1] != "x" else "y", path)).status_code == 410
    assert Client().get("/sign-in/once/nonsense").status_code == 410


def test_a_deactivated_person_cannot_sign_in(db):
    owner = make_account().owner
    path = path_of(owner)
    Person.objects.filter(pk=owner.pk).update(is_active=False)
    assert Client().post(path).status_code == 410
