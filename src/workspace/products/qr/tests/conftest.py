"""Fixtures: a signed-in owner who has a code."""

from __future__ import annotations

from typing import Any

import pytest
from django.conf import settings
from django.test import Client

from workspace.accounts.models import Account
from workspace.testing.api import Api


@pytest.fixture
def code(api: Api) -> dict[str, Any]:
    """Create a code and return it as `svc_qr_get` does."""
    made = api.run("svc_qr_create", name="Menu", target_url="https://example.com/menu", folder="Tables")
    return api.run("svc_qr_get", id=made["id"])


@pytest.fixture
def browser(account: Account) -> Client:
    """Return a browser where the owner is signed in."""
    client = Client()
    client.force_login(account.owner, backend=settings.AUTHENTICATION_BACKENDS[0])
    return client
