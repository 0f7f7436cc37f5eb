"""A code with any number of visits, written as counters and not as single rows.

It has 400 days with a peak at noon, and values follow Zipf's law, as those of real guests do.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from datetime import UTC, date, datetime, time, timedelta
from random import Random

from django.db import connection

from workspace.lib import clock
from workspace.publishing.models.visit_counters import CITY, COUNTRY, DEVICE, HOUR_COLUMNS, REFERRER
from workspace.storage.database.bulk_insert import insert_rows
from workspace.storage.database.transactions import write_transaction

DAYS = 400
VALUES = {DEVICE: 4, CITY: 300, COUNTRY: 40, REFERRER: 60}
NOON = [1, 1, 1, 1, 1, 2, 4, 8, 12, 16, 20, 26, 30, 28, 20, 18, 18, 22, 28, 26, 18, 10, 5, 2]  # visits by hour
FIRSTS = 0.8  # share of unique visits per day

_DAY = ("counter_id", "day", "begins_at", "count", "uniques", *HOUR_COLUMNS)
_FACET = ("counter_id", "dimension", "value", "count", "uniques", "last_day")
_SLOT = ("breakdown_id", "day", "before_count", "before_uniques")


def visit(publication_id: str, event: str, visits: int, *, seed: int = 1908, days: int = DAYS) -> None:
    """Fill the counters of a publication without counters, in an account whose time zone is UTC."""
    chance = Random(seed)
    today = clock.today()
    dates = [today - timedelta(days=ago) for ago in range(days - 1, -1, -1)]
    with write_transaction(), connection.cursor() as cursor:
        tally = insert_rows(
            cursor,
            "publishing_visitcounter",
            ("publication_id", "event", "detail", "total", "uniques", "bots"),
            [(publication_id, event, "", visits, int(visits * FIRSTS), 0)],
            "RETURNING id",
        )[0][0]
        insert_rows(cursor, "publishing_dailycounter", (*_DAY, "bots"), _days(tally, dates, visits / days, chance))
        for dimension, number in VALUES.items():
            for rank, share in enumerate(_zipf(number)):
                by_day, *facet = _facet(dates, share * visits / days, chance)
                if by_day:
                    row = (tally, dimension, f"{dimension} {rank}", *facet)
                    [(id,)] = insert_rows(cursor, "publishing_breakdown", _FACET, [row], "RETURNING id")
                    insert_rows(cursor, "publishing_dailybreakdown", _SLOT, [(id, *before) for before in by_day])


def _days(tally: int, dates: Sequence[date], daily: float, chance: Random) -> Iterator[tuple[object, ...]]:
    for day in dates:
        hours = [_some(daily * weight / sum(NOON), chance) for weight in NOON]
        begins = connection.ops.adapt_datetimefield_value(datetime.combine(day, time.min, UTC))
        yield (tally, day, begins, sum(hours), int(sum(hours) * FIRSTS), *hours, 0)


def _facet(
    dates: Sequence[date], daily: float, chance: Random
) -> tuple[list[tuple[date, int, int]], int, int, date | None]:
    """Return the count before each of its days, its total, and the last day."""
    by_day: list[tuple[date, int, int]] = []
    count, last = 0, None
    for day in dates:
        if visits := _some(daily, chance):
            by_day.append((day, count, int(count * FIRSTS)))
            count += visits
            last = day
    return by_day, count, int(count * FIRSTS), last


def _some(expected: float, chance: Random) -> int:
    """Return a whole number that equals the expected one on average."""
    return int(expected + chance.random())


def _zipf(number: int) -> list[float]:
    weights = [1 / rank for rank in range(1, number + 1)]
    return [weight / sum(weights) for weight in weights]
