"""Emails about a booking, received by a mail server. Other parsers read their invitations."""

from __future__ import annotations

import re
from datetime import UTC, datetime, timedelta
from email.message import EmailMessage
from typing import Any

import icalendar
import pytest
import vobject
from django.test import Client

from workspace.accounts.dispatch import Caller, execute_tool
from workspace.accounts.models import Account
from workspace.delivery.models import Delivery
from workspace.delivery.outbox.worker import OutboxWorker
from workspace.lib import clock
from workspace.products.booking.api import booking_tools
from workspace.products.booking.domain import booking_actions, emails, scheduled_emails
from workspace.products.booking.domain.booking_actions import Guest
from workspace.products.booking.models import Booking, BookingPage, Service
from workspace.products.booking.tests.pages import make_announced_booking, make_booking, make_service, tomorrow
from workspace.testing.api import make_account
from workspace.testing.smtp_sink import Peer

pytestmark = pytest.mark.django_db(transaction=True)
NOW = datetime(2026, 6, 1, 8, tzinfo=UTC)
ZOE = Guest(name="Zoë Ünal", email="zoe@example.com", language="de", zone="Asia/Kolkata")


@pytest.fixture(autouse=True)
def _still(time_machine: Any) -> None:
    time_machine.move_to(NOW, tick=False)


@pytest.fixture
def account(db: None) -> Account:
    return make_account(name="Ada’s Hair", time_zone="America/New_York")


@pytest.fixture
def service(account: Account) -> Service:
    service = make_service(account, name="Cut", cancel_until=0, move_until=0)
    BookingPage.objects.update(time_zone="Europe/Paris", place="Main street 1")
    return Service.objects.select_related("page__account", "page__resource", "page__publication").get(pk=service.pk)


def arrived(peer: Peer) -> list[EmailMessage]:
    """Return the emails received since the last call."""
    OutboxWorker().drain_once()
    got = [message for _, message in peer.taken]
    for message in got:  # a long subject is folded after the header name
        message.replace_header("Subject", message["Subject"].strip())
    peer.taken.clear()
    return got


def invited(message: EmailMessage) -> Any:
    """Return the method, UID, sequence, status and start of the only event. Both parsers must agree."""
    [inline] = [part for part in message.walk() if part.get_content_type() == "text/calendar"]
    [attached] = [part for part in message.walk() if part.get_filename() == "invite.ics"]
    content = attached.get_content()
    assert inline.get_content().encode().splitlines() == content.splitlines()
    calendar = icalendar.Calendar.from_ical(content)
    [event] = calendar.events
    other = vobject.readOne(inline.get_content())
    assert other.vevent.uid.value == event["UID"] and other.vevent.dtstart.value == event.start
    assert inline["Content-Type"].params["method"] == calendar["METHOD"] == other.method.value
    assert str(event["ATTENDEE"]).lower() == f"mailto:{message['To']}".lower()
    assert str(event["ORGANIZER"]).removeprefix("mailto:") in message["From"]
    return calendar["METHOD"], str(event["UID"]), event["SEQUENCE"], str(event["STATUS"]), event.start


def save(account: Account, booking: Booking, **fields: Any) -> Any:
    items = [{"id": booking.pk, **fields}]
    return execute_tool(booking_tools.save_bookings, Caller(account), {"page_id": booking.page_id, "items": items}).data


def test_a_booking_is_created_rescheduled_and_cancelled_in_the_guests_calendar(
    account: Account, service: Service, peer: Peer
) -> None:
    booking = make_announced_booking(service, "08:00", days=4, guest=ZOE)
    to_guest, to_owner = arrived(peer)
    assert invited(to_guest) == ("REQUEST", booking.uid, 0, "CONFIRMED", booking.starts_at)
    assert (
        to_guest["Subject"] == "Termin bestätigt: Cut, Freitag, 5. Juni 2026, 13:30"
        and to_guest["Reply-To"] == account.owner.email
    )
    names = [message["From"].addresses[0].display_name for message in (to_guest, to_owner)]
    assert names == [f"{account.name} via Workspace Tools", "Workspace Tools"]
    text = to_guest.get_body(("plain",)).get_content()  # type: ignore[union-attr]
    for told in ("Asia/Kolkata", "Freitag, 5. Juni 2026, 10:00 (Europe/Paris)", "Main street 1", "/visit/", "lang=de"):
        assert told in text, told
    # the owner's email uses the owner's zone and language, and its replies go to the guest
    assert (
        to_owner["Subject"] == "New booking: Zoë Ünal, Cut, Friday, 5 June 2026, 04:00"
        and to_owner["Reply-To"] == ZOE.email
    )
    told = to_owner.get_body(("plain",)).get_content()  # type: ignore[union-attr]
    assert "America/New York" in told
    [path] = re.findall(r"http://[^/\s]+(/app/booking/\S+)", told)
    owner = Client()
    owner.force_login(account.owner)
    assert "Zoë Ünal" in owner.get(path).content.decode()
    save(account, booking, start="2026-06-05T11:00", reason="The heating")
    [moved] = arrived(peer)
    assert invited(moved) == ("REQUEST", booking.uid, 1, "CONFIRMED", tomorrow("09:00", 4))
    text = moved.get_body(("plain",)).get_content()  # type: ignore[union-attr]
    assert "Bisher: Freitag, 5. Juni 2026, 13:30" in text and "14:30" in text and "The heating" in text
    ids = {"page_id": booking.page_id, "booking_id": booking.pk}
    assert execute_tool(booking_tools.cancel, Caller(account), ids).data["mailed"] == 1
    [message] = arrived(peer)
    assert invited(message) == ("CANCEL", booking.uid, 2, "CANCELLED", tomorrow("09:00", 4))
    assert "Ada’s Hair" in message.get_body(("plain",)).get_content()  # type: ignore[union-attr]


