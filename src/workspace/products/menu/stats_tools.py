"""How often a menu is looked at."""

from __future__ import annotations

from typing_extensions import TypedDict

from workspace.accounts.models import Account
from workspace.products.menu.models import KIND
from workspace.products.menu.rows import menu_of
from workspace.products.menu.tools import tools
from workspace.publishing.arguments import Days, window
from workspace.publishing.guest_page import VIEW
from workspace.publishing.statistics import Share, statistics
from workspace.toolkit.answer import Answer, facts
from workspace.toolkit.text import escape_markdown
from workspace.toolkit.types import Id


class DayRow(TypedDict):
    date: str
    views: int
    unique: int


class ShareRow(TypedDict):
    name: str
    views: int


class Views(TypedDict):
    id: str
    restaurant_name: str
    days: int
    time_zone: str
    total: int
    total_in_days: int
    unique_per_day: int
    bots: int
    last_7_days: int
    by_day: list[DayRow]
    by_hour: list[int]
    by_device: list[ShareRow]
    by_city: list[ShareRow]
    by_country: list[ShareRow]
    by_referrer: list[ShareRow]


@tools.tool("svc_menu_stats", title="Views of a menu", reads=True)
def stats(account: Account, menu_id: Id, days: Days | None = None) -> Answer[Views]:
    """Views by people: in all, in the last 7 days, by day and by hour of the day, by device, city and country. Bots are
    counted apart. A visitor is told again within a day only, so `unique` is per day. Days are the account's."""
    menu = menu_of(account, menu_id)
    days = window(days, account.limits(KIND).history_days)
    found = statistics(menu.publication_id, VIEW, days=days, zone=account.zone)
    data: Views = {
        "id": menu.pk,
        "restaurant_name": menu.restaurant_name,
        "days": days,
        "time_zone": account.time_zone,
        "total": found.total,
        "total_in_days": found.total_in_window,
        "unique_per_day": found.unique,
        "bots": found.bots,
        "last_7_days": found.last_7_days,
        "by_day": [{"date": day.date.isoformat(), "views": day.count, "unique": day.unique} for day in found.by_day],
        "by_hour": found.by_hour,
        "by_device": _shares(found.by_device),
        "by_city": _shares(found.by_city),
        "by_country": _shares(found.by_country),
        "by_referrer": _shares(found.by_referrer),
    }
    pairs = {
        "in all": data["total"],
        "in the last 7 days": data["last_7_days"],
        f"in the last {days} days": data["total_in_days"],
        "different visitors, day by day": data["unique_per_day"],
        "bots, counted apart": data["bots"],
    }
    return Answer(data, facts(f"Views of {escape_markdown(menu.restaurant_name)}", pairs))


def _shares(found: list[Share]) -> list[ShareRow]:
    return [{"name": share.value, "views": share.count} for share in found]
