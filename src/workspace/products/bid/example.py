"""The proposal that a new account begins with, where work is quoted before it is done."""

from __future__ import annotations

from workspace.accounts.models import Account
from workspace.products.bid import tools
from workspace.publishing.manifest import Example

TRADES = {"studio", "freelancer", "events", "trainer"}


def example(account: Account, trade: str) -> Example | None:
    if trade not in TRADES:
        return None
    said = {
        "title": f"Your project with {account.name}"[:200],
        "intro": "Thank you for asking. Here is what we would do, and what it costs.",
        "line_items": [
            {"name": "Preparation", "quantity": 2, "unit": "hours", "unit_price": 60},
            {"name": "The day itself", "unit_price": 450},
            {"name": "Express delivery", "unit_price": 80, "optional": True},
        ],
        "deposit": {"percent": 30},
        "notes": "Half a day's notice for changes. The balance is due within 14 days of the last day.",
    }
    return Example(tools.create, said, "Put your own prices in, then send it to your client.")
