"""The tool that returns the overview of an account."""

from __future__ import annotations

from typing import Annotated, NotRequired

from django.conf import settings
from pydantic import Field
from typing_extensions import TypedDict

from workspace.accounts.account_tools import box
from workspace.accounts.models import Account
from workspace.accounts.permissions import SHARED
from workspace.analytics.queries import compute_statistics
from workspace.analytics.serializers import DayStats, VisitStats, format_stats, list_day_stats, visit_stats
from workspace.insights import overview
from workspace.insights.overview import Period, SubmissionTotals, VisitTotals
from workspace.lib.text import escape_markdown
from workspace.publishing import items
from workspace.publishing.items import Item
from workspace.publishing.manifest import MAX_HISTORY_DAYS, Manifest, MoneyTotal
from workspace.tools.answer import Answer, format_bullets, format_fact_list
from workspace.tools.argument_types import AnyItem

MAX_MOST_VISITED = 5

Days = Annotated[
    int,
    Field(
        ge=1,
        le=MAX_HISTORY_DAYS,
        description="Number of days to include, ending today. Limited by your plan for each product. Defaults to 7.",
    ),
]
OneItem = Annotated[AnyItem, Field(description="Only this item: ID, slug or public URL.")]


class PeriodCount(TypedDict):
    """A count of a period.

    `before` is the count of the same number of days before. It is omitted if the plan's history is too short.
    """

    now: int
    before: NotRequired[int]


class KindData(TypedDict):
    kind: str
    title: str
    things: int
    visits: PeriodCount
    page: str


class VisitedItem(TypedDict):
    id: str
    kind: str
    title: str
    public_url: str
    page: str
    visits: PeriodCount


class SubmissionCount(TypedDict):
    kind: str
    title: str
    count: PeriodCount
    page: str


class WaitingData(TypedDict):
    kind: str
    count: int
    text: str
    page: str


class MoneyTotalData(MoneyTotal):
    kind: str
    page: str


class ItemVisits(VisitStats):
    id: str
    kind: str
    title: str
    public_url: str
    page: str
    state: str
    by_day: list[DayStats]


class Overview(TypedDict):
    """The overview of an account.

    Visits are scans and views by people. `unique` counts a visitor once per day.
    """

    days: int
    time_zone: str
    first_day: str
    visits: PeriodCount
    unique: int
    came_in: list[SubmissionCount]
    waits: list[WaitingData]
    by_kind: NotRequired[list[KindData]]
    most_visited: NotRequired[list[VisitedItem]]
    worth: NotRequired[list[MoneyTotalData]]
    thing: NotRequired[ItemVisits]


@box.tool(
    "svc_overview",
    title="Get account analytics",
    about="Get account analytics, compared with the previous period: visits by product, top pages, new leads and "
    "reviews, to-dos and the proposal pipeline. Pass thing to get one item, with visits by day, hour, device, "
    "location and referrer.",
    short="Get analytics of the account or an item: visits, leads, pipeline.",
    synonyms="dashboard, report, how is business, performance, kpi, revenue, sales funnel, traffic, to do, todo, "
    "summary, übersicht, auswertung, umsatz, wie läuft es, resumen, panel, informe, ingresos, cómo va, "
    "estadísticas generales, visitors of all pages, total visitors, most visited pages, alle besucher, "
    "todas las visitas, this week, this month, compare periods",
    reads=True,
    area=SHARED,
)
def get(account: Account, days: Days = 7, thing: OneItem | None = None) -> Answer[Overview]:
    only = items.get_item(account, thing) if thing is not None else None
    period = Period(days, account.zone)
    found = overview.count_visits(account, period, None if only is None else [only])
    kinds = overview.sum_by_kind(account, period, found)
    if only is not None:
        kinds = {only.kind: overview.totals_for_item(account, only, period, found)}
    total = overview.sum_all(list(kinds.values()))
    came = overview.submission_counts(account, period, only)
    data: Overview = {
        "days": days,
        "time_zone": account.time_zone,
        "first_day": period.first.isoformat(),
        "visits": _visit_count(total),
        "unique": total.unique,
        "came_in": [_submission_count(one) for one in came],
        "waits": [_waiting_data(one) for one in came if one.waiting],
    }
    if only is not None:
        data["thing"] = _item_visits(account, only, days)
    else:
        data["by_kind"] = [
            _kind_data(product, kinds[product.key]) for product in items.list_manifests() if product.key in kinds
        ]
        data["most_visited"] = _list_most_visited(account, found)
        data["worth"] = _money_totals(account, period)
    return Answer(data, _format_overview(data))


def _visit_count(totals: VisitTotals) -> PeriodCount:
    return _period_count(totals.visits.now, totals.visits.before)


