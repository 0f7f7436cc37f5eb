"""Who or what is in two places at once: told, never refused."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta

from workspace.products.event.rules.slot import BREAK, Slot

MAX_CLASHES = 200  # clashes that are told: who has more has made one mistake many times
_MIN_LENGTH = timedelta(seconds=1)


@dataclass(frozen=True, slots=True)
class Clash:
    """Two sessions by their ids, the earlier one first, and what both have: a `room` or a `speaker`, by its id."""

    first: str
    second: str
    room: str = ""
    speaker: str = ""


def find_clashes(slots: Iterable[Slot]) -> Sequence[Clash]:
    """Sessions that overlap in one room, or with one speaker, of any days; one that ends when another begins does not.
    Without an end it is a moment. A break may overlap anything, and what is cancelled takes no time."""
    timed = [
        (slot.starts_at, max(slot.ends_at or slot.starts_at, slot.starts_at + _MIN_LENGTH), number, slot)
        for number, slot in enumerate(slots)
        if slot.starts_at is not None and not slot.cancelled and slot.kind != BREAK
    ]
    timed.sort(key=lambda one: one[:3])
    running: dict[tuple[str, str], list[tuple[datetime, str]]] = defaultdict(list)
    found: list[Clash] = []
    for begins, until, _, slot in timed:
        kept = [("room", slot.room)] if slot.room else []
        for what, id in [*kept, *(("speaker", one) for one in slot.speakers)]:
            still = [one for one in running[what, id] if one[0] > begins]
            for _, other in still:
                found.append(Clash(other, slot.id, **{what: id}))
                if len(found) == MAX_CLASHES:
                    return found
            running[what, id] = [*still, (until, slot.id)]
    return found
