"""What the dashboard's frame needs to know of link pages."""

from __future__ import annotations

from typing import Any

from workspace.dashboard.charts import Point
from workspace.dashboard.duplicate_titles import Copy
from workspace.dashboard.item_layout import Frame, Tab
from workspace.products.links.api import stats_tools, tools
from workspace.products.links.api.serializers import pages_of, rows
from workspace.products.links.api.stats_tools import Stats
from workspace.products.links.models import Page

LONGEST = 20  # links of the list


def _clicks(stats: Stats) -> dict[str, Any]:
    rate = stats["click_through_rate"]
    return {
        "rate": f"{rate * 100:.1f} %" if rate is not None else "",
        "links": [Point(row["title"], row["clicks"]) for row in stats["clicks_by_link"][:LONGEST]],
    }


FRAME = Frame(
    Page,
    word="page",
    id="page_id",
    edit=tools.edit,
    delete=tools.delete,
    tabs=(Tab("", "Edit"), Tab("look", "Look")),
    stats=stats_tools.stats,
    counts={"views": "Views", "clicks": "Clicks"},
    results="links/parts/clicks.html",
    drawn_of=_clicks,
    share="links/parts/file.html",
    copy=Copy(tools.create),
    gone="Its buttons go with it.",
    website=True,
    example="corner-cafe",
    empty=(
        "No link page yet",
        "One page for all your links: put its address into your profiles, or print its code.",
        "Make your link page",
    ),
    rows_of=lambda account, ids: rows(account, pages_of(account).filter(pk__in=ids)),
    new="New page",
    list_actions="links/parts/list_actions.html",
    list_foot="links/parts/list_foot.html",
)
