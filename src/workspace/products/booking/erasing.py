"""What bookings hold of people, and how one of them is erased: what they booked goes whole, what is still to come too,
and its time is free again."""

from __future__ import annotations

from workspace.accounts.personal import Held
from workspace.products.booking.models import Block, Booking, BookingPage, Override, Resource, Service
from workspace.publishing.personal import part, thing

_HOME = "/app/booking"

PERSONAL = [
    Held(
        model=Booking,
        noun="booking",
        rows=lambda account: account.bookings.all(),
        theirs=("email", "phone"),
        page=lambda row: f"{_HOME}/{row.page_id}/bookings",
    ),
    Held(model=Block, noun="blocked time", rows=lambda account: account.blocks.all()),
    Held(model=Resource, noun="person or room", rows=lambda account: account.resources.all()),
    part(Service, "page", "service"),
    part(Override, "page", "date with other hours"),
    thing(BookingPage, "booking page", home=_HOME),
]
