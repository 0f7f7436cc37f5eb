"""The running and the next sessions."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta

from workspace.products.event.rules.session_slot import Slot

MAX_DEFAULT_LENGTH = timedelta(minutes=60)  # of a session without an end


@dataclass(frozen=True, slots=True)
class NowAndNext:
    """The running and the next slots, in the order of their starts.

    `next` are all that share the earliest later start.
    """

    now: Sequence[Slot]
    next: Sequence[Slot]


def compute_ends(slots: Iterable[Slot]) -> Mapping[str, datetime]:
    """Compute the end of each session, keyed by session id. Untimed and cancelled sessions are left out.

    A session without an end lasts until the next start in its room on that day, but at most an hour.
    """
    timed = [slot for slot in slots if slot.is_scheduled]
    starts: dict[tuple[str, str], list[datetime]] = defaultdict(list)
    for slot in timed:
        if slot.room and slot.starts_at is not None:
            starts[slot.day, slot.room].append(slot.starts_at)
    ends = {}
    for slot in timed:
        if slot.starts_at is None:
            continue
        begins, latest = slot.starts_at, slot.starts_at + MAX_DEFAULT_LENGTH
        later = [moment for moment in starts[slot.day, slot.room] if moment > begins] if slot.room else []
        ends[slot.id] = slot.ends_at or min([latest, *later])
    return ends


def find_now_and_next(slots: Sequence[Slot], at: datetime) -> NowAndNext:
    """Find the sessions running at t (start ≤ t < end), and the next ones: those with the earliest start after t.

    The next ones may be on another day. Untimed and cancelled sessions are in neither group.
    """
    until = compute_ends(slots)
    timed = sorted((slot for slot in slots if slot.is_scheduled), key=_start_time)
    coming = [slot for slot in timed if _start_time(slot) > at]
    return NowAndNext(
        now=[slot for slot in timed if _start_time(slot) <= at < until[slot.id]],
        next=[slot for slot in coming if _start_time(slot) == _start_time(coming[0])],
    )


def _start_time(slot: Slot) -> datetime:
    assert slot.starts_at is not None  # only scheduled slots are passed
    return slot.starts_at
