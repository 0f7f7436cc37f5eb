"""What the dashboard's frame needs to know of menus."""

from __future__ import annotations

from typing import Any

from workspace.dashboard.charts import Point
from workspace.dashboard.duplicate_titles import Copy
from workspace.dashboard.item_layout import Frame, Tab
from workspace.lib.money import currencies
from workspace.products.menu.api import stats_tools, tools
from workspace.products.menu.api.serializers import menu_rows
from workspace.products.menu.api.stats_tools import Stats
from workspace.products.menu.dashboard import translation_fields
from workspace.products.menu.dashboard.presenters import DAYS
from workspace.products.menu.domain.queries import menus_of
from workspace.products.menu.models import Menu

SETTINGS = {
    "currency": "Currency",
    "languages": "Languages",
    "sold_out_resets_at": "Sold out ends at",
    "hours": "Hours",
    "hours.from": "From",
    "hours.until": "Until",
    "hours.days": "Days",
}


def _by_the_hour(stats: Stats) -> dict[str, Any]:
    return {"hours": [Point(f"{hour}:00", count) for hour, count in enumerate(stats["by_hour"])]}


FRAME = Frame(
    Menu,
    word="menu",
    id="menu_id",
    edit=tools.edit,
    delete=tools.delete,
    tabs=(Tab("", "Edit"), Tab("look", "Look")),
    stats=stats_tools.stats,
    results="menu/parts/hours_of_day.html",
    drawn_of=_by_the_hour,
    settings=("currency", "languages", "sold_out_resets_at", "hours"),
    settings_form="menu/parts/settings.html",
    settings_with={"days": DAYS, "currencies": currencies(), "languages": translation_fields.choices()},
    labels=SETTINGS,
    share="menu/parts/share.html",
    share_of=lambda found: {"food": found.is_food},
    website=True,
    copy=Copy(tools.create, "restaurant_name", part="menu"),
    gone="Its sections and dishes go with it.",
    example="da-gino",
    empty=(
        "No menu yet",
        "Put your menu on the phones of your guests: prices change in seconds, what is sold out is greyed, and "
        "allergens are where people look for them.",
        "Make your menu",
    ),
    rows_of=lambda account, ids: menu_rows(menus_of(account).filter(pk__in=ids)),
    new="New menu",
)
