"""Conflicts: rooms or speakers with two sessions at once. They are reported, but never rejected."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta

from workspace.products.event.rules.session_slot import BREAK, Slot

MAX_CONFLICTS = 200  # maximum reported; if there are more, they usually result from one repeated mistake
_MIN_LENGTH = timedelta(seconds=1)


@dataclass(frozen=True, slots=True)
class Conflict:
    """A conflict between two sessions, with the id of the shared `room` or `speaker`.

    The sessions are ids, with the earlier session first.
    """

    first: str
    second: str
    room: str = ""
    speaker: str = ""


def find_conflicts(slots: Iterable[Slot]) -> Sequence[Conflict]:
    """Find sessions that overlap and share a room or a speaker, across all days.

    A session may start when another ends. A session without an end is treated as a point in time. Breaks may overlap
    anything, and cancelled sessions are ignored.
    """
    timed = [
        (slot.starts_at, max(slot.ends_at or slot.starts_at, slot.starts_at + _MIN_LENGTH), number, slot)
        for number, slot in enumerate(slots)
        if slot.starts_at is not None and not slot.cancelled and slot.kind != BREAK
    ]
    timed.sort(key=lambda item: item[:3])
    running: dict[tuple[str, str], list[tuple[datetime, str]]] = defaultdict(list)
    clashes: list[Conflict] = []
    for begins, until, _, slot in timed:
        stored = [("room", slot.room)] if slot.room else []
        for what, id in [*stored, *(("speaker", speaker) for speaker in slot.speakers)]:
            still = [item for item in running[what, id] if item[0] > begins]
            for _, other in still:
                clashes.append(Conflict(other, slot.id, **{what: id}))
                if len(clashes) == MAX_CONFLICTS:
                    return clashes
            running[what, id] = [*still, (until, slot.id)]
    return clashes
