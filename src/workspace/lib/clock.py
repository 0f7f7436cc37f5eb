"""The clock of the service. Stored times are in UTC, and a zone is applied only for display."""

from __future__ import annotations

from datetime import UTC, date, datetime
from zoneinfo import ZoneInfo


def now() -> datetime:
    return datetime.now(UTC)


def today(zone: str = "UTC") -> date:
    return now().astimezone(ZoneInfo(zone)).date()


def seconds_until_midnight() -> int:
    """Return the whole seconds, at least 1, until the next midnight in UTC, when daily quotas reset."""
    moment = now()
    return 86_400 - moment.hour * 3600 - moment.minute * 60 - moment.second


def to_iso(moment: datetime | None) -> str | None:
    """Format a time as `2026-11-21T09:30:00Z`, the format of all times in answers. None stays None."""
    if moment is None:
        return None
    return moment.astimezone(UTC).isoformat(timespec="seconds").replace("+00:00", "Z")


def format_local(moment: datetime | None, zone: ZoneInfo) -> str:
    """Format a time for display, such as `24 December 2026, 00:00 (Europe/Berlin)`. Return "" for None."""
    if moment is None:
        return ""
    there = moment.astimezone(zone)
    return f"{there.day} {there:%B %Y, %H:%M} ({zone.key})"
