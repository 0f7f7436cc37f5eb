"""The link page that a new account begins with: its business, and what else it has by then."""

from __future__ import annotations

from typing import Any

from workspace.accounts.models import Account
from workspace.brand.models import Brand
from workspace.products.links import tools
from workspace.publishing import things
from workspace.publishing.manifest import Example

TRADES = {"salon", "studio", "trainer", "freelancer", "events", "shop", "other"}


def example(account: Account, trade: str) -> Example | None:
    if trade not in TRADES:
        return None
    brand = Brand.of(account)
    elements: list[dict[str, Any]] = [
        {"kind": "heading", "title": "Welcome"},
        {"kind": "text", "text": brand.line or f"Everything about {account.name}, in one place."},
    ]
    if brand.phone:
        elements.append({"title": "Call us", "url": f"tel:{_dialled(brand.phone)}"})
    for thing in things.of(account):
        elements.append({"title": thing.noun.capitalize(), "url": thing.public_url})
    arguments = {"title": account.name, "elements": elements}
    return Example(tools.create, arguments, "Add your own buttons, then put its address into your profiles.")


def _dialled(phone: str) -> str:
    return "".join(char for char in phone if char in "+0123456789")
