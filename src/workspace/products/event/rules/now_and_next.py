"""What is on now, and what is next."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta

from workspace.products.event.rules.slot import Slot

LONGEST = timedelta(minutes=60)  # of a session whose end nobody said


@dataclass(frozen=True, slots=True)
class Running:
    """Slots in the order of their starts. `next` are all that share the earliest start from now on."""

    now: Sequence[Slot]
    next: Sequence[Slot]


def ends(slots: Iterable[Slot]) -> Mapping[str, datetime]:
    """When each session ends, by its id: without an end it lasts until the next start in its room that day, an hour at
    most. Untimed and cancelled ones are not among them."""
    timed = [slot for slot in slots if slot.counts]
    starts: dict[tuple[str, str], list[datetime]] = defaultdict(list)
    for slot in timed:
        if slot.room and slot.starts_at is not None:
            starts[slot.day, slot.room].append(slot.starts_at)
    found = {}
    for slot in timed:
        if slot.starts_at is None:
            continue
        begins, latest = slot.starts_at, slot.starts_at + LONGEST
        later = [one for one in starts[slot.day, slot.room] if one > begins] if slot.room else []
        found[slot.id] = slot.ends_at or min([latest, *later])
    return found


def running(slots: Sequence[Slot], at: datetime) -> Running:
    """Now: start ≤ t < end. Next: the earliest start after t, of any later day too. Untimed and cancelled sessions are
    in neither."""
    until = ends(slots)
    timed = sorted((slot for slot in slots if slot.counts), key=_start)
    coming = [slot for slot in timed if _start(slot) > at]
    return Running(
        now=[slot for slot in timed if _start(slot) <= at < until[slot.id]],
        next=[slot for slot in coming if _start(slot) == _start(coming[0])],
    )


def _start(slot: Slot) -> datetime:
    assert slot.starts_at is not None  # of those that count
    return slot.starts_at
