"""Presenters of bookings: the time in the page's time zone, and the state as a word and a color."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import date, datetime
from typing import Any
from zoneinfo import ZoneInfo

from django.http import HttpRequest

from workspace.dashboard.tool_views import clean_text
from workspace.lib import clock
from workspace.owner_translation import owner_gettext_lazy
from workspace.products.booking.dashboard.item_layout import LAYOUT
from workspace.products.booking.models import PendingReason

STATUS_BADGES = {
    "confirmed": (owner_gettext_lazy("Confirmed"), "good"),
    "pending_payment": (owner_gettext_lazy("Unpaid"), "wait"),
    "cancelled": (owner_gettext_lazy("Canceled"), "bad"),
    "expired": (owner_gettext_lazy("Expired"), ""),
}
OUTCOME_BADGES = {
    "attended": (owner_gettext_lazy("Attended"), "good"),
    "no_show": (owner_gettext_lazy("No-show"), "bad"),
}
REQUEST_BADGE = (owner_gettext_lazy("Request"), "wait")


def present_booking(row: Mapping[str, Any], zone: ZoneInfo) -> dict[str, Any]:
    """Prepare a booking for templates.

    `asks` is true if the booking waits for the owner's approval. `has_begun` is true if attendance can be recorded.
    """
    start, until = (datetime.fromisoformat(row[name]).astimezone(zone) for name in ("start", "end"))
    asks = row["waiting_for"] == PendingReason.APPROVAL.value
    return {
        **row,
        "at": start,
        "until": until,
        "is_live": row["status"] in ("confirmed", "pending_payment"),
        "asks": asks,
        "has_begun": start <= clock.now(),
        "is_notable": asks or bool(row["outcome"]) or row["status"] != "confirmed",
        "badge": REQUEST_BADGE if asks else OUTCOME_BADGES.get(row["outcome"]) or STATUS_BADGES[row["status"]],
        "url": f"{LAYOUT.home}/{row['page_id']}/bookings/{row['id']}",
        "hold": datetime.fromisoformat(row["hold_until"]).astimezone(zone) if row["hold_until"] else None,
    }


def parse_requested_day(request: HttpRequest, today: date) -> date:
    """Return the day given in the URL, or today."""
    return parse_day(request.GET.get("day"), today)


def parse_day(text: str | None, today: date) -> date:
    """Parse a day, or return today if the text is not a day."""
    try:
        day = date.fromisoformat(clean_text(text, 10))
    except ValueError:
        return today
    return day if 2000 <= day.year < 2200 else today


def parse_local_time(text: str, zone: ZoneInfo) -> datetime | None:
    """Parse a time from a URL or a form. Return None if it is invalid.

    Without an offset, it is in the page's time zone.
    """
    try:
        moment = datetime.fromisoformat(text)
    except ValueError:
        return None
    if not 2000 <= moment.year < 2200:
        return None
    return moment.astimezone(zone) if moment.tzinfo else moment.replace(tzinfo=zone)
