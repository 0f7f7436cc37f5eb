"""Bookings in the owner's calendar, on a real CalDAV server, and how they are read back."""

from __future__ import annotations

from typing import Any

import icalendar
import pytest

from workspace.accounts.models import Account
from workspace.delivery.calendars.worker import CalendarWorker
from workspace.lib import clock
from workspace.products.booking.domain import booking_actions
from workspace.products.booking.domain.booking_actions import Guest
from workspace.products.booking.domain.locks import SlotUnavailableError
from workspace.products.booking.hooks import privacy
from workspace.products.booking.models import Booking
from workspace.products.booking.rules.availability import UnavailableReason
from workspace.products.booking.tests.pages import make_booking, make_service, tomorrow
from workspace.storage.database.transactions import write_transaction
from workspace.testing.api import Api
from workspace.testing.dav_server import LOOPBACK, PASSWORD, USER, Radicale

pytestmark = pytest.mark.django_db(transaction=True)

DENTIST = "\r\n".join([
    "BEGIN:VCALENDAR", "VERSION:2.0", "PRODID:x", "BEGIN:VEVENT", "UID:dentist", "DTSTAMP:20260101T000000Z",
    f"DTSTART:{tomorrow('15:00', 2):%Y%m%dT%H%M%SZ}", f"DTEND:{tomorrow('16:00', 2):%Y%m%dT%H%M%SZ}",
    "SUMMARY:Dentist", "END:VEVENT", "END:VCALENDAR", "",
])  # fmt: skip


def there(server: Radicale, booking: Booking) -> Any:
    """Return the event as another program reads it, or None."""
    status, body = server.send("GET", f"/{USER}/work/{booking.pk}.ics")
    return icalendar.Calendar.from_ical(body).events[0] if status == 200 else None


@pytest.fixture
def _mine(api: Api, server: Radicale, settings: Any) -> None:
    settings.CALENDAR_NETWORKS = LOOPBACK
    server.create_calendar("work", "Work")
    items = [{"url": server.url, "username": USER, "password": PASSWORD, "push_to": "Work"}]
    api.run("svc_calendars_save", items=items)


@pytest.mark.usefixtures("_mine")
def test_a_booking_is_written_rescheduled_and_removed_and_does_not_block_itself(
    account: Account, server: Radicale
) -> None:
    lane, service = CalendarWorker(), make_service(account, name="Cut", approval=True)
    booking = make_booking(service, "10:00", days=2, guest=Guest(name="Zoë", phone="+43 1 2345678"))
    lane.run_once()
    assert there(server, booking) is None, "a request is no visit yet"
    booking_actions.approve_booking(booking)
    lane.run_once()
    result = there(server, booking)
    assert (str(result["SUMMARY"]), result.start) == ("Cut: Zoë", booking.starts_at)
    assert "+43 1 2345678" in result["DESCRIPTION"]
    # read back from the calendar, our own event does not block the time, unlike other events
    server.send("PUT", f"/{USER}/work/dentist.ics", DENTIST.encode())
    account.calendars.update(next_at=clock.now())
    lane.run_once()
    assert booking_actions.move_booking(booking, tomorrow("10:15", 2), by_owner=True)
    with pytest.raises(SlotUnavailableError) as refused:
        booking_actions.move_booking(booking, tomorrow("15:00", 2), by_owner=True)
    assert refused.value.cause.reason is UnavailableReason.BLOCKED and "Dentist" in str(refused.value)
    lane.run_once()
    result = there(server, booking)
    assert (result.start, result["SEQUENCE"]) == (tomorrow("10:15", 2), 1)
    booking_actions.cancel_booking(booking)
    lane.run_once()
    assert there(server, booking) is None
    make_booking(service, "10:00", days=2, by_owner=True)


@pytest.mark.usefixtures("_mine")
def test_an_erased_booking_is_removed_from_the_calendar(account: Account, server: Radicale) -> None:
    lane, booking = CalendarWorker(), make_booking(make_service(account))
    lane.run_once()
    assert there(server, booking) is not None
    with write_transaction():
        privacy._erase_bookings(account, [booking])
    lane.run_once()
    assert there(server, booking) is None and not Booking.objects.exists()
