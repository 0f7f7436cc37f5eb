"""A sample card for a new account whose trade is the owner's own work."""

from __future__ import annotations

from workspace.accounts.models import Account
from workspace.owner_translation import owner_gettext
from workspace.products.card.api import tools
from workspace.publishing.manifest import Starter

TRADES = {"salon", "studio", "trainer", "freelancer", "events", "other"}


def starter_for(account: Account, trade: str) -> Starter | None:
    if trade not in TRADES:
        return None
    data = {"full_name": account.owner.name or account.name, "company": account.name}
    return Starter(tools.create, data, owner_gettext("Add your phone number and a photo, then share your card."))
