"""The tab bar on phones: three products between Home and More.

Owners choose them, and otherwise the trade does. The bar never changes by itself, because people find a tab by its
place.
"""

from __future__ import annotations

from collections.abc import Sequence

from workspace.accounts.models import Account
from workspace.brand.models import Brand
from workspace.dashboard.navigation import NavItem

BAR_SIZE = 3


def list_bar_items(account: Account, products: Sequence[NavItem]) -> list[NavItem]:
    """Return the tabs of an account, chosen from the products that the member can use, in the instance's order.

    Products that the member cannot use are replaced with the next products.
    """
    chosen = account.tab_bar
    items = {item.product: item for item in products}
    first = [items[key] for key in chosen if key in items] if chosen else _tabs_of_trade(account, products)
    rest = [item for item in products if item not in first]
    return [*first, *rest][: len(chosen) or BAR_SIZE]


def _tabs_of_trade(account: Account, products: Sequence[NavItem]) -> list[NavItem]:
    trade = Brand.for_account(account).trade
    if not trade:
        return []
    placed = [item for item in products if trade in item.tab_places]
    return sorted(placed, key=lambda item: item.tab_places[trade])
