"""The chart that a new account of those who hold events begins with."""

from __future__ import annotations

from workspace.accounts.models import Account
from workspace.products.seat.api import tools
from workspace.publishing.manifest import Example

TRADES = {"events"}


def example(account: Account, trade: str) -> Example | None:
    if trade not in TRADES:
        return None
    said = {"title": "Our next dinner", "tables": [{"capacity": 8, "count": 6}], "live": False}
    return Example(tools.create, said, "Paste the guest list, then let it seat them.")
