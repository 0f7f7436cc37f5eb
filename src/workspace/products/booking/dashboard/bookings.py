"""What is booked on a page."""

from __future__ import annotations

from django.http import HttpResponse

from workspace.dashboard.session import SignedInRequest
from workspace.dashboard.things import moment
from workspace.dashboard.tool_pages import call, page, whole_number
from workspace.products.booking import booking_tools
from workspace.products.booking.dashboard.frame import FRAME

PAGE = 50


@page()
def bookings(request: SignedInRequest, id: str) -> HttpResponse:
    offset = whole_number(request.GET.get("offset"), 0, 0, 10**8)
    found = call(request, booking_tools.list_bookings, page_id=id, limit=PAGE, offset=offset)
    rows = [{**row, "at": moment(row["start"])} for row in found["items"]]
    return FRAME.page(request, id, "booking/owner/bookings.html", {"listing": found, "rows": rows, "limit": PAGE})
