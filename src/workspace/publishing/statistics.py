"""Figures for owners, read from the counters: the same few queries whether there were ten visits or ten million.

Counters are kept by the hour in UTC. An hour belongs to the local day and hour in which it begins: where the zone is
off by half an hour, what falls before local midnight in the second half of such an hour is shown on the day it began.
`unique` is by day in UTC: somebody who comes back on another day, or after midnight in UTC, counts again.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from datetime import UTC, date, datetime, time, timedelta
from zoneinfo import ZoneInfo

from django.db.models import QuerySet, Sum

from workspace.publishing.models import Slot, Tally, Visit
from workspace.publishing.models.visit import ALL, BOT, CITY, COUNTRY, DEVICE, REFERRER
from workspace.toolkit import clock

DIRECT = "Direct"  # no referrer: scanned, typed, or opened by an app
LONGEST = 100  # values listed of a dimension
WEEK = 7


@dataclass(frozen=True, slots=True)
class Day:
    date: date
    count: int
    unique: int


@dataclass(frozen=True, slots=True)
class Share:
    value: str
    count: int
    unique: int


@dataclass(frozen=True, slots=True)
class Statistics:
    """`total`: all people's visits ever. The rest is of the window, the last `days` local days with today;
    `last_7_days` is of the last seven, however long the window is. Bots are in `bots` and in nothing else.

    `by_day` has every day, oldest first; `by_hour` 24 counts by the hour of the local day; the other lists are sorted
    by count, at most 100 long. `by_part` is empty when the statistics are those of one part."""

    total: int
    total_in_window: int
    unique: int
    bots: int
    last_7_days: int
    by_day: list[Day]
    by_hour: list[int]
    by_device: list[Share]
    by_city: list[Share]
    by_country: list[Share]
    by_referrer: list[Share]
    by_part: list[Share]


def totals(publication_ids: Iterable[str], event: str) -> dict[str, Tally]:
    """The tally of each publication, zeros for one without visits; one query for a whole list."""
    wanted = list(publication_ids)
    found = Tally.objects.filter(publication_id__in=wanted, event=event, part="")
    tallies = {tally.publication_id: tally for tally in found}
    return {id: tallies.get(id) or Tally(publication_id=id, event=event) for id in wanted}


def statistics(publication_id: str, event: str, *, days: int, zone: ZoneInfo, part: str | None = None) -> Statistics:
    """`days`: at least 1. `part`: only what was counted for this part, such as one button of a page."""
    today = clock.now().astimezone(zone).date()
    first = today - timedelta(days=days - 1)
    week = today - timedelta(days=WEEK - 1)
    slots = Slot.objects.filter(publication_id=publication_id, event=event)
    own = slots.filter(part=part or "")
    counts: Counter[date] = Counter()
    uniques: Counter[date] = Counter()
    hours = [0] * 24
    bots = 0
    since = _begin(min(first, week), zone)
    for dimension, hour, count, unique in own.filter(dimension__in=(ALL, BOT), hour__gte=since).values_list(
        "dimension", "hour", "count", "uniques"
    ):
        local = hour.astimezone(zone)
        if dimension == BOT:
            bots += count if local.date() >= first else 0
            continue
        counts[local.date()] += count
        uniques[local.date()] += unique
        if local.date() >= first:
            hours[local.hour] += count
    by_day = [Day(day, counts[day], uniques[day]) for day in (first + timedelta(days=number) for number in range(days))]
    window = slots.filter(hour__gte=_begin(first, zone))
    shares = _shares(window.filter(part=part or ""))
    tally = Tally.objects.filter(publication_id=publication_id, event=event, part=part or "").first()
    return Statistics(
        total=tally.total if tally else 0,
        total_in_window=sum(day.count for day in by_day),
        unique=sum(day.unique for day in by_day),
        bots=bots,
        last_7_days=sum(count for day, count in counts.items() if day >= week),
        by_day=by_day,
        by_hour=hours,
        by_device=shares[DEVICE],
        by_city=shares[CITY],
        by_country=shares[COUNTRY],
        by_referrer=[replace(share, value=share.value or DIRECT) for share in shares[REFERRER]],
        by_part=[] if part else _parts(window),
    )


def scans(
    publication_id: str, event: str, *, days: int, zone: ZoneInfo, parts: bool = False
) -> Iterator[tuple[str, ...]]:
    """The visits of the window that `statistics` has, for a table, newest first, read as they are asked for: time with
    its offset, device, city, country, referrer, bot (yes or no), and with `parts` what was clicked."""
    since = _begin(clock.now().astimezone(zone).date() - timedelta(days=days - 1), zone)
    found = Visit.objects.filter(publication_id=publication_id, event=event, at__gte=since).order_by("-at", "-pk")
    columns = ("at", "bot", "device", "city", "country", "referrer", "part")
    for at, bot, device, city, country, referrer, part in found.values_list(*columns).iterator(chunk_size=2000):
        row = (
            at.astimezone(zone).isoformat(timespec="seconds"),
            *(device, city, country, referrer),
            "yes" if bot else "no",
        )
        yield (*row, part) if parts else row


def _begin(day: date, zone: ZoneInfo) -> datetime:
    """When the local day begins."""
    return datetime.combine(day, time.min, zone).astimezone(UTC)


def _shares(window: QuerySet[Slot]) -> dict[str, list[Share]]:
    shares: dict[str, list[Share]] = {DEVICE: [], CITY: [], COUNTRY: [], REFERRER: []}
    found = window.filter(dimension__in=list(shares)).values_list("dimension", "value")
    for dimension, value, count, unique in found.annotate(visits=Sum("count"), firsts=Sum("uniques")):
        shares[dimension].append(Share(value, count, unique))
    return {dimension: _sorted(values) for dimension, values in shares.items()}


def _parts(window: QuerySet[Slot]) -> list[Share]:
    found = window.filter(dimension=ALL).exclude(part="").values_list("part")
    return _sorted([Share(*row) for row in found.annotate(visits=Sum("count"), firsts=Sum("uniques"))])


def _sorted(shares: list[Share]) -> list[Share]:
    return sorted(shares, key=lambda share: (-share.count, share.value))[:LONGEST]
