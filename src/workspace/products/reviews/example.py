"""The review page that a new account begins with: nothing on it is made up, so it is live."""

from __future__ import annotations

from workspace.accounts.models import Account
from workspace.products.reviews import tools
from workspace.publishing.manifest import Example


def example(account: Account, trade: str) -> Example | None:
    if trade in ("", "other"):
        return None
    return Example(tools.create, {"title": account.name}, "Print its code for the counter, or send the address.")
