"""Fixtures of the tests of all products."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest
from django.db import transaction

from tests.across.samples import things
from workspace.testing.api import Api, make_account, make_api

Furnished = tuple[Api, dict[str, str]]


@pytest.fixture(scope="module")
def furnished(django_db_setup: None, django_db_blocker: Any) -> Iterator[Furnished]:
    """Yield an account with one item of each kind, and their ids.

    It is created once, since that takes half a second. Each test with the database restores it by rolling back.
    """
    with django_db_blocker.unblock(), transaction.atomic():
        # far from UTC, in which times are stored
        api = make_api(make_account(time_zone="Asia/Tokyo"))
        yield api, things(api)
        transaction.set_rollback(True)
