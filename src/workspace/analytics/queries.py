"""Statistics for owners, read from the counters. The few queries are the same for any number of visits.

Days are local days of the account at the time of the visit. They do not change when the account changes its time zone.
`unique` is per day: a visitor who returns on another day counts again.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from datetime import UTC, date, datetime, time, timedelta
from typing import Any
from zoneinfo import ZoneInfo

from django.db import connection
from django.db.models import OuterRef, QuerySet, Subquery
from django.db.models.functions import Coalesce

from workspace.lib import clock
from workspace.publishing.models import Visit, VisitCounter
from workspace.publishing.models.visit_counters import CITY, COUNTRY, DEVICE, HOUR_COLUMNS, PART, REFERRER
from workspace.storage.database.compiled_function import compile_once
from workspace.storage.database.transactions import fetch_rows

DIRECT = "Direct"  # no referrer: scanned, typed, or opened by an app
MAX_VALUES = 100  # listed values of a dimension
WEEK_DAYS = 7


@dataclass(frozen=True, slots=True)
class DayCount:
    date: date
    count: int
    unique: int


@dataclass(frozen=True, slots=True)
class ValueCount:
    value: str
    count: int
    unique: int


@dataclass(frozen=True, slots=True)
class Statistics:
    """Visit statistics of a publication and event.

    `total` is the number of all visits by people ever. All other values cover the window: the last `days` local days,
    including today. `last_7_days` does not depend on the window. Bots only count in `bots`.

    `by_day` has every day, oldest first. `by_hour` has 24 counts by the hour of the local day. The other lists are
    sorted by count and have at most 100 entries. `by_part` is empty if the statistics are of one part.
    """

    total: int
    total_in_window: int
    unique: int
    bots: int
    last_7_days: int
    by_day: list[DayCount]
    by_hour: list[int]
    by_device: list[ValueCount]
    by_city: list[ValueCount]
    by_country: list[ValueCount]
    by_referrer: list[ValueCount]
    by_part: list[ValueCount]
    before: int  # visits of as many days before the window


def load_totals(publication_ids: Iterable[str], event: str) -> dict[str, VisitCounter]:
    """Return the tallies of the publications, with zeros for those without visits. Run one query."""
    wanted = list(publication_ids)
    found = _counters_of.fetch(wanted, event) if wanted else []
    tallies = {tally.publication_id: tally for tally in found}
    return {id: tallies.get(id) or VisitCounter(publication_id=id, event=event) for id in wanted}


@compile_once
def _counters_of(publication_ids: list[str], event: str) -> QuerySet[VisitCounter]:
    return VisitCounter.objects.filter(publication_id__in=publication_ids, event=event, detail="")


def total_column(event: str) -> Coalesce:
    """Return an annotation with the total for a model with a `publication`."""
    own = VisitCounter.objects.filter(publication_id=OuterRef("publication_id"), event=event, detail="")
    return Coalesce(Subquery(own.values("total")[:1]), 0)


def compute_statistics(
    publication_id: str, event: str, *, days: int, zone: ZoneInfo, part: str | None = None
) -> Statistics:
    """Compute statistics for one or more days, optionally for one part only, such as a button of a page."""
    first, today = _date_window(days, zone)
    week, earlier = today - timedelta(days=WEEK_DAYS - 1), first - timedelta(days=days)
    tally, total = next(iter(fetch_rows(_TALLY_SQL, [publication_id, event, part or ""])), (None, 0))
    begin, soon, oldest = map(connection.ops.adapt_datefield_value, (first, first + _STRETCH, min(earlier, week)))
    slots = fetch_rows(_BY_DAY_SQL, [tally, oldest])
    [[bots, *hours]] = fetch_rows(_TOTALS_SQL, [tally, begin])
    shares = _group_shares(fetch_rows(_SHARES_SQL, [begin, soon, begin, tally, begin]))
    counted = dict.fromkeys((first + timedelta(days=number) for number in range(days)), (0, 0))
    last_7_days = before = 0
    for day, count, unique in slots:
        last_7_days += count if day >= week else 0
        before += count if earlier <= day < first else 0
        if day >= first:
            # if the account has moved to an earlier time zone, its tomorrow may have visits already
            day = min(day, today)
            counted[day] = (counted[day][0] + count, counted[day][1] + unique)
    by_day = [DayCount(day, *counts) for day, counts in counted.items()]
    return Statistics(
        total=total,
        total_in_window=sum(day.count for day in by_day),
        unique=sum(day.unique for day in by_day),
        bots=bots,
        last_7_days=last_7_days,
        by_day=by_day,
        by_hour=hours,
        by_device=shares[DEVICE],
        by_city=shares[CITY],
        by_country=shares[COUNTRY],
        by_referrer=[replace(share, value=share.value or DIRECT) for share in shares[REFERRER]],
        by_part=shares[PART],
        before=before,
    )


# plain SQL, because building these queries with models takes longer than running them
_TALLY_SQL = "SELECT id, total FROM publishing_visitcounter WHERE publication_id = %s AND event = %s AND detail = %s"
_BY_DAY_SQL = "SELECT day, count, uniques FROM publishing_dailycounter WHERE counter_id = %s AND day >= %s"
_SUM_COLUMNS = ", ".join(f"COALESCE(SUM({name}), 0)" for name in ("bots", *HOUR_COLUMNS))
_TOTALS_SQL = f"SELECT {_SUM_COLUMNS} FROM publishing_dailycounter WHERE counter_id = %s AND day >= %s"  # noqa: S608 - names of columns
# short period first: PostgreSQL reads the whole matching index range, for a busy facet a whole year
_SHARES_SQL = """SELECT f.dimension, f.value, f.count - s.before_count, f.uniques - s.before_uniques
  FROM publishing_breakdown f JOIN publishing_dailybreakdown s ON s.breakdown_id = f.id AND s.day = COALESCE(
    (SELECT MIN(day) FROM publishing_dailybreakdown WHERE breakdown_id = f.id AND day >= %s AND day < %s),
    (SELECT MIN(day) FROM publishing_dailybreakdown WHERE breakdown_id = f.id AND day >= %s))
  WHERE f.counter_id = %s AND f.last_day >= %s"""
_STRETCH = timedelta(days=8)


def stream_visits(
    publication_id: str, event: str, *, days: int, zone: ZoneInfo, parts: bool = False
) -> Iterator[tuple[str, ...]]:
    """Yield the visits of the window of `compute_statistics` as table rows, newest first.

    The columns are time with offset, device, city, country, referrer, bot (yes or no) and, with `parts`, the part.
    Rows are read from the database lazily."""
    first, _ = _date_window(days, zone)
    found = Visit.objects.filter(publication_id=publication_id, event=event, day__gte=first)
    # the same condition for the index on time: no time zone is further from UTC than 14 hours
    found = found.filter(occurred_at__gte=datetime.combine(first, time.min, UTC) - timedelta(hours=14)).order_by(
        "-occurred_at", "-pk"
    )
    columns = ("occurred_at", "bot", "device", "city", "country", "referrer", "detail")
    for at, bot, device, city, country, referrer, part in found.values_list(*columns).iterator(chunk_size=2000):
        row = (
            at.astimezone(zone).isoformat(timespec="seconds"),
            *(device, city, country, referrer),
            "yes" if bot else "no",
        )
        yield (*row, part) if parts else row


def _date_window(days: int, zone: ZoneInfo) -> tuple[date, date]:
    """Return the first day of the window and today."""
    today = clock.now().astimezone(zone).date()
    return today - timedelta(days=days - 1), today


def _group_shares(rows: list[tuple[Any, ...]]) -> dict[str, list[ValueCount]]:
    shares: dict[str, list[tuple[Any, ...]]] = {DEVICE: [], CITY: [], COUNTRY: [], REFERRER: [], PART: []}
    for dimension, *share in rows:
        shares[dimension].append(tuple(share))
    return {dimension: _largest_shares(some) for dimension, some in shares.items()}


def _largest_shares(rows: list[tuple[Any, ...]]) -> list[ValueCount]:
    rows.sort(key=lambda share: (-share[1], share[0]))
    return [ValueCount(*share) for share in rows[:MAX_VALUES]]
