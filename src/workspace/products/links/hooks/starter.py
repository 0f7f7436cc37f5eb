"""The link page that a new account begins with: its business, and what else it has by then."""

from __future__ import annotations

from typing import Any

from django.utils.translation import gettext_noop

from workspace.accounts.models import Account
from workspace.brand.models import Brand
from workspace.products.links.api import tools
from workspace.publishing import items
from workspace.publishing.call_to_action import call_of, language_of
from workspace.publishing.manifest import Example
from workspace.publishing.models.publication import State

TRADES = {"salon", "studio", "trainer", "freelancer", "events", "shop", "other"}
LINE = gettext_noop("Everything about %(business)s, in one place.")
CALL = gettext_noop("Call us")


def example(account: Account, trade: str) -> Example | None:
    if trade not in TRADES:
        return None
    brand, language = Brand.of(account), language_of(account)
    line = brand.line or call_of(LINE, language) % {"business": account.name}
    elements: list[dict[str, Any]] = [{"kind": "text", "text": line}]
    if brand.phone:
        elements.append({"title": call_of(CALL, language), "url": f"tel:{_dialled(brand.phone)}"})
    for thing in items.of(account):
        if thing.state is not State.LIVE:
            continue  # what is made up is for its owner only
        elements.append({"title": call_of(thing.call, language), "url": thing.public_url})
    arguments = {"title": account.name, "elements": elements}
    return Example(tools.create, arguments, "Add your own buttons, then put its address into your profiles.")


def _dialled(phone: str) -> str:
    return "".join(char for char in phone if char in "+0123456789")
