"""The sums of a guest list: replies, guests without a table, and diets."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass

from workspace.products.seat.models import Guest, Reply
from workspace.products.seat.rules.diet_terms import find_diets


@dataclass(frozen=True, slots=True)
class GuestCounts:
    """The sums of a guest list. `diets` counts the guests who have not declined, most frequent diets first."""

    invited: int
    coming: int
    waiting: int
    declined: int
    unseated: int
    with_needs: int
    diets: dict[str, int]


def count_guests(guests: Iterable[Guest]) -> GuestCounts:
    """Count the guests by reply and diet."""
    guests = list(guests)
    replies = Counter(guest.reply for guest in guests)
    expected = [guest for guest in guests if guest.reply != Reply.NO]
    diets = Counter(key for guest in expected for key in list_diets(guest))
    return GuestCounts(
        invited=len(guests),
        coming=replies[Reply.YES],
        waiting=replies[Reply.WAITING],
        declined=replies[Reply.NO],
        unseated=sum(guest.table_id is None for guest in expected),
        with_needs=sum(bool(guest.diet or guest.notes) for guest in guests),
        diets=dict(diets.most_common()),
    )


def list_diets(guest: Guest) -> list[str]:
    """Return the keys of a guest's diets: first the chosen ones, then those named in the notes."""
    return list(dict.fromkeys([*guest.diet, *(find_diets(guest.notes) if guest.notes else ())]))
