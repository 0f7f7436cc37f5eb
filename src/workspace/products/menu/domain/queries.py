"""Queries for an account's menus with their sections and items."""

from __future__ import annotations

from django.db.models import Count, OuterRef, Prefetch, QuerySet, Subquery
from django.db.models.functions import Coalesce

from workspace.accounts.models import Account
from workspace.products.menu import messages
from workspace.products.menu.models import Item, Menu, Section
from workspace.publishing.serializers import with_public_state
from workspace.storage.database.compiled_function import compile_once

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


@compile_once
def menus_for(account: Account) -> QuerySet[Menu]:
    """Return the account's menus with all data that a list of menus shows."""
    menus = account.menus.annotate(item_count=_ITEM_COUNT)
    return with_public_state(menus).select_related("publication", "logo")


def get_menu(account: Account, id: str) -> Menu:
    """Return the menu. Raise NotFoundError if the account has no such menu."""
    return menus_for.get(id, messages.MENU_NOT_FOUND, account)


def sections_for(menu: Menu) -> list[Section]:
    """Return the sections and their `items`, both in order, with two queries."""
    return _sections_with_items.fetch(menu)


@compile_once
def _sections_with_items(menu: Menu) -> QuerySet[Section]:
    return menu.sections.prefetch_related(Prefetch("items", Item.objects.order_by("position", "id")))


@compile_once
def _items_with_sections(menu: Menu) -> QuerySet[Item]:
    return menu.items()


def items_for(menu: Menu) -> list[Item]:
    """Return the items of a menu in order. Their sections and this menu are loaded, too."""
    items = _items_with_sections.fetch(menu)
    for item in items:
        item.section.menu = menu
    return items


def get_item(menu: Menu, id: str) -> Item:
    """Return an item of a menu, loaded as by `items_for`. Raise NotFoundError if the menu has no such item."""
    item = _items_with_sections.get(id, messages.ITEM_NOT_FOUND, menu)
    item.section.menu = menu
    return item
