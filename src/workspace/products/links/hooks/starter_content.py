"""A sample link page for a new account: its business, and its live items."""

from __future__ import annotations

from typing import Any

from django.utils.translation import gettext_noop

from workspace.accounts.models import Account
from workspace.brand.models import Brand
from workspace.owner_translation import owner_gettext
from workspace.products.links.api import tools
from workspace.publishing import items
from workspace.publishing.guest_language import guest_language, translate_call_to_action
from workspace.publishing.manifest import Starter
from workspace.publishing.models.publication import State

TRADES = {"salon", "studio", "trainer", "freelancer", "events", "shop", "other"}
INTRO = gettext_noop("Everything about %(business)s, in one place.")
CALL_LABEL = gettext_noop("Call us")


def starter_for(account: Account, trade: str) -> Starter | None:
    if trade not in TRADES:
        return None
    brand, language = Brand.for_account(account), guest_language(account)
    line = brand.slogan or translate_call_to_action(INTRO, language) % {"business": account.name}
    elements: list[dict[str, Any]] = [{"kind": "text", "text": line}]
    if brand.phone:
        elements.append(
            {"title": translate_call_to_action(CALL_LABEL, language), "url": f"tel:{_phone_digits(brand.phone)}"}
        )
    for item in items.items_for(account):
        if item.state is not State.LIVE:
            continue  # only its owner can see sample content
        elements.append({"title": translate_call_to_action(item.call_to_action, language), "url": item.public_url})
    arguments = {"title": account.name, "elements": elements}
    task = owner_gettext("Add your buttons, then share the link in your profiles.")
    return Starter(tools.create, arguments, task)


def _phone_digits(phone: str) -> str:
    return "".join(char for char in phone if char in "+0123456789")
