from __future__ import annotations

import pytest

from workspace.accounts.models import Account
from workspace.testing.oauth_client import Flow, register, sign_in_browser


@pytest.fixture
def flow(account: Account) -> Flow:
    """Return a flow with a registered client and a browser where the account's owner is signed in."""
    return Flow(sign_in_browser(account.owner), register()["client_id"])
