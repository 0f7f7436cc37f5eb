"""The sold-out dishes, for Today on the home page."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime
from typing import Any

from django.db.models import Q, QuerySet

from workspace.accounts.models import Account
from workspace.lib import clock
from workspace.owner_translation import owner_gettext, owner_gettext_lazy
from workspace.products.menu import messages
from workspace.products.menu.api.section_and_item_tools import update_item
from workspace.products.menu.models import Item
from workspace.publishing.checkin import CheckinAction
from workspace.publishing.today import TodayEntry, TodaySource
from workspace.storage.database.compiled_function import compile_once


def list_sold_out_items(account: Account, limit: int) -> Sequence[TodayEntry]:
    """Return the items that guests see as sold out, in the order of their menus."""
    return [_present_item(item, account) for item in _sold_out_items.fetch_some(limit, account, clock.now())]


@compile_once
def _items_for(account: Account) -> QuerySet[Item]:
    rows = Item.objects.filter(section__menu__account=account, section__binned_at=None, section__menu__binned_at=None)
    return rows.select_related("section__menu")


@compile_once
def _sold_out_items(account: Account, now: datetime) -> QuerySet[Item]:
    still = Q(sold_out_until=None) | Q(sold_out_until__gt=now)
    seen = _items_for(account).filter(still, marked_sold_out=True, hidden=False, section__hidden=False)
    return seen.order_by("section__menu_id", "section__position", "section_id", "position", "id")


def _present_item(item: Item, account: Account) -> TodayEntry:
    until = item.sold_out_until.astimezone(account.zone) if item.sold_out_until else None
    detail = owner_gettext("Sold out until %(time)s") % {"time": f"{until:%H:%M}"} if until else item.section.name
    return TodayEntry(
        id=item.pk,
        title=item.name,
        detail=detail,
        page=f"/app/menu/{item.section.menu_id}#{item.pk}",
        acts=(_MARK_AVAILABLE.name,),
    )


def _available_arguments(account: Account, id: str) -> dict[str, Any]:
    item = _items_for.get(id, messages.ITEM_NOT_FOUND, account)
    return {"menu_id": item.section.menu_id, "item_id": item.pk, "sold_out": False}


_MARK_AVAILABLE = CheckinAction(
    name="available",
    label=owner_gettext_lazy("Mark available"),
    tool=update_item,
    arguments=_available_arguments,
    done_message=owner_gettext_lazy("Item marked as available."),
)
TODAY_SOURCE = TodaySource(
    title=owner_gettext_lazy("Sold out"),
    page="/app/menu",
    list_entries=list_sold_out_items,
    actions=[_MARK_AVAILABLE],
)
