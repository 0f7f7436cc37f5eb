"""A page with a service, and a guest who books an appointment there, for tests."""

from __future__ import annotations

import itertools
from typing import Any

from workspace.accounts.models import Account
from workspace.products.booking.domain import emails
from workspace.products.booking.domain.booking_actions import Guest, build_booking, create_booking, save_booking
from workspace.products.booking.models import Booking, BookingPage, Resource, Service
from workspace.products.booking.tests.times import window
from workspace.storage.database.transactions import write_transaction
from workspace.testing.samples.booking import tomorrow

_numbers = itertools.count(1)
ADA = Guest(name="Ada King", email="ada@example.com", language="en")


def make_service(account: Account, page: BookingPage | None = None, **fields: Any) -> Service:
    """Create a service of half an hour, available at any time of any day in UTC by default."""
    if page is None:
        resource = Resource.get_own(account)
        always = [window("00:00–00:00")]
        page = BookingPage.open(account, name="Ada’s Hair", resource=resource, time_zone="UTC", hours=always)
    usual = {"name": f"Cut {next(_numbers)}", "duration": 30, "min_notice_minutes": 0}
    return Service.objects.create(page=page, **{**usual, **fields})


def make_booking(service: Service, clock_time: str = "10:00", days: int = 1, **how: Any) -> Booking:
    return create_booking(service, tomorrow(clock_time, days), how.pop("guest", ADA), **how)


def make_announced_booking(service: Service, clock_time: str, days: int, guest: Guest) -> Booking:
    """Create a booking as the guest page does, with its emails."""
    new = build_booking(service, tomorrow(clock_time, days), guest)
    letters = emails.prepare_created(new)
    with write_transaction():
        booking = save_booking(new)
        letters.queue()
    return booking
