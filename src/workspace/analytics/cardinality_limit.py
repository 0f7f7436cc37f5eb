"""A limit for new values of referrers and places, which guests can forge, so that counters cannot grow forever."""

from __future__ import annotations

import threading
from datetime import UTC, date

from django.db.backends.utils import CursorWrapper

from workspace.lib import clock

OTHERS = "Other"
MAX_NEW_VALUES = 500  # new values of a tally's dimension per UTC day; further new ones are merged

Group = tuple[str, str, str]  # publication, event, part
FacetValue = tuple[str, str]  # dimension, value
Days = dict[date, list[int]]

_guard = threading.Lock()
_new_counts: dict[tuple[Group, str], int] = {}  # by dimension, as seen by this process
_today: date | None = None


def remember_value(group: Group, dimension: str) -> None:
    """Record that a new value was counted."""
    global _today
    with _guard:
        today = clock.now().astimezone(UTC).date()
        if today != _today:
            _new_counts.clear()
            _today = today
        _new_counts[group, dimension] = _new_counts.get((group, dimension), 0) + 1


def merge_values_over_limit(
    cursor: CursorWrapper, group: Group, tally_id: int, facets: dict[FacetValue, Days]
) -> dict[FacetValue, Days]:
    """Return the counts, with new values merged into `Other` in dimensions over the limit."""
    with _guard:
        full = {dimension for dimension, _ in facets if _new_counts.get((group, dimension), 0) >= MAX_NEW_VALUES}
    if not full:
        return facets
    known = _load_known_values(cursor, tally_id, [named for named in facets if named[0] in full])
    folded: dict[FacetValue, Days] = {}
    for named, days in facets.items():
        dimension = named[0]
        sums = folded.setdefault(named if dimension not in full or named in known else (dimension, OTHERS), {})
        for day, (count, uniques) in days.items():
            counted = sums.setdefault(day, [0, 0])
            counted[0] += count
            counted[1] += uniques
    return folded


def _load_known_values(cursor: CursorWrapper, tally_id: int, facets: list[FacetValue]) -> set[FacetValue]:
    marks = ", ".join(["(%s, %s)"] * len(facets))
    cursor.execute(
        "SELECT dimension, value FROM publishing_breakdown "  # noqa: S608
        f"WHERE counter_id = %s AND (dimension, value) IN (VALUES {marks})",
        [tally_id, *(part for named in facets for part in named)],
    )
    return {(dimension, value) for dimension, value in cursor.fetchall()}
