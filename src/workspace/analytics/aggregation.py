"""Sums of a batch of visits, which are added to the counters with a few statements.

Processes that lock rows in the same order cannot deadlock. Therefore all writes are sorted, and a tally is written
before its days and facets. A written tally or facet stays locked until the transaction ends.
"""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass, field
from datetime import UTC, date, datetime, time
from operator import itemgetter

from django.db import connection
from django.db.backends.utils import CursorWrapper

from workspace.analytics import cardinality_limit
from workspace.publishing.models.visit_counters import HOUR_COLUMNS
from workspace.storage.database.bulk_insert import insert_rows

Group = tuple[str, str, str]  # publication, event, part
FacetValue = tuple[str, str]  # dimension, value

_TALLY_COLUMNS = ("publication_id", "event", "detail", "total", "uniques", "bots", "last_visit_at")
_ADD_TALLY = """ON CONFLICT (publication_id, event, detail) DO UPDATE SET
  total = publishing_visitcounter.total + excluded.total, uniques = publishing_visitcounter.uniques + excluded.uniques,
  bots = publishing_visitcounter.bots + excluded.bots,
  last_visit_at = CASE WHEN publishing_visitcounter.last_visit_at > excluded.last_visit_at
    OR excluded.last_visit_at IS NULL THEN publishing_visitcounter.last_visit_at ELSE excluded.last_visit_at END
  RETURNING publication_id, event, detail, id"""

_COUNT_COLUMNS = ("count", "uniques", "bots", *HOUR_COLUMNS)
_DAY_COLUMNS = ("counter_id", "day", "begins_at", *_COUNT_COLUMNS)
_ADD_DAY = "ON CONFLICT (counter_id, day) DO UPDATE SET " + ", ".join(
    f"{name} = publishing_dailycounter.{name} + excluded.{name}" for name in _COUNT_COLUMNS
)

_FACET_COLUMNS = ("counter_id", "dimension", "value", "count", "uniques", "last_day")
_ADD_FACET = """ON CONFLICT (counter_id, dimension, value) DO UPDATE SET
  count = publishing_breakdown.count + excluded.count, uniques = publishing_breakdown.uniques + excluded.uniques,
  last_day = CASE WHEN publishing_breakdown.last_day > excluded.last_day
    THEN publishing_breakdown.last_day ELSE excluded.last_day END
  RETURNING counter_id, dimension, value, id, count, uniques, last_day"""

_FACET_DAY_COLUMNS = ("breakdown_id", "day", "before_count", "before_uniques")
_KEEP_EXISTING = "ON CONFLICT (breakdown_id, day) DO NOTHING"
_NEXT_DAY_SQL = """SELECT before_count, before_uniques FROM publishing_dailybreakdown
  WHERE breakdown_id = %s AND day > %s ORDER BY day LIMIT 1"""
_SHIFT_LATER_SQL = """UPDATE publishing_dailybreakdown SET before_count = before_count + %s, before_uniques =
before_uniques + %s
  WHERE breakdown_id = %s AND day > %s"""


@dataclass(slots=True)
class _DayCounts:
    begins_at: datetime
    count: int = 0
    uniques: int = 0
    bots: int = 0
    hours: list[int] = field(default_factory=lambda: [0] * len(HOUR_COLUMNS))


@dataclass(slots=True)
class _TallyCounts:
    count: int = 0
    uniques: int = 0
    bots: int = 0
    last_at: datetime | None = None
    days: dict[date, _DayCounts] = field(default_factory=dict)
    facets: dict[FacetValue, dict[date, list[int]]] = field(default_factory=lambda: defaultdict(dict))

    def get_day(self, local: datetime) -> _DayCounts:
        found = self.days.get(local.date())
        if found is None:
            begins = datetime.combine(local.date(), time.min, local.tzinfo).astimezone(UTC)
            found = self.days[local.date()] = _DayCounts(begins)
        return found