def _period_count(now: int, before: int | None) -> PeriodCount:
    return {"now": now} if before is None else {"now": now, "before": before}


def _kind_data(product: Manifest, totals: VisitTotals) -> KindData:
    return {
        "kind": product.key,
        "title": product.title,
        "things": totals.item_count,
        "visits": _visit_count(totals),
        "page": settings.BASE_URL + product.home,
    }


def _list_most_visited(account: Account, totals: dict[tuple[str, str], VisitTotals]) -> list[VisitedItem]:
    top = sorted(totals, key=lambda key: (-totals[key].visits.now, key))[:MAX_MOST_VISITED]
    known = items.items_by_publication(account, top)
    return [
        {
            "id": one.id,
            "kind": one.kind,
            "title": one.title,
            "public_url": one.public_url,
            "page": one.page,
            "visits": _visit_count(totals[kind, id]),
        }
        for kind, id in top
        if (one := known.get(id)) and totals[kind, id].visits.now
    ]


def _submission_count(totals: SubmissionTotals) -> SubmissionCount:
    return {
        "kind": totals.source.kind,
        "title": totals.source.title,
        "count": _period_count(totals.now, totals.before),
        "page": settings.BASE_URL + totals.source.page,
    }


def _waiting_data(totals: SubmissionTotals) -> WaitingData:
    return {
        "kind": totals.source.kind,
        "count": totals.waiting,
        "text": totals.source.format_waiting(totals.waiting),
        "page": settings.BASE_URL + totals.source.page,
    }


def _money_totals(account: Account, period: Period) -> list[MoneyTotalData]:
    begin = period.start_of(period.first)
    return [
        {**row, "kind": product.key, "page": product.home}
        for product in items.list_manifests()
        if product.money_totals is not None
        for row in product.money_totals(account, begin)
    ]


def _item_visits(account: Account, item: Item, days: int) -> ItemVisits:
    product = items.get_manifest(item.kind)
    days = min(days, product.history_days(account))
    found = compute_statistics(item.publication_id, product.visit_event, days=days, zone=account.zone)
    return {
        **visit_stats(found, account),
        "id": item.id,
        "kind": item.kind,
        "title": item.title,
        "public_url": item.public_url,
        "page": item.page,
        "state": item.state.value,
        "by_day": list_day_stats(found),
    }


def _format_overview(data: Overview) -> str:
    one = data.get("thing")
    about = f" of {_format_item(one)}" if one else ""
    days = "Today" if data["days"] == 1 else f"The last {data['days']} days"
    pairs: dict[str, object] = {
        "from": f"{data['first_day']} ({data['time_zone']})",
        "visits": _format_count(data["visits"]),
        "unique visitors per day": data["unique"],
    }
    pairs |= {
        (
            f"{row['title']} ({row['kind']}, {row['things']} in total)"
        ): f"visits {_format_count(row['visits'])}, {row['page']}"
        for row in data.get("by_kind", [])
    }
    pairs |= {
        f"{row['title']} received ({row['kind']})": f"{_format_count(row['count'])}, {row['page']}"
        for row in data["came_in"]
    }
    pairs |= {
        f"{row['kind']} {row['status']}, {row['currency']}": (
            f"{row['count']:,} (total {row['total']:,}), {row['recent']:,} in this period (total "
            f"{row['recent_total']:,}), {row['page']}"
        )
        for row in data.get("worth", [])
    }
    pairs |= {"waiting": "; ".join(f"{row['text']} ({row['kind']}), {row['page']}" for row in data["waits"])}
    lines = [format_fact_list(f"{days}{about}", pairs)]
    if most := data.get("most_visited"):
        lines += ["", "Most visited:", ""]
        lines += format_bullets(most, _format_visited_item)
    if one:
        # the data has all days, and the text only days with visits
        lines += ["", format_fact_list("Visits", format_stats(one))]
        lines += [f"- {day['date']}: {day['views']} ({day['unique']})" for day in one["by_day"] if day["views"]]
    return "\n".join(lines)


def _format_visited_item(row: VisitedItem) -> str:
    where = f"{row['public_url']}, {row['page']} `{row['id']}`"
    return f"{escape_markdown(row['title'])} ({row['kind']}): {_format_count(row['visits'])}, {where}"


def _format_item(row: ItemVisits) -> str:
    text = f"{row['kind']}, {row['state']}, {row['public_url']}, {row['page']} `{row['id']}`"
    return f"{escape_markdown(row['title'])} ({text})"


def _format_count(count: PeriodCount) -> str:
    return f"{count['now']:,}" + (f" (before: {count['before']:,})" if "before" in count else "")
