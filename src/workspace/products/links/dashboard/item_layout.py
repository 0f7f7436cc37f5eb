"""The item layout of link pages."""

from __future__ import annotations

from typing import Any

from workspace.dashboard.charts import Point
from workspace.dashboard.item_duplication import Duplication
from workspace.dashboard.item_layout import ItemLayout, Tab
from workspace.owner_translation import owner_gettext_lazy
from workspace.products.links.api import stats_tools, tools
from workspace.products.links.api.serializers import list_page_data
from workspace.products.links.api.stats_tools import PageStats
from workspace.products.links.domain.queries import pages_for
from workspace.products.links.models import Page

MAX_LINKS = 20  # links in the list


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
    tabs=(Tab("", owner_gettext_lazy("Edit")), Tab("look", owner_gettext_lazy("Design"))),
    stats=stats_tools.stats,
    counts={"views": owner_gettext_lazy("Views"), "clicks": owner_gettext_lazy("Clicks")},
    results="links/owner/parts/clicks.html",
    results_context=_results_context,
    share="links/owner/parts/file.html",
    copy=Duplication(tools.create),
    deletion_text=owner_gettext_lazy("Its buttons are deleted too."),
    website=True,
    is_ready=lambda page: page.elements.exists(),
    example="corner-cafe",
    empty_state=(
        owner_gettext_lazy("No link pages yet"),
        owner_gettext_lazy("Put all your links on one page and share it in your social profiles."),
        owner_gettext_lazy("Create link page"),
    ),
    load_rows=lambda account, ids: list_page_data(account, pages_for.fetch_by_ids(ids, account)),
    new_label=owner_gettext_lazy("New link page"),
    list_actions="links/owner/parts/list_actions.html",
    list_foot="links/owner/parts/list_foot.html",
)
