"""What the rules know of a session."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime

BREAK = "break"
SESSION_KINDS = ("talk", "break", "meal", "social")


@dataclass(frozen=True, slots=True)
class Slot:
    """`day` is a day of the program, by its id; `starts_at` and `ends_at` are moments, None where none is said: without
    a start it is in no order of time. `room` and `speakers` are ids, an empty room is none."""

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
        """Whether it takes place at a time that is known."""
        return self.starts_at is not None and not self.cancelled
