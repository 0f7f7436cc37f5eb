from __future__ import annotations

from workspace.accounts.models import Account


def fill(account: Account) -> None:
    pass
