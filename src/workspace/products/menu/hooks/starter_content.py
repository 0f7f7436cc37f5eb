"""A sample menu for a new café or restaurant, or a price list for a new salon, in its guests' language.

The owner is expected to overwrite it, so it is not live.
"""

from __future__ import annotations

from workspace.accounts.models import Account
from workspace.owner_translation import owner_gettext
from workspace.products.menu.api import tools
from workspace.products.menu.domain.starter_sections import SECTIONS, build_sections
from workspace.products.menu.models import default_currency
from workspace.products.menu.rules.diets_and_allergens import FOOD_TRADES
from workspace.publishing.guest_language import use_guest_language
from workspace.publishing.manifest import Starter


def starter_for(account: Account, trade: str) -> Starter | None:
    if trade not in SECTIONS:
        return None
    with use_guest_language(account):
        sections = build_sections(trade, default_currency(account))
    data = {"restaurant_name": account.name, "sections": sections, "live": False}
    if trade in FOOD_TRADES:
        task = owner_gettext("Replace the sample dishes with yours, then turn on the menu.")
    else:
        task = owner_gettext("Replace the sample services with yours, then turn on the price list.")
    return Starter(tools.create, data, task)
