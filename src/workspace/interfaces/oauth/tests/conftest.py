from __future__ import annotations

import pytest

from workspace.accounts.models import Account
from workspace.testing.oauth_client import Flow, browser_of, register


@pytest.fixture
def flow(account: Account) -> Flow:
    """A registered client, and the account's owner in front of a browser."""
    return Flow(browser_of(account.owner), register()["client_id"])
