"""The item layout of menus."""

from __future__ import annotations

from typing import Any

from workspace.dashboard.charts import Point
from workspace.dashboard.item_duplication import Duplication
from workspace.dashboard.item_layout import ItemLayout, Tab
from workspace.lib.money import currency_choices
from workspace.products.menu.api import stats_tools, tools
from workspace.products.menu.api.serializers import menu_summaries
from workspace.products.menu.api.stats_tools import MenuStats
from workspace.products.menu.dashboard import translation_fields
from workspace.products.menu.dashboard.presenters import DAY_CHOICES
from workspace.products.menu.domain.queries import menus_for
from workspace.products.menu.models import Menu

SETTING_LABELS = {
    "currency": "Currency",
    "languages": "Languages",
    "sold_out_resets_at": "Sold out ends at",
    "hours": "Hours",
    "hours.from": "From",
    "hours.until": "Until",
    "hours.days": "Days",
}


def _results_context(stats: MenuStats) -> dict[str, Any]:
    return {"hours": [Point(f"{hour}:00", count) for hour, count in enumerate(stats["by_hour"])]}


LAYOUT = ItemLayout(
    Menu,
    noun="menu",
    id="menu_id",
    edit=tools.edit,
    delete=tools.delete,
    tabs=(Tab("", "Edit"), Tab("look", "Look")),
    stats=stats_tools.stats,
    results="menu/parts/hours_of_day.html",
    results_context=_results_context,
    settings=("currency", "languages", "sold_out_resets_at", "hours"),
    settings_form="menu/parts/settings.html",
    settings_context={
        "days": DAY_CHOICES,
        "currencies": currency_choices(),
        "languages": translation_fields.language_choices(),
    },
    labels=SETTING_LABELS,
    share="menu/parts/share.html",
    share_context=lambda menu: {"food": menu.is_food},
    website=True,
    copy=Duplication(tools.create, "restaurant_name", result_key="menu"),
    deletion_text="Its sections and dishes go with it.",
    example="da-gino",
    empty_state=(
        "No menu yet",
        "Put your menu on the phones of your guests: prices change in seconds, what is sold out is greyed, and "
        "allergens are where people look for them.",
        "Make your menu",
    ),
    load_rows=lambda account, ids: menu_summaries(menus_for(account).filter(pk__in=ids)),
    new_label="New menu",
)
