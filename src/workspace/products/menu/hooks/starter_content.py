"""The starter menu of a new café or restaurant, or the price list of a new salon, in its guests' language.

It is a sample to be overwritten, so it is not live.
"""

from __future__ import annotations

from workspace.accounts.models import Account
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
    what = "dishes" if trade in FOOD_TRADES else "services and prices"
    return Starter(
        tools.create, data, f"Write your own {what} over ours, then switch it on. Its code can be printed now."
    )
