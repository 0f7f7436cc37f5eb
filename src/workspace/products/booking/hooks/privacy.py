"""What bookings hold of people, and how one of them is erased: what they booked goes whole, what is still to come too,
and its time is free again."""

from __future__ import annotations

from collections.abc import Sequence

from workspace.accounts.models import Account
from workspace.accounts.privacy.data_subjects import Held
from workspace.lib import clock
from workspace.products.booking.domain import calendar_events, payments
from workspace.products.booking.models import Block, Booking, BookingPage, Override, Resource, Service
from workspace.publishing.privacy import part, thing

_HOME = "/app/booking"


def _drop(account: Account, bookings: Sequence[Booking]) -> None:
    """Out of the owner's calendars as well; what was paid for a visit that does not come goes back."""
    now = clock.now()
    for booking in bookings:
        calendar_events.take_away(booking)
        if booking.starts_at > now:
            payments.give_back(booking, "The booking was erased")
    account.bookings.filter(pk__in=[booking.pk for booking in bookings]).delete()


PERSONAL = [
    Held(
        model=Booking,
        noun="booking",
        drop=_drop,
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