class CounterSums:
    """Sums of visits for the counters. `local` is the time of a visit in the account's time zone."""

    def __init__(self) -> None:
        self._totals: dict[Group, _TallyCounts] = defaultdict(_TallyCounts)

    def add_bot(self, group: Group, local: datetime) -> None:
        total = self._totals[group]
        total.bots += 1
        total.get_day(local).bots += 1

    def add_person(self, group: Group, local: datetime, *, unique: bool) -> None:
        total = self._totals[group]
        for counted in (total, total.get_day(local)):
            counted.count += 1
            counted.uniques += unique
        total.get_day(local).hours[local.hour] += 1
        total.last_at = local if total.last_at is None else max(total.last_at, local)

    def add_facet(self, group: Group, facet: FacetValue, day: date, *, unique: bool) -> None:
        counted = self._totals[group].facets[facet].setdefault(day, [0, 0])
        counted[0] += 1
        counted[1] += unique

    def write(self, cursor: CursorWrapper) -> None:
        groups = self._write_tallies(cursor)
        moment = connection.ops.adapt_datetimefield_value
        days = [
            (id, day, moment(one.begins_at), one.count, one.uniques, one.bots, *one.hours)
            for id, group in groups.items()
            for day, one in sorted(self._totals[group].days.items(), key=itemgetter(0))
        ]
        insert_rows(cursor, "publishing_dailycounter", _DAY_COLUMNS, days, _ADD_DAY)
        facets = {
            (id, *named): days
            for id, group in groups.items()
            for named, days in cardinality_limit.merge_values_over_limit(
                cursor, group, id, self._totals[group].facets
            ).items()
        }
        for id, dimension in add_facets(cursor, facets):
            cardinality_limit.remember_value(groups[id], dimension)

    def _write_tallies(self, cursor: CursorWrapper) -> dict[int, Group]:
        moment = connection.ops.adapt_datetimefield_value
        rows = [
            (*group, total.count, total.uniques, total.bots, moment(total.last_at))
            for group, total in sorted(self._totals.items(), key=itemgetter(0))
        ]
        written = insert_rows(cursor, "publishing_visitcounter", _TALLY_COLUMNS, rows, _ADD_TALLY)
        return dict(sorted((id, (publication, event, part)) for publication, event, part, id in written))


FacetKey = tuple[int, str, str]  # tally, dimension, value


def add_facets(cursor: CursorWrapper, facets: dict[FacetKey, dict[date, list[int]]]) -> list[tuple[int, str]]:
    """Add the visits and unique visits of several days to the facets.

    The caller must have locked the tallies. Return the tally and dimension of each new facet.
    """
    new = []
    while facets:  # runs once, unless a facet has several days, which are written one after another
        first = {key: (day := min(days), days[day]) for key, days in facets.items()}
        new += _write_facets(cursor, first)
        later = {key: {day: one for day, one in days.items() if day > first[key][0]} for key, days in facets.items()}
        facets = {key: days for key, days in later.items() if days}
    return new


def _write_facets(cursor: CursorWrapper, facets: dict[FacetKey, tuple[date, list[int]]]) -> list[tuple[int, str]]:
    """Write one day of each facet."""
    rows = [(*key, *counts, day) for key in sorted(facets) for day, counts in [facets[key]]]
    newest, new = [], []
    for tally, dimension, value, id, count, uniques, last in insert_rows(
        cursor, "publishing_breakdown", _FACET_COLUMNS, rows, _ADD_FACET
    ):
        day, (visits, firsts) = facets[tally, dimension, value]
        before = (count - visits, uniques - firsts)
        if not before[0]:
            new.append((tally, dimension))
        if last in (day, day.isoformat()):  # SQLite returns text
            newest.append((id, day, *before))
        else:
            _write_earlier(cursor, id, day, before, (visits, firsts))
    insert_rows(cursor, "publishing_dailybreakdown", _FACET_DAY_COLUMNS, sorted(newest), _KEEP_EXISTING)
    return new


def _write_earlier(cursor: CursorWrapper, id: int, day: date, before: tuple[int, int], added: tuple[int, int]) -> None:
    """Add a visit to a day that later counted days follow.

    The visit was written late, or the account's time zone has changed.
    """
    cursor.execute(_NEXT_DAY_SQL, [id, day])
    insert_rows(
        cursor,
        "publishing_dailybreakdown",
        _FACET_DAY_COLUMNS,
        [(id, day, *(cursor.fetchone() or before))],
        _KEEP_EXISTING,
    )
    cursor.execute(_SHIFT_LATER_SQL, [*added, id, day])
