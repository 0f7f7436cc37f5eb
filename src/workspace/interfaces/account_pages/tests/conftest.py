from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest
from django.core.cache import cache
from django.test import Client

from workspace.accounts.models import Person
from workspace.testing.sign_in import make_person, sign_in


@pytest.fixture(autouse=True)
def _fresh_limits(settings: Any, db: None) -> Iterator[None]:
    """Reset attempt limits between tests, and make password hashing fast."""
    settings.PASSWORD_HASHERS = ["django.contrib.auth.hashers.MD5PasswordHasher"]
    cache.clear()
    yield
    cache.clear()


@pytest.fixture
def person(db: None) -> Person:
    return make_person()


@pytest.fixture
def browser(person: Person) -> Client:
    """Return a browser where `person` has just signed in."""
    return sign_in(person)
