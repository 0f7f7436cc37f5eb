"""A guest's link from the email shows a booking, and reschedules or cancels it within the deadlines of its service."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from typing import Any

import icalendar
import pytest
from django.test import Client

from workspace.delivery.models import Delivery
from workspace.products.booking.domain import booking_actions, guest_links
from workspace.products.booking.domain.booking_actions import Guest
from workspace.products.booking.models import Booking, BookingPage, Service
from workspace.products.booking.tests.guests import hidden, link_of, offered, read_page
from workspace.products.booking.tests.pages import ADA, make_booking, make_service, tomorrow
from workspace.products.booking.tests.times import window
from workspace.storage import encryption
from workspace.testing.api import make_account

pytestmark = pytest.mark.django_db
NOW = datetime(2026, 6, 1, 8, tzinfo=UTC)  # a Monday


@pytest.fixture(autouse=True)
def _still(time_machine: Any) -> None:
    time_machine.move_to(NOW, tick=False)


@pytest.fixture
def service(db: None) -> Service:
    service = make_service(make_account(name="Ada’s Hair"), name="Cut", cancel_until=24, move_until=48)
    BookingPage.objects.update(time_zone="Europe/Paris", hours=[window("09:00–12:00")], place="Main street 1")
    return Service.objects.select_related("page__account", "page__resource", "page__publication").get(pk=service.pk)


@pytest.fixture
def booking(service: Service) -> Booking:
    return make_booking(service, "08:00", days=4)


def subjects() -> list[str]:
    return [str(row.payload["subject"]) for row in Delivery.objects.order_by("pk") if row.payload]


def test_it_shows_the_booking_and_only_the_name_of_the_guest(booking: Booking) -> None:
    html = read_page(link_of(booking))
    for told in (
        "Your appointment is booked",
        "Ada King",
        "Friday, 5 June 2026, 10:00",
        "Europe/Paris",
        "Main street 1",
    ):
        assert told in html, told
    assert "ada@example.com" not in html and booking.pk not in html
    response = Client().get(link_of(booking))
    assert response["Referrer-Policy"] == "no-referrer" and response["Cache-Control"] == "no-store"
    assert guest_links.get_token(booking) not in (booking.link_token_encrypted, booking.link_hash)
    for wrong in ("x" * 32, booking.pk, "%00", "x" * 300):
        assert Client().get(f"/b/{booking.page.slug}/visit/{wrong}").status_code == 404


def test_it_opens_no_other_page_and_becomes_invalid_with_a_new_link(booking: Booking) -> None:
    other = make_service(make_account())
    token = guest_links.get_token(booking)
    assert Client().get(f"/b/{other.page.slug}/visit/{token}").status_code == 404
    guest_links.renew_link(booking)
    assert Client().get(f"/b/{booking.page.slug}/visit/{token}").status_code == 404
    read_page(link_of(booking))


def test_the_stored_token_is_encrypted_again_with_new_keys(booking: Booking, monkeypatch: Any) -> None:
    token = guest_links.get_token(booking)
    assert encryption.reencrypt_all() == 0
    monkeypatch.setattr(
        encryption,
        "reencrypt_secret",
        lambda value, account, purpose: encryption.encrypt_secret(token, account, purpose),
    )
    assert encryption.reencrypt_all() == 1
    assert guest_links.get_token(Booking.objects.get()) == token


def test_a_guest_reschedules_and_the_booking_does_not_block_itself(booking: Booking) -> None:
    make_booking(booking.service, "09:00", days=4, guest=Guest(name="Ben"))  # type: ignore[arg-type]
    page = link_of(booking, "/move")
    html = read_page(page, date="2026-06-05")
    assert offered(html) == [f"2026-06-05T{at}Z" for at in ("07:00", "07:30", "08:00", "08:30", "09:30")]
    sent = {**hidden(html), "start": "2026-06-05T07:30Z"}
    assert Booking.objects.get(pk=booking.pk).starts_at == booking.starts_at, "looking changes nothing"
    done = Client().post(page, sent)
    assert done.status_code == 303
    moved = Booking.objects.get(pk=booking.pk)
    assert (moved.starts_at, moved.sequence, moved.uid) == (tomorrow("07:30", 4), 1, booking.uid)
    assert "Your appointment has been rescheduled" in read_page(done["Location"])
    assert subjects() == [
        "Appointment rescheduled: Cut, Friday, 5 June 2026, 09:30",
        "Rescheduled: Ada King, Cut, Friday, 5 June 2026, 07:30",
    ]
    again = Client().post(page, {**sent, "start": "2026-06-05T07:00Z"})
    assert again.status_code == 409 and "This booking has changed" in again.content.decode(), (
        "it was seen as it was before"
    )
    taken = Client().post(page, {"start": "2026-06-05T09:00Z", "sequence": "1"})
    assert taken.status_code == 409 and "This time was just booked. Choose another time." in taken.content.decode()
    foreign = Client(headers={"Sec-Fetch-Site": "cross-site"}).post(page, {"start": "2026-06-05T09:30Z"})
    assert foreign.status_code == 403 and Booking.objects.get(pk=booking.pk).sequence == 1


def test_rescheduling_and_cancelling_have_separate_deadlines(booking: Booking, time_machine: Any) -> None:
    move, cancel = link_of(booking, "/move"), link_of(booking, "/cancel")
    time_machine.move_to(booking.starts_at - timedelta(hours=48), tick=False)
    assert "move" in (html := read_page(link_of(booking))) and move in html and cancel in html
    time_machine.shift(1)
    html = read_page(link_of(booking))
    assert move not in html and cancel in html and "You can cancel until Thursday, 4 June 2026, 10:00" in html
    assert Client().post(move, {"start": "2026-06-05T07:30Z"}).status_code == 303
    time_machine.move_to(booking.starts_at - timedelta(hours=24) + timedelta(seconds=1), tick=False)
    html = read_page(link_of(booking))
    assert cancel not in html and "You can no longer cancel here" in html
    assert Client().post(cancel).status_code == 303
    stored = Booking.objects.get()
    assert (stored.status, stored.starts_at) == ("confirmed", booking.starts_at) and not subjects()


def test_a_mistake_can_be_corrected_soon_after_booking(service: Service, time_machine: Any) -> None:
    """Check the grace period after both deadlines have passed.

    There is no grace period if the service forbids cancellation or the owner made the booking.
    """
    booking, rang = make_booking(service, "07:00"), make_booking(service, "07:30", by_owner=True)
    move, cancel = link_of(booking, "/move"), link_of(booking, "/cancel")
    html = read_page(link_of(booking))
    assert move in html and cancel in html and "You can cancel until Monday, 1 June 2026, 10:30" in html
    assert "You can no longer cancel here" in read_page(link_of(rang))
    time_machine.shift(30 * 60)
    assert Client().post(move, {"start": f"{tomorrow('08:00'):%Y-%m-%dT%H:%M}Z"}).status_code == 303
    assert Booking.objects.get(pk=booking.pk).starts_at == tomorrow("08:00")
    time_machine.shift(1)
    assert move not in (html := read_page(link_of(booking))) and cancel not in html
    time_machine.shift(-1)
    Service.objects.update(cancel_until=None)
    assert cancel not in read_page(link_of(booking))
    Service.objects.update(cancel_until=24)
    Client().post(cancel)
    assert Booking.objects.get(pk=booking.pk).status == "cancelled"


def test_a_guest_cancels_with_a_reason_even_while_the_page_is_paused(booking: Booking) -> None:
    booking.page.publication.pause()
    page = link_of(booking, "/cancel")
    assert "Cancel your appointment?" in read_page(page) and Booking.objects.get().status == "confirmed"
    assert Client().post(link_of(booking, "/move"), {"start": "2026-06-05T07:30Z"}).status_code == 303
    done = Client().post(page, {"reason": "I am ill\x00\n" + "x" * 200})
    assert done.status_code == 303
    cancelled = Booking.objects.get()
    assert (cancelled.status, cancelled.cancelled_by_guest, cancelled.sequence) == ("cancelled", True, 1)
    assert cancelled.reason == "I am ill" + "x" * 200
    html = read_page(done["Location"])
    assert "This appointment is canceled" in html and "You canceled this appointment" in html and "I am ill" not in html
    assert [subject.partition(":")[0] for subject in subjects()] == ["Appointment canceled", "Canceled"]
    assert Client().post(page).status_code == 303 and len(subjects()) == 2
    make_booking(booking.service, "08:00", days=4, guest=Guest(name="Ben"))  # type: ignore[arg-type]


def test_the_page_describes_each_state(service: Service, time_machine: Any) -> None:
    Service.objects.update(approval=True)
    service.refresh_from_db()
    booking = make_booking(service, "08:00", days=4)
    declined, lapsed = make_booking(service, "07:00", days=4), make_booking(service, "09:00", days=4)
    assert "will email you by Monday, 1 June 2026, 22:00" in read_page(link_of(booking)), "in the page's zone"
    booking_actions.decline_booking(declined, "We are away")
    html = read_page(link_of(declined))
    assert (
        "Ada’s Hair canceled this appointment" in html and "We are away" in html and "Book another appointment" in html
    )
    booking_actions.approve_booking(booking)
    html = read_page(link_of(booking))
    assert "Your appointment is booked" in html and link_of(booking, "/move") not in html, (
        "its time was agreed with the owner"
    )
    time_machine.move_to(NOW + timedelta(hours=12))
    assert "didn’t reply in time" in read_page(link_of(lapsed))
    time_machine.move_to(tomorrow("08:00", 4))
    states = []
    for minutes in (0, 30):
        time_machine.move_to(booking.starts_at + timedelta(minutes=minutes), tick=False)
        states.append(read_page(link_of(booking)).partition("<h1>")[2].partition("<")[0])
    assert states == ["Your appointment has started", "Your appointment has ended"]


def test_the_calendar_file_has_the_event_of_the_invitation(booking: Booking) -> None:
    response = Client().get(link_of(booking, ".ics"))
    assert response["Content-Type"].startswith("text/calendar")
    [event] = icalendar.Calendar.from_ical(response.content).events
    assert (event["UID"], event["SEQUENCE"], event["STATUS"]) == (booking.uid, 0, "CONFIRMED")
    assert event.start == booking.starts_at and str(event.start.tzinfo) == "Europe/Paris"
    assert event["LOCATION"] == "Main street 1" and guest_links.get_token(booking) in event["DESCRIPTION"]


def test_too_many_attempts_are_blocked(booking: Booking) -> None:
    answers = [Client().post(link_of(booking, "/move"), {"start": "2026-06-05T07:31Z"}).status_code for _ in range(21)]
    assert answers == [409] * 20 + [429]


def test_times_are_in_the_chosen_time_zone(booking: Booking, service: Service) -> None:
    html = read_page(f"/b/{service.page.slug}/zones", service=service.pk, date="2026-06-05")
    assert '<option value="Asia/Kolkata">Kolkata</option>' in html and len(html) < 40_000
    assert hidden(html) == {"service": service.pk, "date": "2026-06-05"}
    far = Guest(name="Zoë", email="zoe@example.com", zone="Asia/Kolkata", language="de")
    existing = booking_actions.create_booking(service, tomorrow("09:00", 4), far)
    html = read_page(link_of(existing))
    assert "14:30" in html and "11:00" in html and "Asia/Kolkata" in html and "Europe/Paris" in html
    assert ADA.zone == ""


def test_a_message_that_is_too_long_is_rejected_and_not_truncated(booking: Booking) -> None:
    cancel, words = link_of(booking, "/cancel"), "We are ill. " * 30
    response = Client().post(cancel, {"reason": words})
    html = response.content.decode()
    assert response.status_code == 422 and "Your message has 359 characters. Shorten it to 300." in html
    assert words.strip() in html, "what was typed is still there"
    booking.refresh_from_db()
    assert booking.status == "confirmed"
    assert Client().post(cancel, {"reason": words[:200]}).status_code == 303
    booking.refresh_from_db()
    assert booking.reason == words[:200].strip()
