"""How the account comes along, as a tool."""

from __future__ import annotations

from typing import Annotated, NotRequired

from django.conf import settings
from pydantic import Field
from typing_extensions import TypedDict

from workspace.accounts.account_tools import box
from workspace.accounts.models import Account
from workspace.accounts.permissions import SHARED
from workspace.analytics.queries import statistics
from workspace.analytics.serializers import DayRow, Visits, day_rows, facts_of, visits
from workspace.insights import overview
from workspace.insights.overview import CameIn, Period, Visited
from workspace.lib.text import escape_markdown
from workspace.publishing import items
from workspace.publishing.items import Thing
from workspace.publishing.manifest import MOST_HISTORY, Manifest, Worth
from workspace.tools.answer import Answer, bullets, facts
from workspace.tools.argument_types import AnyThing

MOST_VISITED = 5

Days = Annotated[
    int, Field(ge=1, le=MOST_HISTORY, description="How many days back, today included; a product's plan caps it")
]
OneThing = Annotated[AnyThing, Field(description="Only of this thing: its id, slug or public address")]


class Count(TypedDict):
    """`before` is the same of as many days before; it is left out where the plan does not look so far back."""

    now: int
    before: NotRequired[int]


class KindRow(TypedDict):
    kind: str
    title: str
    things: int
    visits: Count
    page: str


class VisitedRow(TypedDict):
    id: str
    kind: str
    title: str
    public_url: str
    page: str
    visits: Count


class CameInRow(TypedDict):
    kind: str
    title: str
    count: Count
    page: str


class WaitsRow(TypedDict):
    kind: str
    count: int
    text: str
    page: str


class WorthRow(Worth):
    kind: str
    page: str


class ThingVisits(Visits):
    id: str
    kind: str
    title: str
    public_url: str
    page: str
    state: str
    by_day: list[DayRow]


class Overview(TypedDict):
    """Visits are those by people: scans, views. `unique` counts a visitor once a day."""

    days: int
    time_zone: str
    first_day: str
    visits: Count
    unique: int
    came_in: list[CameInRow]
    waits: list[WaitsRow]
    by_kind: NotRequired[list[KindRow]]
    most_visited: NotRequired[list[VisitedRow]]
    worth: NotRequired[list[WorthRow]]
    thing: NotRequired[ThingVisits]


@box.tool("svc_overview", title="How it comes along", reads=True, whose=SHARED)
def get(account: Account, days: Days = 7, thing: OneThing | None = None) -> Answer[Overview]:
    """Figures of the last days beside as many before: visits in all, by product and of the five most visited
    things; what came in (contacts, reviews) and what waits for you; what proposals come to by status. With
    `thing` those of one thing only, with its visits by day, hour, device, place and referrer."""
    only = items.thing(account, thing) if thing is not None else None
    period = Period(days, account.zone)
    found = overview.visited(account, period, None if only is None else [only])
    kinds = overview.by_kind(account, period, found)
    if only is not None:
        kinds = {only.kind: overview.of_one(account, only, period, found)}
    total = overview.in_all(list(kinds.values()))
    came = overview.came_in(account, period, only)
    data: Overview = {
        "days": days,
        "time_zone": account.time_zone,
        "first_day": period.first.isoformat(),
        "visits": _count(total),
        "unique": total.unique,
        "came_in": [_came(one) for one in came],
        "waits": [_waits(one) for one in came if one.waiting],
    }
    if only is not None:
        data["thing"] = _thing(account, only, days)
    else:
        data["by_kind"] = [_kind(product, kinds[product.key]) for product in items.manifests() if product.key in kinds]
        data["most_visited"] = _most_visited(account, found)
        data["worth"] = _worth(account, period)
    return Answer(data, _told(data))


def _count(found: Visited) -> Count:
    return _figure(found.visits.now, found.visits.before)


def _figure(now: int, before: int | None) -> Count:
    return {"now": now} if before is None else {"now": now, "before": before}


def _kind(product: Manifest, found: Visited) -> KindRow:
    return {
        "kind": product.key,
        "title": product.title,
        "things": found.things,
        "visits": _count(found),
        "page": settings.BASE_URL + product.home,
    }


