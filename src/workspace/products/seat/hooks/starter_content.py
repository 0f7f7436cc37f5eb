"""A sample chart for new accounts that hold events."""

from __future__ import annotations

from workspace.accounts.models import Account
from workspace.owner_translation import owner_gettext
from workspace.products.seat.api import tools
from workspace.publishing.manifest import Starter

TRADES = {"events"}


def starter_for(account: Account, trade: str) -> Starter | None:
    if trade not in TRADES:
        return None
    data = {"title": owner_gettext("Our next dinner"), "tables": [{"capacity": 8, "count": 6}], "live": False}
    return Starter(tools.create, data, owner_gettext("Import your guest list, then seat the guests automatically."))
