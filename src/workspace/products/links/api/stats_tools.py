"""The tool for a page's statistics: views on every plan, clicks on the larger one.

Clicks are recorded on every plan.
"""

from __future__ import annotations

from typing import Annotated

from pydantic import Field
from typing_extensions import TypedDict

from workspace.accounts.models import Account
from workspace.analytics.queries import Statistics, ValueCount, compute_statistics
from workspace.analytics.serializers import (
    DayStats,
    VisitStats,
    add_previous_counts,
    format_stats,
    list_day_stats,
    visit_stats,
)
from workspace.lib.text import escape_markdown
from workspace.products.links.api.arguments import PageId
from workspace.products.links.api.serializers import PageData, page_detail
from workspace.products.links.api.tools import box
from workspace.products.links.domain.queries import get_page
from workspace.products.links.models import CLICK, KIND, ElementKind
from workspace.products.links.rules.social_networks import NETWORKS
from workspace.publishing.models.visit import VIEW_EVENT
from workspace.publishing.shared_item_arguments import DEFAULT_DAYS, Days, limit_days
from workspace.tools.answer import Answer, format_bullets, format_fact_list

REMOVED_BUTTON = "Removed button"
UPGRADE_TEXT = "Your plan shows views only. Clicks are already being counted. To see them, including past ones, {}."


class PageDay(DayStats):
    clicks: Annotated[int | None, Field(description="Clicks. null if the plan hides them.")]


class LinkStats(TypedDict):
    """The clicks of a link. `unique` counts each visitor once per day."""

    link_id: str
    title: str
    url: str
    clicks: int
    unique: int


class PageStats(VisitStats):
    page_id: str
    title: str
    clicks: Annotated[
        int | None, Field(description="All clicks by people, including repeats. null if the plan hides clicks.")
    ]
    clicks_in_days: int | None
    click_through_rate: Annotated[
        float | None,
        Field(description="Clicks (once per person and day) divided by views. 0.25 is 25 %."),
    ]
    clicks_by_link: list[LinkStats]
    by_day: list[PageDay]
    shows_clicks: Annotated[bool, Field(description="Whether the plan shows clicks and referrers.")]


@box.tool(
    "svc_links_stats",
    title="Get link page analytics",
    about="Get views, clicks, click-through rate, clicks by link, devices, locations and referrers of a link page. "
    "The rate counts each person once a day. Bots are counted separately. The Free plan collects clicks but "
    "shows only views. Your plan limits how far back the data goes.",
    short="Get views, clicks and click-through rate of a link page.",
    synonyms="analytics, statistics, ctr, how many clicks, which link is clicked most, popular link, klicks, "
    "statistik, welcher link, clics, estadísticas, qué enlace, más clics",
    reads=True,
)
def stats(account: Account, page_id: PageId, days: Days = DEFAULT_DAYS) -> Answer[PageStats]:
    data = compute_stats(account, page_id, days)
    return Answer(data, _format_stats(data, account.upgrade_hint(KIND)))


def click_rate(unique_clicks: int, views: int) -> float:
    """Return the unique daily clicks divided by the views, rounded to four places, or 0 if there are no views."""
    return round(unique_clicks / views, 4) if views else 0.0


def compute_stats(account: Account, page_id: str, days: int | None) -> PageStats:
    page = get_page(account, page_id)
    limits = account.limits(KIND)
    days = limit_days(days, limits.history_days)
    views = compute_statistics(page.publication_id, VIEW_EVENT, days=days, zone=account.zone)
    clicks = (
        compute_statistics(page.publication_id, CLICK, days=days, zone=account.zone)
        if limits.click_statistics
        else None
    )
    counts = {"views": views.before, **({"clicks": clicks.before} if clicks else {})}
    seen = add_previous_counts(visit_stats(views, account), limits.history_days, **counts)
    if clicks is None:
        seen = {**seen, "by_device": [], "by_city": [], "by_country": [], "by_referrer": []}
    return {
        **seen,
        "page_id": page.pk,
        "title": page.title,
        "clicks": clicks.total if clicks else None,
        "clicks_in_days": clicks.total_in_window if clicks else None,
        "click_through_rate": click_rate(clicks.unique, views.total_in_window) if clicks else None,
        "clicks_by_link": _count_by_link(page_detail(page), clicks.by_part) if clicks else [],
        "by_day": _count_by_day(views, clicks),
        "shows_clicks": clicks is not None,
    }


def _count_by_day(views: Statistics, clicks: Statistics | None) -> list[PageDay]:
    return [
        {**day, "clicks": clicks.by_day[number].count if clicks else None}
        for number, day in enumerate(list_day_stats(views))
    ]


def _count_by_link(page: PageData, parts: list[ValueCount]) -> list[LinkStats]:
    """Return everything that can be clicked now, most clicked first, then removed parts that were clicked."""
    counted = {part.value: part for part in parts}
    by_name: dict[str, tuple[str, str]] = {}
    for element in page["elements"]:
        if element["kind"] in (ElementKind.LINK, ElementKind.LIVE):
            by_name[element["id"]] = (element["title"], element.get("url", ""))
    for profile in page["social_profiles"]:
        by_name[profile["network"]] = (NETWORKS[profile["network"]].title, profile["url"])
    for key in counted:
        by_name.setdefault(key, (NETWORKS[key].title if key in NETWORKS else REMOVED_BUTTON, ""))
    results: list[LinkStats] = [
        {
            "link_id": key,
            "title": title,
            "url": url,
            "clicks": counted[key].count if key in counted else 0,
            "unique": counted[key].unique if key in counted else 0,
        }
        for key, (title, url) in by_name.items()
    ]
    return sorted(results, key=lambda row: -row["clicks"])


def _format_stats(data: PageStats, larger_plan: str) -> str:
    pairs = {
        "page": data["page_id"],
        "time zone": data["time_zone"],
        **format_stats(data),
        "total clicks": data["clicks"],
        f"clicks in the last {data['days']} days": data["clicks_in_days"],
    }
    if data["click_through_rate"] is not None:
        pairs["click-through rate"] = f"{data['click_through_rate'] * 100:.2f} %"
    days = [day for day in data["by_day"] if day["views"] or day["clicks"]]
    parts = [
        format_fact_list(f"Views of “{escape_markdown(data['title'])}”", pairs),
        *([] if data["shows_clicks"] else [UPGRADE_TEXT.format(larger_plan)]),
        "\n".join(["Clicks by link:", *format_bullets(data["clicks_by_link"], _format_link)])
        if data["clicks_by_link"]
        else "",
        "\n".join(["By day:", *format_bullets(days, _format_day)]) if days else "",
    ]
    return "\n\n".join(filter(None, parts))


def _format_link(row: LinkStats) -> str:
    url = f" → {escape_markdown(row['url'])}" if row["url"] else ""
    return f"{escape_markdown(row['title'])}{url}: {row['clicks']} clicks, {row['unique']} unique `{row['link_id']}`"


def _format_day(row: PageDay) -> str:
    clicks = "" if row["clicks"] is None else f", {row['clicks']} clicks"
    return f"{row['date']}: {row['views']} views, {row['unique']} unique{clicks}"
