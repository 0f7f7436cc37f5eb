"""The order of sessions in a day. A session keeps its place until its time changes."""

from __future__ import annotations

from collections.abc import Sequence


def insertion_index(starts: Sequence[str], start: str) -> int:
    """Return the index at which to insert a session into a day.

    `starts` are the starts of the day's sessions in order (`HH:MM`, or empty for untimed sessions). The session is
    inserted before the first one that starts later, or at the end. Sessions with equal starts, and untimed sessions,
    therefore stay in the order of insertion.
    """
    if start:
        for number, other in enumerate(starts):
            if other > start:
                return number
    return len(starts)
