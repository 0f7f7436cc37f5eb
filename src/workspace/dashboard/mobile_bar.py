"""A phone's bar: the products that are used most, each where the thumb knows it. It is looked at anew once a day in
each browser: those that stay keep their place, and another one comes in only where guests clearly visit it more. Within
the day only the first thing of a product gives it a place, that of one that has nothing yet."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from django.http import HttpRequest

from workspace.accounts.models import Account
from workspace.dashboard.navigation import NavItem
from workspace.dashboard.product_usage import Usage
from workspace.lib import clock

HELD = "bar"
CLEARLY = 1.5  # times as many visits


def bar(request: HttpRequest, account: Account, used: Usage) -> list[NavItem]:
    """Of this browser's session, which remembers it."""
    items = {item.product: item for item in (*used.shown, *used.more)}
    held = request.session.get(HELD)
    today = clock.today(account.time_zone).isoformat()
    if not isinstance(held, dict) or held.get("account") != account.pk:
        held = {}
    before = [name for name in held.get("products", ()) if name in items]
    now = settled(before, used, is_new_day=held.get("day") != today)
    told: dict[str, Any] = {"account": account.pk, "day": today, "products": now}
    if told != held:
        request.session[HELD] = told
    return [items[name] for name in now]


def settled(before: Sequence[str], used: Usage, *, is_new_day: bool) -> list[str]:
    """The products of the bar, where `before` are those that stood there."""
    wanted = [item.product for item in used.bar]
    if len(before) != len(wanted):
        return wanted
    now = list(before)
    leaving = [name for name in reversed(now) if name not in wanted]
    for name in wanted:
        if name in now or not used.counts.get(name):
            continue
        for old in leaving:
            idle = not used.counts.get(old)
            if idle or (is_new_day and _clearly_more(name, old, used.visits)):
                now[now.index(old)] = name
                leaving.remove(old)
                break
    return now


def _clearly_more(name: str, old: str, visits: Mapping[str, int]) -> bool:
    return visits.get(name, 0) > CLEARLY * visits.get(old, 0)