def _most_visited(account: Account, found: dict[tuple[str, str], Visited]) -> list[VisitedRow]:
    top = sorted(found, key=lambda key: (-found[key].visits.now, key))[:MOST_VISITED]
    known = items.published_as(account, top)
    return [
        {
            "id": one.id,
            "kind": one.kind,
            "title": one.title,
            "public_url": one.public_url,
            "page": one.page,
            "visits": _count(found[kind, id]),
        }
        for kind, id in top
        if (one := known.get(id)) and found[kind, id].visits.now
    ]


def _came(one: CameIn) -> CameInRow:
    return {
        "kind": one.arrivals.kind,
        "title": one.arrivals.title,
        "count": _figure(one.now, one.before),
        "page": settings.BASE_URL + one.arrivals.page,
    }


def _waits(one: CameIn) -> WaitsRow:
    return {
        "kind": one.arrivals.kind,
        "count": one.waiting,
        "text": one.arrivals.waits_told(one.waiting),
        "page": settings.BASE_URL + one.arrivals.page,
    }


def _worth(account: Account, period: Period) -> list[WorthRow]:
    begin = period.begin_of(period.first)
    return [
        {**row, "kind": product.key, "page": product.home}
        for product in items.manifests()
        if product.worth is not None
        for row in product.worth(account, begin)
    ]


def _thing(account: Account, one: Thing, days: int) -> ThingVisits:
    product = items.manifest(one.kind)
    days = min(days, product.history(account))
    found = statistics(one.publication_id, product.visit, days=days, zone=account.zone)
    return {
        **visits(found, account),
        "id": one.id,
        "kind": one.kind,
        "title": one.title,
        "public_url": one.public_url,
        "page": one.page,
        "state": one.state.value,
        "by_day": day_rows(found),
    }


def _told(data: Overview) -> str:
    one = data.get("thing")
    about = f" of {_thing_line(one)}" if one else ""
    days = "Today" if data["days"] == 1 else f"The last {data['days']} days"
    pairs: dict[str, object] = {
        "from": f"{data['first_day']} ({data['time_zone']})",
        "visits": _shown(data["visits"]),
        "different visitors, day by day": data["unique"],
    }
    pairs |= {
        f"{row['title']} ({row['kind']}, {row['things']} in all)": f"visits {_shown(row['visits'])}, {row['page']}"
        for row in data.get("by_kind", [])
    }
    pairs |= {
        f"{row['title']} that came in ({row['kind']})": f"{_shown(row['count'])}, {row['page']}"
        for row in data["came_in"]
    }
    pairs |= {
        f"{row['kind']} {row['status']}, {row['currency']}": (
            f"{row['count']:,} worth {row['total']:,}, of which in these days {row['recent']:,} worth "
            f"{row['recent_total']:,}, {row['page']}"
        )
        for row in data.get("worth", [])
    }
    pairs |= {"waiting": "; ".join(f"{row['text']} ({row['kind']}), {row['page']}" for row in data["waits"])}
    lines = [facts(f"{days}{about}", pairs)]
    if most := data.get("most_visited"):
        lines += ["", "Most visited:", ""]
        lines += bullets(most, _most_line)
    if one:
        # the days are in the data and in words only where there is something
        lines += ["", facts("Visits", facts_of(one))]
        lines += [f"- {day['date']}: {day['views']} ({day['unique']})" for day in one["by_day"] if day["views"]]
    return "\n".join(lines)


def _most_line(row: VisitedRow) -> str:
    where = f"{row['public_url']}, {row['page']} `{row['id']}`"
    return f"{escape_markdown(row['title'])} ({row['kind']}): {_shown(row['visits'])}, {where}"


def _thing_line(row: ThingVisits) -> str:
    told = f"{row['kind']}, {row['state']}, {row['public_url']}, {row['page']} `{row['id']}`"
    return f"{escape_markdown(row['title'])} ({told})"


def _shown(count: Count) -> str:
    return f"{count['now']:,}" + (f" (before: {count['before']:,})" if "before" in count else "")
