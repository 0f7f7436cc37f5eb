"""The times between which an element shows."""

from __future__ import annotations

from datetime import datetime
from zoneinfo import ZoneInfo


def parse_schedule_time(text: str, zone: ZoneInfo) -> datetime | None:
    """An end of a schedule, in the account's zone where it names none; None for an open one."""
    if not text:
        return None
    found = datetime.fromisoformat(text)
    return found.replace(tzinfo=zone) if found.tzinfo is None else found
