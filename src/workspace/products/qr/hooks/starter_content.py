"""The starter code of a new account with a physical location: it opens what guests want there and can be changed."""

from __future__ import annotations

from workspace.accounts.models import Account
from workspace.products.qr.api import tools
from workspace.publishing import items
from workspace.publishing.manifest import Starter

CODE_NAMES = {"cafe": "Tables", "restaurant": "Tables", "shop": "Door", "events": "Posters"}


def starter_for(account: Account, trade: str) -> Starter | None:
    existing = items.items_for(account)
    if trade not in CODE_NAMES or not existing:
        return None
    data = {"name": CODE_NAMES[trade], "target_url": existing[0].public_url}
    return Starter(tools.create, data, f"Print it: it leads to your {existing[0].noun}.")
