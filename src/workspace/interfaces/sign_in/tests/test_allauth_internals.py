"""allauth's private functions are used in one module only, and still do what that module says."""

from __future__ import annotations

import ast
from pathlib import Path

import pytest
from allauth.account.authentication import get_authentication_records
from allauth.account.internal.stagekit import stash_login
from allauth.account.models import EmailAddress, Login
from allauth.core import context
from django.contrib.sessions.backends.db import SessionStore
from django.core import mail
from django.http import HttpRequest
from django.test import RequestFactory

import workspace
from workspace.accounts.models import Person
from workspace.interfaces.sign_in import allauth_internals

ROOT = Path(workspace.__file__).parent


@pytest.fixture
def request_with_session(rf: RequestFactory, db: None) -> HttpRequest:
    request = rf.get("/accounts/login/")
    request.session = SessionStore()
    return request


@pytest.fixture
def person(db: None) -> Person:
    return Person.objects.create(email="pia@example.com")


def test_only_one_module_imports_allauths_internal_modules() -> None:
    importers = {
        str(path.relative_to(ROOT))
        for path in ROOT.rglob("*.py")
        if "tests" not in path.parts
        for node in ast.walk(ast.parse(path.read_text()))
        if isinstance(node, ast.ImportFrom) and (node.module or "").startswith("allauth.")
        if "internal" in str(node.module).split(".") or "internal" in {alias.name for alias in node.names}
    }
    assert importers == {"interfaces/sign_in/allauth_internals.py"}


def test_a_recorded_authentication_is_listed_by_allauth(request_with_session: HttpRequest, person: Person) -> None:
    allauth_internals.record_authentication(request_with_session, person, method="link")
    assert [record["method"] for record in get_authentication_records(request_with_session, person)] == ["link"]


def test_the_verification_email_goes_to_the_address(request_with_session: HttpRequest, person: Person) -> None:
    address = EmailAddress.objects.create(user=person, email=person.email)
    with context.request_context(request_with_session):
        assert allauth_internals.send_verification_email(request_with_session, address)
    assert [letter.to for letter in mail.outbox] == [["pia@example.com"]]


def test_a_pending_login_is_found_and_canceled(request_with_session: HttpRequest, person: Person) -> None:
    assert allauth_internals.find_pending_person(request_with_session) is None
    stash_login(request_with_session, Login(user=person))
    assert allauth_internals.find_pending_person(request_with_session) == person
    allauth_internals.cancel_pending_login(request_with_session)
    assert allauth_internals.find_pending_person(request_with_session) is None