def test_a_request_has_no_invitation_until_it_is_approved(account: Account, service: Service, peer: Peer) -> None:
    Service.objects.update(approval=True)
    service.refresh_from_db()
    yes, no = [make_announced_booking(service, hour, days=4, guest=ZOE) for hour in ("08:00", "10:00")]
    messages = arrived(peer)
    assert [message["Subject"].partition(":")[0] for message in messages] == ["Anfrage gesendet", "New request"] * 2
    assert not any(part.get_content_type() == "text/calendar" for message in messages for part in message.walk())
    assert "Monday, 1 June 2026, 16:00" in str(messages[1]), "until when, on the owner's clocks"
    save(account, yes, request="approve")
    save(account, no, request="decline", reason="Voll")
    booked, declined = arrived(peer)
    assert (
        invited(booked)[:3] == ("REQUEST", yes.uid, 0) and "Ada’s Hair hat" in booked.get_body(("plain",)).get_content()
    )  # type: ignore[union-attr]
    assert declined["Subject"].startswith("Anfrage abgelehnt") and "Voll" in str(declined.get_body(("plain",)))
    assert not any(part.get_content_type() == "text/calendar" for part in declined.walk())


def test_a_reminder_is_sent_a_day_before_and_follows_a_new_time(
    service: Service, peer: Peer, time_machine: Any
) -> None:
    booking, removed = (
        make_booking(service, "10:00", days=2, guest=ZOE),
        make_booking(service, "11:00", days=2, guest=ZOE),
    )
    late = make_booking(service, "07:30", guest=ZOE)  # booked less than a day before
    booking_actions.cancel_booking(removed)
    assert scheduled_emails.send_reminder() == 0 and late.remind_at is None
    time_machine.move_to(booking.starts_at - timedelta(hours=24, seconds=1), tick=False)
    assert scheduled_emails.send_reminder() == 0
    booking_actions.move_booking(booking, tomorrow("12:00"))
    time_machine.move_to(tomorrow("12:00", 0), tick=False)
    assert scheduled_emails.send_reminder() == 1 and scheduled_emails.send_reminder() == 0
    [mail] = arrived(peer)
    assert mail["Subject"] == "Erinnerung: Cut, Mittwoch, 3. Juni 2026, 17:30"
    booking_actions.move_booking(booking, tomorrow("12:00", 5))
    time_machine.move_to(booking.starts_at - timedelta(hours=24), tick=False)
    assert scheduled_emails.send_reminder() == 1, "and anew where it was moved after it"
    Booking.objects.update(remind_at=clock.now())
    time_machine.move_to(booking.starts_at, tick=False)
    assert scheduled_emails.send_reminder() == 0, "not of what has begun, after a night without a worker"


def test_expiry_is_announced_once(service: Service, peer: Peer, time_machine: Any) -> None:
    Service.objects.update(approval=True)
    service.refresh_from_db()
    booking = make_booking(service, "08:00", days=4, guest=ZOE)
    flipped = make_booking(service, "12:00", days=4, guest=ZOE)
    assert scheduled_emails.expire_requests() == 0
    time_machine.move_to(NOW + timedelta(hours=12), tick=False)
    make_booking(service, "12:00", days=4, by_owner=True)  # the next booking of the resource lets both expire
    assert scheduled_emails.expire_requests() == 2 and scheduled_emails.expire_requests() == 0
    messages = arrived(peer)
    assert (
        sorted(message["Subject"].partition(":")[0] for message in messages)
        == ["Anfrage abgelaufen"] * 2 + ["Request expired"] * 2
    )
    assert "nicht rechtzeitig geantwortet" in "".join(
        str(message.get_body(("plain",)).get_content()) for message in messages
    )
    assert {Booking.objects.get(pk=booking.pk).status for booking in (booking, flipped)} == {"expired"}


def test_a_booking_without_an_email_address_sends_no_email(service: Service) -> None:
    booking = make_booking(service, "08:00", days=4, guest=Guest(name="Ben"))
    assert not emails.email_guest(booking, "booked") and not Delivery.objects.exists()
