"""Personal data in bookings, and its erasure.

A person's bookings are deleted, including upcoming ones, and their times become available.
"""

from __future__ import annotations

from collections.abc import Sequence

from workspace.accounts.models import Account
from workspace.accounts.privacy.data_subjects import PersonalTable
from workspace.lib import clock
from workspace.products.booking.domain import calendar_events, payments
from workspace.products.booking.models import Block, Booking, BookingPage, DateOverride, Resource, Service
from workspace.publishing.privacy import item_table, part_table

_DASHBOARD_PATH = "/app/booking"


def _erase_bookings(account: Account, bookings: Sequence[Booking]) -> None:
    """Erase bookings, including their events in the owner's calendars. Refund payments for upcoming bookings."""
    now = clock.now()
    for booking in bookings:
        calendar_events.remove_booking_event(booking)
        if booking.starts_at > now:
            payments.refund_booking(booking, "The booking was erased")
    account.bookings.filter(pk__in=[booking.pk for booking in bookings]).delete()


PERSONAL_DATA = [
    PersonalTable(
        model=Booking,
        noun="booking",
        delete_rows=_erase_bookings,
        rows=lambda account: account.bookings.all(),
        identity_columns=("email", "phone"),
        page_url=lambda row: f"{_DASHBOARD_PATH}/{row.page_id}/bookings",
    ),
    PersonalTable(model=Block, noun="blocked time", rows=lambda account: account.blocks.all()),
    PersonalTable(model=Resource, noun="person or room", rows=lambda account: account.resources.all()),
    part_table(Service, "page", "service"),
    part_table(DateOverride, "page", "date with special hours"),
    item_table(BookingPage, "booking page", dashboard_path=_DASHBOARD_PATH),
]
