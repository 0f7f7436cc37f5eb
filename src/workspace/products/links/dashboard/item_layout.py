"""The item layout of link pages."""

from __future__ import annotations

from typing import Any

from workspace.dashboard.charts import Point
from workspace.dashboard.item_duplication import Duplication
from workspace.dashboard.item_layout import ItemLayout, Tab
from workspace.products.links.api import stats_tools, tools
from workspace.products.links.api.serializers import list_page_data
from workspace.products.links.api.stats_tools import PageStats
from workspace.products.links.domain.queries import pages_for
from workspace.products.links.models import Page

MAX_LINKS = 20  # links of the list


def _results_context(stats: PageStats) -> dict[str, Any]:
    rate = stats["click_through_rate"]
    return {
        "rate": f"{rate * 100:.1f} %" if rate is not None else "",
        "links": [Point(row["title"], row["clicks"]) for row in stats["clicks_by_link"][:MAX_LINKS]],
    }


LAYOUT = ItemLayout(
    Page,
    noun="page",
    id="page_id",
    edit=tools.edit,
    delete=tools.delete,
    tabs=(Tab("", "Edit"), Tab("look", "Look")),
    stats=stats_tools.stats,
    counts={"views": "Views", "clicks": "Clicks"},
    results="links/parts/clicks.html",
    results_context=_results_context,
    share="links/parts/file.html",
    copy=Duplication(tools.create),
    deletion_text="Its buttons go with it.",
    website=True,
    example="corner-cafe",
    empty_state=(
        "No link page yet",
        "One page for all your links: put its address into your profiles, or print its code.",
        "Make your link page",
    ),
    load_rows=lambda account, ids: list_page_data(account, pages_for(account).filter(pk__in=ids)),
    new_label="New page",
    list_actions="links/parts/list_actions.html",
    list_foot="links/parts/list_foot.html",
)
