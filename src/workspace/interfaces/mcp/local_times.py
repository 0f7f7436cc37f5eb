"""Times in the account's time zone with their offset.

Tools return UTC. An AI assistant that reads a time to the owner would have to convert it, and often does not.
"""

from __future__ import annotations

import re
from datetime import datetime
from zoneinfo import ZoneInfo

_UTC = r"\d{4}-\d\d-\d\dT\d\d:\d\d(?::\d\d(?:\.\d{1,6})?)?(?:Z|\+00:00)"
_IN_TEXT = re.compile(rf"(?<![\w:.-]){_UTC}(?!\w|:\d)")
_IN_JSON = re.compile(rf'(?<=")({_UTC})(?=")')


def localize_text(text: str, zone: ZoneInfo) -> str:
    """Convert UTC times in the text to the zone: `2027-06-12T16:00:00+02:00`."""
    return text if _is_utc(zone) else _IN_TEXT.sub(lambda found: _to_local_time(found[0], zone), text)


def localize_json(content: str, zone: ZoneInfo) -> str:
    """Convert JSON values that are UTC times to the zone."""
    return content if _is_utc(zone) else _IN_JSON.sub(lambda found: _to_local_time(found[0], zone), content)


def _is_utc(zone: ZoneInfo) -> bool:
    return zone.key in ("UTC", "Etc/UTC")


def _to_local_time(text: str, zone: ZoneInfo) -> str:
    try:
        return datetime.fromisoformat(text).astimezone(zone).isoformat(timespec="seconds")
    except (ValueError, OverflowError):  # text that only looks like a time, or a time in year 1
        return text
