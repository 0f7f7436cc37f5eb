"""A booking as owners read it: when, in the page's zone, and its state in a word and a colour."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import date, datetime
from typing import Any
from zoneinfo import ZoneInfo

from django.http import HttpRequest

from workspace.dashboard.tool_views import words
from workspace.lib import clock
from workspace.products.booking.dashboard.layout import FRAME
from workspace.products.booking.models import Waiting

BADGES = {
    "confirmed": ("Confirmed", "good"),
    "pending_payment": ("Not paid yet", "wait"),
    "cancelled": ("Cancelled", "bad"),
    "expired": ("Expired", ""),
}
OUTCOMES = {"attended": ("Came", "good"), "no_show": ("Did not come", "bad")}
REQUEST = ("Asks for it", "wait")


def shown(row: Mapping[str, Any], zone: ZoneInfo) -> dict[str, Any]:
    """`asks`: whether it waits for an answer of yours; `has_begun`: whether one can say if they came."""
    start, until = (datetime.fromisoformat(row[name]).astimezone(zone) for name in ("start", "end"))
    asks = row["waiting_for"] == Waiting.APPROVAL.value
    return {
        **row,
        "at": start,
        "until": until,
        "is_live": row["status"] in ("confirmed", "pending_payment"),
        "asks": asks,
        "has_begun": start <= clock.now(),
        "badge": REQUEST if asks else OUTCOMES.get(row["outcome"]) or BADGES[row["status"]],
        "url": f"{FRAME.home}/{row['page_id']}/bookings/{row['id']}",
        "hold": datetime.fromisoformat(row["hold_until"]).astimezone(zone) if row["hold_until"] else None,
    }


def day_asked(request: HttpRequest, today: date) -> date:
    """The day that the address names, or today."""
    return day_of(request.GET.get("day"), today)


def day_of(text: str | None, today: date) -> date:
    """The day that a text names, or today."""
    try:
        found = date.fromisoformat(words(text, 10))
    except ValueError:
        return today
    return found if 2000 <= found.year < 2200 else today


def local_input(text: str, zone: ZoneInfo) -> datetime | None:
    """A time as an address or a form tells it, in the page's zone where it has no offset."""
    try:
        found = datetime.fromisoformat(text)
    except ValueError:
        return None
    if not 2000 <= found.year < 2200:
        return None
    return found.astimezone(zone) if found.tzinfo else found.replace(tzinfo=zone)
