"""Statistics in the answers of tools, in the same form for all products."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Annotated, Any, NotRequired

from pydantic import Field
from typing_extensions import TypedDict

from workspace.accounts.models import Account
from workspace.analytics.queries import Statistics, ValueCount
from workspace.lib.text import escape_markdown


class DayStats(TypedDict):
    date: str
    views: int
    unique: int


class ShareData(TypedDict):
    name: str
    views: int


class VisitStats(TypedDict):
    """Counts of visits by people; bots are counted separately. `unique` counts each visitor once per day."""

    days: Annotated[int, Field(description="Number of days in the period, including today.")]
    time_zone: str
    total: Annotated[int, Field(description="All-time total.")]
    total_in_days: int
    last_7_days: int
    unique_per_day: int
    bots: int
    by_hour: Annotated[list[int], Field(description="24 counts, by hour in the account's time zone.")]
    by_device: list[ShareData]
    by_city: list[ShareData]
    by_country: list[ShareData]
    by_referrer: list[ShareData]
    before: NotRequired[
        Annotated[
            dict[str, int],
            Field(description="Counts of the previous period. Missing if the plan does not include them."),
        ]
    ]


def add_previous_counts(stats: VisitStats, history: int, **counts: int) -> VisitStats:
    """Add the counts of the previous period if the plan's `history`, in days, covers it."""
    return {**stats, "before": counts} if 2 * stats["days"] <= history else stats


def visit_stats(stats: Statistics, account: Account) -> VisitStats:
    """Return the statistics without the days. Products may add counts (see `list_day_stats`)."""
    return {
        "days": len(stats.by_day),
        "time_zone": account.time_zone,
        "total": stats.total,
        "total_in_days": stats.total_in_window,
        "last_7_days": stats.last_7_days,
        "unique_per_day": stats.unique,
        "bots": stats.bots,
        "by_hour": stats.by_hour,
        "by_device": list_share_data(stats.by_device),
        "by_city": list_share_data(stats.by_city),
        "by_country": list_share_data(stats.by_country),
        "by_referrer": list_share_data(stats.by_referrer),
    }


def list_day_stats(stats: Statistics) -> list[DayStats]:
    """Return every day of the window, oldest first."""
    return [{"date": day.date.isoformat(), "views": day.count, "unique": day.unique} for day in stats.by_day]


def list_share_data(counts: Iterable[ValueCount]) -> list[ShareData]:
    return [{"name": share.value, "views": share.count} for share in counts]


def format_stats(data: VisitStats) -> dict[str, int | str]:
    """Format the statistics as facts for the text of an answer."""
    return {
        "in all": data["total"],
        "in the last 7 days": data["last_7_days"],
        f"in the last {data['days']} days": data["total_in_days"],
        "different visitors, day by day": data["unique_per_day"],
        "bots, counted apart": data["bots"],
        "devices": _format_shares(data["by_device"]),
        "countries": _format_shares(data["by_country"]),
        "cities": _format_shares(data["by_city"]),
        "came from": _format_shares(data["by_referrer"]),
        f"by the hour ({data['time_zone']})": ", ".join(
            f"{hour}:00 {count}" for hour, count in enumerate(data["by_hour"]) if count
        ),
    }


def format_days(days: Sequence[Mapping[str, Any]]) -> list[str]:
    """Return a line for each day with counts, for the text of an answer."""
    return [
        f"- {day['date']}: "
        + ", ".join(f"{count} {name.replace('_', ' ')}" for name, count in day.items() if name != "date")
        for day in days
        if any(count for name, count in day.items() if name != "date")
    ]


def _format_shares(shares: list[ShareData]) -> str:
    return ", ".join(f"{escape_markdown(share['name'])} {share['views']}" for share in shares)
