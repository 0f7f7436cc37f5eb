"""Sample sections for new businesses, and a check whether they are unchanged."""

from __future__ import annotations

from typing import Any

from django.utils.translation import gettext, gettext_noop, override

from workspace.accounts.models import Account
from workspace.lib.languages import GUEST_LANGUAGES
from workspace.lib.money import currency_decimals, to_wire_number
from workspace.products.menu.domain.queries import sections_for
from workspace.products.menu.models import Menu

MAX_MENUS = 5  # oldest menus of an account that are checked
_ = gettext_noop
SECTIONS: dict[str, dict[str, list[tuple[str, float]]]] = {
    "cafe": {
        _("Breakfast"): [(_("Bread, butter and jam"), 5), (_("Porridge"), 6)],
        _("Cakes"): [(_("Apple cake"), 4.5), (_("Cake of the day"), 4.5)],
        _("Coffee and tea"): [(_("Espresso"), 2.5), (_("Pot of tea"), 4)],
    },
    "salon": {
        _("Cut"): [(_("Women: wash, cut and style"), 58), (_("Men: wash and cut"), 32)],
        _("Color"): [(_("Highlights"), 90), (_("Root color"), 55)],
        _("Care"): [(_("Manicure"), 35), (_("Eyebrows"), 15)],
    },
    "restaurant": {
        _("Starters"): [(_("Soup of the day"), 6), (_("Green salad"), 7)],
        _("Mains"): [(_("Dish of the day"), 16), (_("Vegetables"), 14)],
        _("Desserts"): [(_("Ice cream"), 5), (_("Cheese"), 9)],
        _("Drinks"): [(_("Water"), 3), (_("Glass of wine"), 5)],
    },
}


def sample_price(price: float, currency: str) -> float:
    """Return the sample price, multiplied by 100 for currencies without decimals."""
    return price if currency_decimals(currency) else price * 100


def build_sections(trade: str, currency: str) -> list[dict[str, Any]]:
    """Build the sample sections for a trade, in the active language."""
    return [
        {
            "name": gettext(name),
            "items": [{"name": gettext(dish), "price": sample_price(price, currency)} for dish, price in dishes],
        }
        for name, dishes in SECTIONS[trade].items()
    ]


def find_untouched_starter(account: Account) -> Menu | None:
    """Return the account's sample menu if the owner has not changed its content, or None."""
    return next(filter(_is_untouched, account.menus.order_by("pk")[:MAX_MENUS]), None)


def _is_untouched(menu: Menu) -> bool:
    existing = [
        {
            "name": section.name,
            "items": [
                {"name": item.name, "price": to_wire_number(item.price_minor, menu.currency)}
                for item in section.items.all()
                if not (item.description or item.photo_id or item.tags or item.allergens or item.allergens_checked)
            ],
        }
        for section in sections_for(menu)
    ]
    for trade in SECTIONS:
        for language in GUEST_LANGUAGES:
            with override(language):
                if existing == build_sections(trade, menu.currency):
                    return True
    return False
