"""The menu that a new café or restaurant begins with, in its guests' language: dishes to write over, so that nobody
else sees it yet."""

from __future__ import annotations

from typing import Any

from django.utils.translation import gettext, gettext_noop

from workspace.accounts.models import Account
from workspace.products.menu import tools
from workspace.publishing.calls import speaking_to_guests
from workspace.publishing.manifest import Example

_ = gettext_noop
SECTIONS: dict[str, dict[str, list[tuple[str, float]]]] = {
    "cafe": {
        _("Breakfast"): [(_("Bread, butter and jam"), 5), (_("Porridge"), 6)],
        _("Cakes"): [(_("Apple cake"), 4.5), (_("Cake of the day"), 4.5)],
        _("Coffee and tea"): [(_("Espresso"), 2.5), (_("Pot of tea"), 4)],
    },
    "restaurant": {
        _("Starters"): [(_("Soup of the day"), 6), (_("Green salad"), 7)],
        _("Mains"): [(_("Dish of the day"), 16), (_("Vegetables"), 14)],
        _("Desserts"): [(_("Ice cream"), 5), (_("Cheese"), 9)],
        _("Drinks"): [(_("Water"), 3), (_("Glass of wine"), 5)],
    },
}


def example(account: Account, trade: str) -> Example | None:
    if trade not in SECTIONS:
        return None
    with speaking_to_guests(account):
        sections: list[dict[str, Any]] = [
            {"name": gettext(name), "items": [{"name": gettext(dish), "price": price} for dish, price in dishes]}
            for name, dishes in SECTIONS[trade].items()
        ]
    said = {"restaurant_name": account.name, "sections": sections, "live": False}
    return Example(
        tools.create, said, "Write your own dishes over ours, then switch it on. Its code can be printed now."
    )
