"""A sample code for a new account with a physical location. It opens a page that is useful for guests there."""

from __future__ import annotations

from workspace.accounts.models import Account
from workspace.owner_translation import owner_gettext, owner_gettext_noop
from workspace.products.qr.api import tools
from workspace.publishing import items
from workspace.publishing.manifest import Starter

CODE_NAMES = {
    "cafe": owner_gettext_noop("Tables"),
    "restaurant": owner_gettext_noop("Tables"),
    "shop": owner_gettext_noop("Door"),
    "events": owner_gettext_noop("Posters"),
}


def starter_for(account: Account, trade: str) -> Starter | None:
    existing = items.items_for(account)
    if trade not in CODE_NAMES or not existing:
        return None
    data = {"name": owner_gettext(CODE_NAMES[trade]), "target_url": existing[0].public_url}
    task = owner_gettext("Print this QR code. It opens “%(page)s”.") % {"page": existing[0].title}
    return Starter(tools.create, data, task)
