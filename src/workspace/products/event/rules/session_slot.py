"""A session as input for the rules."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime

BREAK = "break"
SESSION_KINDS = ("talk", "break", "meal", "social")


@dataclass(frozen=True, slots=True)
class Slot:
    """A session.

    `day` is the id of a day of the program. `starts_at` and `ends_at` are times, or None. A session without a start has
    no place in the order of time. `room` and `speakers` are ids; an empty room means none.
    """

    id: str
    day: str
    starts_at: datetime | None = None
    ends_at: datetime | None = None
    room: str = ""
    speakers: tuple[str, ...] = ()
    kind: str = "talk"
    cancelled: bool = False

    @property
    def is_scheduled(self) -> bool:
        """True if the session takes place at a known time."""
        return self.starts_at is not None and not self.cancelled
