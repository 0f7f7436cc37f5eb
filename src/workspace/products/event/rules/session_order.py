"""The order of sessions in a day. A session retains its place until its time changes."""

from __future__ import annotations

from collections.abc import Sequence


def insertion_index(starts: Sequence[str], start: str) -> int:
    """Return the index at which to insert a session in a day.

    `starts` are the starts of the day in order (`HH:MM`, empty for untimed). The session goes before the first that
    starts later, or to the end. So sessions with equal starts and untimed sessions retain their order of insertion."""
    if start:
        for number, other in enumerate(starts):
            if other > start:
                return number
    return len(starts)
