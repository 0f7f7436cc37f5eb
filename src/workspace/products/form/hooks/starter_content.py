"""A sample form for a new account in a trade whose clients ask questions before they come."""

from __future__ import annotations

from workspace.accounts.models import Account
from workspace.owner_translation import owner_gettext
from workspace.products.form.api import tools
from workspace.publishing.manifest import Starter

TRADES = {"studio", "events", "trainer", "freelancer"}


def starter_for(account: Account, trade: str) -> Starter | None:
    if trade not in TRADES:
        return None
    data = {"title": "Contact us", "accepting": True}
    return Starter(tools.create, data, owner_gettext("Add your own questions, then put the link on your website."))
