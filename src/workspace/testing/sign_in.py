"""Actions of people in a browser, for tests of the sign-in and account pages."""

from __future__ import annotations

import base64
import hmac
import re
import struct
import time
from typing import Any

from allauth.account.models import EmailAddress
from django.test import Client

from workspace.accounts.models import Account, Person
from workspace.dashboard.session import ACCOUNT_KEY

PASSWORD = "teapot on a windy hill"


def make_person(email: str = "ada@example.com", name: str = "Ada's Bakery") -> Person:
    """Create a person who signed up and verified their email, with their own account."""
    person = Person.objects.create_user(email, PASSWORD)
    EmailAddress.objects.create(user=person, email=email, primary=True, verified=True)
    Account.open(person, name=name)
    return person


def sign_in(person: Person, **client: Any) -> Client:
    """Return a browser where the person has just signed in."""
    browser = Client(**client)
    answer = browser.post("/sign-in/", {"login": person.email, "password": PASSWORD})
    assert answer.status_code == 302, answer.content.decode()
    return browser


def go_stale(browser: Client) -> None:
    """Make the sign-in look hours old."""
    session = browser.session
    for record in session["account_authentication_methods"]:
        record["at"] -= 4 * 3600
    session.save()


def work_in(browser: Client, account: Account) -> None:
    """Switch the session to the account."""
    session = browser.session
    session[ACCOUNT_KEY] = account.pk
    session.save()


def extract_link(letter: Any) -> str:
    """Return the path of the only link in an email."""
    found = re.findall(r"http://[^/\s]+(/\S+)", letter.body)
    assert len(found) == 1, letter.body
    return str(found[0])


def totp(secret: str, moment: float | None = None) -> str:
    """Return the six digits of RFC 6238, computed here and not by the code under test."""
    key = base64.b32decode(secret + "=" * (-len(secret) % 8))
    counter = struct.pack(">Q", int((time.time() if moment is None else moment) // 30))
    digest = hmac.new(key, counter, "sha1").digest()
    start = digest[-1] & 0x0F
    number = struct.unpack(">I", digest[start : start + 4])[0] & 0x7FFFFFFF
    return f"{number % 1_000_000:06d}"
