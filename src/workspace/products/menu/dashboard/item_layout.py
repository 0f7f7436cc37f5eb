"""The item layout of menus."""

from __future__ import annotations

from typing import Any

from workspace.dashboard.charts import Point
from workspace.dashboard.item_duplication import Duplication
from workspace.dashboard.item_layout import ItemLayout, Tab
from workspace.dashboard.language_choices import group_languages
from workspace.lib.money import currency_choices
from workspace.owner_translation import owner_gettext_lazy
from workspace.products.menu.api import stats_tools, tools
from workspace.products.menu.api.serializers import menu_summaries
from workspace.products.menu.api.stats_tools import MenuStats
from workspace.products.menu.dashboard.presenters import DAY_CHOICES
from workspace.products.menu.domain.queries import menus_for
from workspace.products.menu.models import Menu

SETTING_LABELS = {
    "currency": owner_gettext_lazy("Currency"),
    "languages": owner_gettext_lazy("Languages"),
    "sold_out_resets_at": owner_gettext_lazy("Reset sold-out items at"),
    "hours": owner_gettext_lazy("Hours"),
    "hours.from": owner_gettext_lazy("From"),
    "hours.until": owner_gettext_lazy("Until"),
    "hours.days": owner_gettext_lazy("Days"),
}


def _results_context(stats: MenuStats) -> dict[str, Any]:
    return {"hours": [Point(f"{hour}:00", count) for hour, count in enumerate(stats["by_hour"])]}


LAYOUT = ItemLayout(
    Menu,
    noun="menu",
    id="menu_id",
    edit=tools.edit,
    delete=tools.delete,
    tabs=(Tab("", owner_gettext_lazy("Edit")), Tab("look", owner_gettext_lazy("Design"))),
    stats=stats_tools.stats,
    results="menu/owner/parts/hours_of_day.html",
    results_context=_results_context,
    settings=("currency", "languages", "sold_out_resets_at", "hours"),
    settings_form="menu/owner/parts/settings.html",
    settings_context={
        "days": DAY_CHOICES,
        "currencies": currency_choices(),
        "language_groups": group_languages(),
    },
    labels=SETTING_LABELS,
    share="menu/owner/parts/share.html",
    share_context=lambda menu: {"food": menu.is_food},
    website=True,
    is_ready=lambda menu: menu.items().exists(),
    copy=Duplication(tools.create, "restaurant_name", result_key="menu"),
    deletion_text=owner_gettext_lazy("Its sections and items are deleted too."),
    example="da-gino",
    empty_state=(
        owner_gettext_lazy("No menus yet"),
        owner_gettext_lazy("Show guests your current prices, sold-out dishes and allergens on their phones."),
        owner_gettext_lazy("Create menu"),
    ),
    load_rows=lambda account, ids: menu_summaries(menus_for.fetch_by_ids(ids, account)),
    new_label=owner_gettext_lazy("New menu"),
    list_actions="menu/owner/parts/list_actions.html",
    list_foot="menu/owner/parts/list_foot.html",
)
