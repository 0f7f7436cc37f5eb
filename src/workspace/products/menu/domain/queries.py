"""Queries for an account's menus with their sections and items."""

from __future__ import annotations

from django.db.models import Count, OuterRef, Prefetch, QuerySet, Subquery
from django.db.models.functions import Coalesce

from workspace.accounts.models import Account
from workspace.products.menu import messages
from workspace.products.menu.models import Item, Menu, Section
from workspace.publishing.serializers import get_or_404, with_public_state

# a subquery for each menu, because a join would count for all menus of the account on each page
_ITEM_COUNT = Coalesce(
    Subquery(
        Item.objects.filter(section__menu=OuterRef("pk"), section__binned_at=None)
        .order_by()
        .values("section__menu")
        .annotate(n=Count("*"))
        .values("n")
    ),
    0,
)


def menus_for(account: Account) -> QuerySet[Menu]:
    """Return the account's menus with everything that a row shows, in two queries."""
    menus = account.menus.annotate(item_count=_ITEM_COUNT)
    return with_public_state(menus).select_related("publication", "account__brand", "logo")


def get_menu(account: Account, id: str) -> Menu:
    """Return the menu. Raise NotFoundError if the account does not have it."""
    return get_or_404(menus_for(account), id, messages.MENU_NOT_FOUND)


def sections_for(menu: Menu) -> list[Section]:
    """Return the sections in order, each with its `items` in order, in two queries."""
    sections = list(menu.sections.prefetch_related(Prefetch("items", Item.objects.order_by("position", "id"))))
    for section in sections:
        section.menu = menu
    return sections


def items_for(menu: Menu) -> QuerySet[Item]:
    """Return a menu's items with their photo, section, menu and account."""
    return menu.items().select_related("section__menu__account", "photo")
