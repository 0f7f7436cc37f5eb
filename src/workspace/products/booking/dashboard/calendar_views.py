"""The calendars that block times of a page, and the one that its bookings are written into."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from django.http import HttpResponse

from workspace.dashboard.item_presenters import moment
from workspace.dashboard.session import SignedInRequest
from workspace.dashboard.tool_views import page
from workspace.delivery.calendars.sync_state import PAGE
from workspace.integrations import calendar_tools
from workspace.products.booking.dashboard.layout import FRAME

STATES = {"new": ("Being read", "wait"), "good": ("Works", "good"), "broken": ("Cannot be read", "bad")}


@page()
def calendars(request: SignedInRequest, id: str) -> HttpResponse:
    found = FRAME.find(request, id)
    rows = [_shown(row, found.pk) for row in calendar_tools.listed(request.account)]
    context = {"rows": rows, "place": PAGE, "zone": found.time_zone}
    return FRAME.drawn(request, found, "booking/owner/calendars.html", context)


def _shown(row: Mapping[str, Any], page: str) -> dict[str, Any]:
    into = next((one["name"] for one in row["calendars"] if one["url"] == row["push_to"]), "") if row["push_to"] else ""
    return {
        **row,
        "badge": STATES[row["state"]],
        "counting": ", ".join(one["name"] for one in row["calendars"] if one["reads"]),
        "into": into,
        "blocks_here": not row["page_ids"] or page in row["page_ids"],
        "read_at": moment(row["read_at"]),
        "url": f"{PAGE}/{row['calendar_id']}",
    }
