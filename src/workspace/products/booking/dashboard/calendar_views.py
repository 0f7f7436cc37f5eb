"""The page for the calendars that block times of a booking page and for the one that receives its bookings."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from django.http import HttpResponse

from workspace.dashboard.item_presenters import parse_time
from workspace.dashboard.session import SignedInRequest
from workspace.dashboard.tool_views import page
from workspace.delivery.calendars.sync_state import PAGE
from workspace.integrations import calendar_tools
from workspace.owner_translation import owner_gettext_lazy
from workspace.products.booking.dashboard.item_layout import LAYOUT

STATE_BADGES = {
    "new": (owner_gettext_lazy("Syncing"), "wait"),
    "good": (owner_gettext_lazy("Connected"), "good"),
    "broken": (owner_gettext_lazy("Sync failed"), "bad"),
}


@page()
def calendars(request: SignedInRequest, id: str) -> HttpResponse:
    page = LAYOUT.get_item(request, id)
    rows = [_present_calendar(row, page.pk) for row in calendar_tools.list_calendars(request.account)]
    context = {"rows": rows, "place": PAGE, "zone": page.time_zone}
    return LAYOUT.render_page(request, page, "booking/owner/calendars.html", context)


def _present_calendar(row: Mapping[str, Any], page: str) -> dict[str, Any]:
    into = (
        next((calendar["name"] for calendar in row["calendars"] if calendar["url"] == row["push_to"]), "")
        if row["push_to"]
        else ""
    )
    return {
        **row,
        "badge": STATE_BADGES[row["state"]],
        "counting": ", ".join(calendar["name"] for calendar in row["calendars"] if calendar["reads"]),
        "into": into,
        "blocks_here": not row["page_ids"] or page in row["page_ids"],
        "read_at": parse_time(row["read_at"]),
        "url": f"{PAGE}/{row['calendar_id']}",
    }
