"""The navigation bar on phones: the most used products, each in a stable position.

It is updated once a day in each browser. Products keep their position, and are replaced only by a product with clearly
more visits. Within a day, a product is added only for its first item, in place of a product without items.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from django.http import HttpRequest

from workspace.accounts.models import Account
from workspace.dashboard.navigation import NavItem
from workspace.dashboard.product_usage import ProductUsage
from workspace.lib import clock

SESSION_KEY = "bar"
REPLACE_RATIO = 1.5  # times as many visits


def list_bar_items(request: HttpRequest, account: Account, usage: ProductUsage) -> list[NavItem]:
    """Return the bar's items. The session stores which they are."""
    items = {item.product: item for item in (*usage.main_items, *usage.more_items)}
    held = request.session.get(SESSION_KEY)
    today = clock.today(account.time_zone).isoformat()
    if not isinstance(held, dict) or held.get("account") != account.pk:
        held = {}
    before = [name for name in held.get("products", ()) if name in items]
    now = choose_bar_products(before, usage, is_new_day=held.get("day") != today)
    stored: dict[str, Any] = {"account": account.pk, "day": today, "products": now}
    if stored != held:
        request.session[SESSION_KEY] = stored
    return [items[name] for name in now]


def choose_bar_products(previous_products: Sequence[str], usage: ProductUsage, *, is_new_day: bool) -> list[str]:
    """Choose the products of the bar. `previous_products` are the previous ones."""
    wanted = [item.product for item in usage.bar_items]
    if len(previous_products) != len(wanted):
        return wanted
    now = list(previous_products)
    leaving = [name for name in reversed(now) if name not in wanted]
    for name in wanted:
        if name in now or not usage.counts.get(name):
            continue
        for old in leaving:
            idle = not usage.counts.get(old)
            if idle or (is_new_day and _is_clearly_more(name, old, usage.visits)):
                now[now.index(old)] = name
                leaving.remove(old)
                break
    return now


def _is_clearly_more(name: str, old: str, visits: Mapping[str, int]) -> bool:
    return visits.get(name, 0) > REPLACE_RATIO * visits.get(old, 0)
