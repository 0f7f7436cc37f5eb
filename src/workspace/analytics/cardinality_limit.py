"""Referrers and places are what guests say they are. A flood of made-up ones must not grow the counters without end."""

from __future__ import annotations

import threading
from datetime import UTC, date

from django.db.backends.utils import CursorWrapper

from workspace.lib import clock

OTHERS = "Other"
MAX_NEW_VALUES = (
    500  # values of a dimension that are new to a tally, in a day of UTC; the next new ones are counted together
)

Group = tuple[str, str, str]  # publication, event, part
FacetValue = tuple[str, str]  # dimension, value
Days = dict[date, list[int]]

_guard = threading.Lock()
_new_counts: dict[tuple[Group, str], int] = {}  # by dimension, as far as this process has met them
_today: date | None = None


def remember_value(group: Group, dimension: str) -> None:
    """A new value was counted."""
    global _today
    with _guard:
        today = clock.now().astimezone(UTC).date()
        if today != _today:
            _new_counts.clear()
            _today = today
        _new_counts[group, dimension] = _new_counts.get((group, dimension), 0) + 1


def merge_over_limit(
    cursor: CursorWrapper, group: Group, tally_id: int, facets: dict[FacetValue, Days]
) -> dict[FacetValue, Days]:
    """The same counts, in which values that the tally has not met yet are `Other` once there were too many of those."""
    with _guard:
        full = {dimension for dimension, _ in facets if _new_counts.get((group, dimension), 0) >= MAX_NEW_VALUES}
    if not full:
        return facets
    known = _load_known(cursor, tally_id, [named for named in facets if named[0] in full])
    folded: dict[FacetValue, Days] = {}
    for named, days in facets.items():
        dimension = named[0]
        sums = folded.setdefault(named if dimension not in full or named in known else (dimension, OTHERS), {})
        for day, (count, uniques) in days.items():
            counted = sums.setdefault(day, [0, 0])
            counted[0] += count
            counted[1] += uniques
    return folded


def _load_known(cursor: CursorWrapper, tally_id: int, wanted: list[FacetValue]) -> set[FacetValue]:
    marks = ", ".join(["(%s, %s)"] * len(wanted))
    cursor.execute(
        f"SELECT dimension, value FROM publishing_breakdown WHERE counter_id = %s AND (dimension, value) IN (VALUES {marks})",  # noqa: S608
        [tally_id, *(part for named in wanted for part in named)],
    )
    return {(dimension, value) for dimension, value in cursor.fetchall()}
