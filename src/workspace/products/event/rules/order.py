"""The order of a day: a place for each session, which it keeps until its time is another."""

from __future__ import annotations

from collections.abc import Sequence


def insertion_index(starts: Sequence[str], start: str) -> int:
    """Where a session goes among those of a day, whose starts stand in their order (`HH:MM`, empty for untimed): before
    the first that starts later, else to the end. So equal starts, and untimed ones, keep their order of insertion."""
    if start:
        for number, other in enumerate(starts):
            if other > start:
                return number
    return len(starts)
