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
    """Tries of one test do not count in the next, and hashing a password does not take its usual time."""
    settings.PASSWORD_HASHERS = ["django.contrib.auth.hashers.MD5PasswordHasher"]
    cache.clear()
    yield
    cache.clear()


@pytest.fixture
def person(db: None) -> Person:
    return make_person()


@pytest.fixture
def browser(person: Person) -> Client:
    """A browser in which `person` signed in a moment ago."""
    return sign_in(person)
