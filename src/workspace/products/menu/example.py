"""The menu that a new café or restaurant begins with: dishes to write over, so guests do not see it yet."""

from __future__ import annotations

from typing import Any

from workspace.accounts.models import Account
from workspace.brand.models import Brand
from workspace.products.menu import tools
from workspace.publishing.manifest import Example

SECTIONS: dict[str, list[dict[str, Any]]] = {
    "cafe": [
        {
            "name": "Breakfast",
            "items": [{"name": "Bread, butter and jam", "price": 5}, {"name": "Porridge", "price": 6}],
        },
        {"name": "Cakes", "items": [{"name": "Apple cake", "price": 4.5}, {"name": "Cake of the day", "price": 4.5}]},
        {"name": "Coffee and tea", "items": [{"name": "Espresso", "price": 2.5}, {"name": "Pot of tea", "price": 4}]},
    ],
    "restaurant": [
        {"name": "Starters", "items": [{"name": "Soup of the day", "price": 6}, {"name": "Green salad", "price": 7}]},
        {"name": "Mains", "items": [{"name": "Dish of the day", "price": 16}, {"name": "Vegetables", "price": 14}]},
        {"name": "Desserts", "items": [{"name": "Ice cream", "price": 5}, {"name": "Cheese", "price": 9}]},
        {"name": "Drinks", "items": [{"name": "Water", "price": 3}, {"name": "Glass of wine", "price": 5}]},
    ],
}


def example(account: Account, trade: str) -> Example | None:
    if trade not in SECTIONS:
        return None
    said: dict[str, Any] = {"restaurant_name": account.name, "sections": SECTIONS[trade], "live": False}
    if currency := Brand.of(account).currency:
        said["currency"] = currency
    return Example(
        tools.create, said, "Write your own dishes over ours, then switch it on. Its code can be printed now."
    )
