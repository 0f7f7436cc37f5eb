"""Merging of rare values: places with a single visit, and forged referrers.

Once a tally has many of them, they are counted together. Each visit remains on its day. Otherwise the counters and the
time to read them would grow.
"""

from __future__ import annotations

from collections.abc import Iterable
from datetime import date, timedelta
from itertools import groupby
from operator import itemgetter

from django.db import connection
from django.db.models import Count, QuerySet

from workspace.analytics.aggregation import add_facets
from workspace.analytics.cardinality_limit import OTHERS
from workspace.lib import clock
from workspace.publishing.models import Breakdown, DailyBreakdown, VisitCounter
from workspace.publishing.models.visit_counters import CITY, COUNTRY, REFERRER
from workspace.storage.database.transactions import write_transaction
from workspace.storage.row_tasks import row_task

MAX_NAMED_VALUES = 1000  # of a dimension, the most visited ones, which are not merged
MAX_AGE = timedelta(days=3)  # visitors with a recent value may return
_BATCH_SIZE = 200  # facets per transaction, so that visits are written in between


def _nameable_facets() -> QuerySet[Breakdown]:
    return Breakdown.objects.filter(dimension__in=(CITY, COUNTRY, REFERRER)).exclude(value=OTHERS)


def _list_crowded_dimensions() -> QuerySet[Breakdown, tuple[int, str]]:
    crowded = (
        _nameable_facets()
        .values("counter", "dimension")
        .annotate(values=Count("pk"))
        .filter(values__gt=MAX_NAMED_VALUES)
    )
    return crowded.values_list("counter", "dimension")


@row_task("analytics.merge_rare_values", _list_crowded_dimensions)
def merge_rare_values(row: tuple[int, str]) -> None:
    """Merge the rare values in one dimension of a tally. It runs only daily, because it reads every facet."""
    tally, dimension = row
    oldest = clock.now().date() - MAX_AGE
    found = _nameable_facets().filter(counter=tally, dimension=dimension).order_by("-count", "-last_day", "pk")
    rare = [id for id, last in found.values_list("pk", "last_day")[MAX_NAMED_VALUES:] if last < oldest]
    for start in range(0, len(rare), _BATCH_SIZE):
        with write_transaction():
            _merge_facets(tally, dimension, rare[start : start + _BATCH_SIZE], oldest)


def _merge_facets(tally: int, dimension: str, ids: list[int], oldest: date) -> None:
    # `ingest` locks the tally first as well
    if not list(VisitCounter.objects.select_for_update().filter(pk=tally).values_list("pk")):
        return
    rare = Breakdown.objects.filter(pk__in=ids, last_day__lt=oldest)
    ends = {id: (count, uniques) for id, count, uniques in rare.values_list("pk", "count", "uniques")}
    slots = DailyBreakdown.objects.filter(breakdown_id__in=list(ends))
    rows = slots.order_by("breakdown_id", "day").values_list("breakdown_id", "day", "before_count", "before_uniques")
    days: dict[date, list[int]] = {}
    for id, own in groupby(rows, key=itemgetter(0)):
        for day, counts in _counts_by_day(own, ends[id]):
            counted = days.setdefault(day, [0, 0])
            counted[:] = [sum(pair) for pair in zip(counted, counts, strict=True)]
    slots._raw_delete(slots.db)
    gone = Breakdown.objects.filter(pk__in=list(ends))
    gone._raw_delete(gone.db)
    with connection.cursor() as cursor:
        add_facets(cursor, {(tally, dimension, OTHERS): days} if days else {})


def _counts_by_day(
    rows: Iterable[tuple[int, date, int, int]], end: tuple[int, int]
) -> Iterable[tuple[date, tuple[int, int]]]:
    """Yield the counts of each day, which are the next day's values minus its own."""
    found = [(day, (count, uniques)) for _, day, count, uniques in rows]
    nexts = [before for _, before in found[1:]] + [end]
    for (day, before), after in zip(found, nexts, strict=True):
        yield day, (after[0] - before[0], after[1] - before[1])
