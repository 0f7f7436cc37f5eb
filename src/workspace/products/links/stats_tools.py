"""What a page's visits tell: views for everybody, clicks on the larger plan. Clicks are collected on every plan."""

from __future__ import annotations

from typing import Annotated

from pydantic import Field
from typing_extensions import TypedDict

from workspace.accounts.models import Account
from workspace.products.links.models import CLICK, KIND, VIEW, Kind, Page
from workspace.products.links.networks import NETWORKS
from workspace.products.links.rows import page_of
from workspace.products.links.tools import tools
from workspace.publishing import live_blocks
from workspace.publishing.arguments import Days
from workspace.publishing.statistics import Share, Statistics, statistics
from workspace.toolkit.answer import Answer, bullets, facts
from workspace.toolkit.text import escape_markdown
from workspace.toolkit.types import Id

GONE = "A button that was removed"
LATER = "Your plan shows views only. Clicks are collected all the same: to see them, earlier ones too, {}."


class DayRow(TypedDict):
    date: str
    views: int
    clicks: int | None


class LinkRow(TypedDict):
    """`unique` counts somebody once a day."""

    link_id: str
    title: str
    url: str
    clicks: int
    unique: int


class ShareRow(TypedDict):
    name: str
    views: int


class Stats(TypedDict):
    page_id: str
    title: str
    days: int
    time_zone: str
    total_views: int
    views: int
    unique_views_per_day: int | None
    clicks: Annotated[int | None, Field(description="By people, every repeat included; null where the plan hides it")]
    click_through_rate: Annotated[
        float | None,
        Field(description="Clicks by people, one a person and day, as a part of the views: 0.25 is a quarter"),
    ]
    clicks_by_link: list[LinkRow]
    devices: list[ShareRow]
    cities: list[ShareRow]
    countries: list[ShareRow]
    referrers: list[ShareRow]
    by_day: list[DayRow]
    bots: int | None
    shows_clicks: Annotated[bool, Field(description="Whether the plan shows more than views")]


@tools.tool("svc_links_stats", title="Views and clicks of a link page", reads=True)
def stats(account: Account, page_id: Id, days: Days = 30) -> Answer[Stats]:
    """Views by people, clicks, the click-through rate, clicks by link, devices, cities, countries and referrers of the
    last days. The rate is clicks without the same person's repeats of a day, divided by views. Bots are counted apart.
    The free plan shows views only; clicks are collected all the same."""
    page = page_of(account, page_id)
    limits = account.limits(KIND)
    days = min(days, limits.history_days)
    views = statistics(page.publication_id, VIEW, days=days, zone=account.zone)
    clicks = statistics(page.publication_id, CLICK, days=days, zone=account.zone) if limits.click_statistics else None
    data = _data(page, account, days, views, clicks)
    return Answer(data, _text(data, account.larger(KIND)))


def rate(unique_clicks: int, views: int) -> float:
    """Clicks without same-day repeats ÷ views, to four places; no views gives 0."""
    return round(unique_clicks / views, 4) if views else 0.0


def _data(page: Page, account: Account, days: int, views: Statistics, clicks: Statistics | None) -> Stats:
    by_day: list[DayRow] = [
        {
            "date": day.date.isoformat(),
            "views": day.count,
            "clicks": clicks.by_day[number].count if clicks else None,
        }
        for number, day in enumerate(views.by_day)
    ]
    shown = clicks is not None
    return {
        "page_id": page.pk,
        "title": page.title,
        "days": days,
        "time_zone": account.time_zone,
        "total_views": views.total,
        "views": views.total_in_window,
        "unique_views_per_day": views.unique if shown else None,
        "clicks": clicks.total_in_window if clicks else None,
        "click_through_rate": rate(clicks.unique, views.total_in_window) if clicks else None,
        "clicks_by_link": _by_link(page, clicks.by_part) if clicks else [],
        "devices": _shares(views.by_device) if shown else [],
        "cities": _shares(views.by_city) if shown else [],
        "countries": _shares(views.by_country) if shown else [],
        "referrers": _shares(views.by_referrer) if shown else [],
        "by_day": by_day,
        "bots": views.bots if shown else None,
        "shows_clicks": shown,
    }


def _by_link(page: Page, parts: list[Share]) -> list[LinkRow]:
    """Everything that can be clicked now, the most clicked first, and what was clicked before it was removed."""
    counted = {part.value: part for part in parts}
    titles = live_blocks.kinds()
    named: dict[str, tuple[str, str]] = {}
    for element in page.elements.all():
        if element.kind == Kind.LINK:
            named[element.pk] = (element.title or element.url, element.url)
        elif element.kind == Kind.LIVE:
            named[element.pk] = (titles.get(element.live, element.live), "")
    for profile in page.social_profiles:
        named[profile["network"]] = (NETWORKS[profile["network"]].title, profile["url"])
    for key in counted:
        named.setdefault(key, (NETWORKS[key].title if key in NETWORKS else GONE, ""))
    found: list[LinkRow] = [
        {
            "link_id": key,
            "title": title,
            "url": url,
            "clicks": counted[key].count if key in counted else 0,
            "unique": counted[key].unique if key in counted else 0,
        }
        for key, (title, url) in named.items()
    ]
    return sorted(found, key=lambda row: -row["clicks"])


def _shares(found: list[Share]) -> list[ShareRow]:
    return [{"name": share.value, "views": share.count} for share in found]


def _text(data: Stats, larger: str) -> str:
    title = f"“{escape_markdown(data['title'])}”, last {data['days']} days"
    if not data["shows_clicks"]:
        shown = facts(title, {"views": data["views"], "views in all": data["total_views"]})
        return "\n".join([shown, "", LATER.format(larger)])
    pairs = {
        "views": data["views"],
        "clicks": data["clicks"],
        "click-through rate": f"{(data['click_through_rate'] or 0) * 100:.1f} %",
        "bots, counted apart": data["bots"],
        "devices": _told(data["devices"]),
        "cities": _told(data["cities"]),
        "referrers": _told(data["referrers"]),
    }
    lines = bullets(data["clicks_by_link"][:20], lambda row: f"{escape_markdown(row['title'])}: {row['clicks']} clicks")
    return "\n".join([facts(title, pairs), "", *lines]).strip()


def _told(shares: list[ShareRow]) -> str:
    return ", ".join(f"{escape_markdown(share['name'])} {share['views']}" for share in shares[:5])
