"""Schedules of elements."""

from __future__ import annotations

from datetime import datetime
from zoneinfo import ZoneInfo


def parse_schedule_time(text: str, zone: ZoneInfo) -> datetime | None:
    """Parse the start or the end of a schedule. Return None if it is open.

    A time without an offset is in the account's time zone.
    """
    if not text:
        return None
    moment = datetime.fromisoformat(text)
    return moment.replace(tzinfo=zone) if moment.tzinfo is None else moment
