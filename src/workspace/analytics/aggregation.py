"""What a batch of visits adds to the counters, added up first and then written by a handful of statements.

Processes that lock rows in one order cannot lock each other out: everything is written sorted, and a tally before what
is below it. Whoever has written a tally or a facet holds it until the transaction ends.
"""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass, field
from datetime import UTC, date, datetime, time
from operator import itemgetter

from django.db import connection
from django.db.backends.utils import CursorWrapper

from workspace.analytics import cardinality_limit
from workspace.publishing.models.counters import HOURS
from workspace.storage.database.bulk import insert

Group = tuple[str, str, str]  # publication, event, part
Named = tuple[str, str]  # dimension, value

_TALLY = ("publication_id", "event", "part", "total", "uniques", "bots", "last_at")
_ADD_TALLY = """ON CONFLICT (publication_id, event, part) DO UPDATE SET
  total = publishing_tally.total + excluded.total, uniques = publishing_tally.uniques + excluded.uniques,
  bots = publishing_tally.bots + excluded.bots,
  last_at = CASE WHEN publishing_tally.last_at > excluded.last_at OR excluded.last_at IS NULL
    THEN publishing_tally.last_at ELSE excluded.last_at END
  RETURNING publication_id, event, part, id"""

_COUNTS = ("count", "uniques", "bots", *HOURS)
_DAY = ("tally_id", "day", "begins_at", *_COUNTS)
_ADD_DAY = "ON CONFLICT (tally_id, day) DO UPDATE SET " + ", ".join(
    f"{name} = publishing_dayslot.{name} + excluded.{name}" for name in _COUNTS
)

_FACET = ("tally_id", "dimension", "value", "count", "uniques", "last_day")
_ADD_FACET = """ON CONFLICT (tally_id, dimension, value) DO UPDATE SET
  count = publishing_facet.count + excluded.count, uniques = publishing_facet.uniques + excluded.uniques,
  last_day = CASE WHEN publishing_facet.last_day > excluded.last_day
    THEN publishing_facet.last_day ELSE excluded.last_day END
  RETURNING tally_id, dimension, value, id, count, uniques, last_day"""

_FACET_DAY = ("facet_id", "day", "before_count", "before_uniques")
_ONCE = "ON CONFLICT (facet_id, day) DO NOTHING"
_NEXT = """SELECT before_count, before_uniques FROM publishing_facetslot WHERE facet_id = %s AND day > %s
  ORDER BY day LIMIT 1"""
_LATER = """UPDATE publishing_facetslot SET before_count = before_count + %s, before_uniques = before_uniques + %s
  WHERE facet_id = %s AND day > %s"""


@dataclass(slots=True)
class _Day:
    begins_at: datetime
    count: int = 0
    uniques: int = 0
    bots: int = 0
    hours: list[int] = field(default_factory=lambda: [0] * len(HOURS))


@dataclass(slots=True)
class _Total:
    count: int = 0
    uniques: int = 0
    bots: int = 0
    last_at: datetime | None = None
    days: dict[date, _Day] = field(default_factory=dict)
    facets: dict[Named, dict[date, list[int]]] = field(default_factory=lambda: defaultdict(dict))

    def day(self, local: datetime) -> _Day:
        found = self.days.get(local.date())
        if found is None:
            begins = datetime.combine(local.date(), time.min, local.tzinfo).astimezone(UTC)
            found = self.days[local.date()] = _Day(begins)
        return found


class Sums:
    """`local`: when it was, in the account's zone."""

    def __init__(self) -> None:
        self._totals: dict[Group, _Total] = defaultdict(_Total)

    def bot(self, group: Group, local: datetime) -> None:
        total = self._totals[group]
        total.bots += 1
        total.day(local).bots += 1

    def person(self, group: Group, local: datetime, *, unique: bool) -> None:
        total = self._totals[group]
        for counted in (total, total.day(local)):
            counted.count += 1
            counted.uniques += unique
        total.day(local).hours[local.hour] += 1
        total.last_at = local if total.last_at is None else max(total.last_at, local)

    def facet(self, group: Group, named: Named, day: date, *, unique: bool) -> None:
        counted = self._totals[group].facets[named].setdefault(day, [0, 0])
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
        insert(cursor, "publishing_dayslot", _DAY, days, _ADD_DAY)
        facets = {
            (id, *named): days
            for id, group in groups.items()
            for named, days in cardinality_limit.fold(cursor, group, id, self._totals[group].facets).items()
        }
        for id, dimension in add_facets(cursor, facets):
            cardinality_limit.met(groups[id], dimension)

    def _write_tallies(self, cursor: CursorWrapper) -> dict[int, Group]:
        moment = connection.ops.adapt_datetimefield_value
        rows = [
            (*group, total.count, total.uniques, total.bots, moment(total.last_at))
            for group, total in sorted(self._totals.items(), key=itemgetter(0))
        ]
        written = insert(cursor, "publishing_tally", _TALLY, rows, _ADD_TALLY)
        return dict(sorted((id, (publication, event, part)) for publication, event, part, id in written))


Facet = tuple[int, str, str]  # tally, dimension, value


def add_facets(cursor: CursorWrapper, facets: dict[Facet, dict[date, list[int]]]) -> list[tuple[int, str]]:
    """Add visits and first visits of some days to each. Whoever calls this holds the tallies. Returns tally and
    dimension of those that are new."""
    new = []
    while facets:  # once, but where there are several days of a facet, which follow one another
        first = {key: (day := min(days), days[day]) for key, days in facets.items()}
        new += _write_facets(cursor, first)
        later = {key: {day: one for day, one in days.items() if day > first[key][0]} for key, days in facets.items()}
        facets = {key: days for key, days in later.items() if days}
    return new


def _write_facets(cursor: CursorWrapper, facets: dict[Facet, tuple[date, list[int]]]) -> list[tuple[int, str]]:
    """One day of each."""
    rows = [(*key, *counts, day) for key in sorted(facets) for day, counts in [facets[key]]]
    newest, new = [], []
    for tally, dimension, value, id, count, uniques, last in insert(
        cursor, "publishing_facet", _FACET, rows, _ADD_FACET
    ):
        day, (visits, firsts) = facets[tally, dimension, value]
        before = (count - visits, uniques - firsts)
        if not before[0]:
            new.append((tally, dimension))
        if last in (day, day.isoformat()):  # SQLite returns text
            newest.append((id, day, *before))
        else:
            _write_earlier(cursor, id, day, before, (visits, firsts))
    insert(cursor, "publishing_facetslot", _FACET_DAY, sorted(newest), _ONCE)
    return new


def _write_earlier(cursor: CursorWrapper, id: int, day: date, before: tuple[int, int], added: tuple[int, int]) -> None:
    """A visit of a day after which others were counted: it waited to be written, or the account's zone has changed."""
    cursor.execute(_NEXT, [id, day])
    insert(cursor, "publishing_facetslot", _FACET_DAY, [(id, day, *(cursor.fetchone() or before))], _ONCE)
    cursor.execute(_LATER, [*added, id, day])
