from __future__ import annotations

from collections.abc import Iterator

import pytest

from workspace.accounts.models import Account
from workspace.interfaces.mcp.tests import running_server
from workspace.interfaces.mcp.tests.running_server import Serving
from workspace.testing.api import make_account


@pytest.fixture(scope="session")
def started(django_db_setup: None) -> Iterator[Serving]:
    running = running_server.start_serving()
    yield running
    running.stop()


@pytest.fixture
def server(started: Serving, transactional_db: None, settings) -> Serving:
    """Return the running server, with its URL as the base URL of the instance."""
    base = started.url
    settings.BASE_URL = base
    settings.OAUTH2_PROVIDER = {
        **settings.OAUTH2_PROVIDER,
        "OIDC_ISS_ENDPOINT": base,
        "OAUTH2_PROTECTED_RESOURCE_IDENTIFIER": f"{base}/mcp",
        "OAUTH2_PROTECTED_RESOURCE_AUTHORIZATION_SERVERS": [base],
    }
    return started


@pytest.fixture
def shop(server: Serving) -> Account:
    return make_account()
