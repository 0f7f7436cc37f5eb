"""A sample certificate template for a new account in a teaching trade."""

from __future__ import annotations

from workspace.accounts.models import Account
from workspace.owner_translation import owner_gettext
from workspace.products.certs.api import tools
from workspace.publishing.manifest import Starter

TRADES = {"trainer", "studio"}


def starter_for(account: Account, trade: str) -> Starter | None:
    if trade != "trainer":
        return None
    data = {"name": "Course completed", "live": False}
    return Starter(tools.save_template, data, owner_gettext("Choose a design, then issue your first certificate."))
