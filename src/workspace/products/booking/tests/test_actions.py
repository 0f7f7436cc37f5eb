"""Operations on bookings: their effects, and the input that they reject."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from typing import Any

import pytest

from workspace.accounts.models import Account
from workspace.lib import clock
from workspace.lib.errors import ConflictError, OperationNotAllowedError
from workspace.products.booking.domain import booking_actions
from workspace.products.booking.domain.booking_actions import BookingChangedError, Guest, SlotUnavailableError
from workspace.products.booking.models import Booking, DateOverride, Service, Status
from workspace.products.booking.rules.availability import UnavailableReason
from workspace.products.booking.tests.pages import ADA, make_booking, make_service, tomorrow
from workspace.products.booking.tests.times import window

pytestmark = pytest.mark.django_db


@pytest.fixture(autouse=True)
def _monday_at_eight(time_machine: Any) -> None:
    time_machine.move_to(datetime(2026, 6, 1, 8, tzinfo=UTC), tick=False)


@pytest.fixture
def service(account: Account) -> Service:
    return make_service(account)


def cause(act: Any) -> UnavailableReason:
    with pytest.raises(SlotUnavailableError) as refused:
        act()
    return refused.value.cause.reason


def test_later_changes_of_the_service_do_not_change_a_booking(account: Account) -> None:
    service = make_service(account, buffer_before=10, buffer_after=20, price_minor=4500)
    service.page.time_zone = "Asia/Kathmandu"
    booking = make_booking(service, "10:15")
    assert (booking.status, booking.sequence, booking.price_minor) == (Status.CONFIRMED, 0, 4500)
    assert booking.local_start.endswith("T16:00") and booking.time_zone == "Asia/Kathmandu"
    Service.objects.filter(pk=service.pk).update(buffer_before=0, buffer_after=0, duration=5)
    stored = Booking.objects.get()
    assert (stored.blocked_from, stored.blocked_until) == (tomorrow("10:05"), tomorrow("11:05"))
    assert stored.uid.startswith(stored.pk) and "@" in stored.uid


def test_a_taken_time_is_rejected_with_available_times_near_it(service: Service) -> None:
    make_booking(service, "10:00")
    with pytest.raises(SlotUnavailableError) as refused:
        make_booking(service, "10:00", guest=Guest(name="Ben"))
    assert refused.value.nearest_times == [tomorrow("09:00"), tomorrow("09:30"), tomorrow("10:30")]
    assert refused.value.guest_message == "This time was just booked. Choose another time."
    day = tomorrow().date()
    assert str(refused.value).startswith(f"{day} 10:00 isn’t available. This time is taken: booking of Ada King")
    assert f"Available times nearby: {day}T09:00, {day}T09:30, {day}T10:30" in str(refused.value)
    assert cause(lambda: make_booking(service, "10:15")) is UnavailableReason.GRID
    assert (
        cause(
            lambda: booking_actions.create_booking(
                service, tomorrow("11:00") + timedelta(seconds=1), ADA, by_owner=True
            )
        )
        is UnavailableReason.GRID
    )


def test_a_request_sent_twice_creates_one_booking(service: Service) -> None:
    first = make_booking(service, "10:00", key="form-1")
    again = make_booking(service, "10:00", key="form-1")
    assert first.pk == again.pk and Booking.objects.count() == 1
    with pytest.raises(ConflictError, match="already submitted with different details"):
        make_booking(service, "12:00", key="form-1", guest=Guest(name="Ben"))


def test_an_owner_may_book_outside_the_rules_for_guests(account: Account) -> None:
    service = make_service(account, min_notice_minutes=60 * 24 * 7, daily_cap=1)
    day = tomorrow().date()
    DateOverride.objects.create(page=service.page, date=day, windows=[window("09:00–12:00")])
    assert cause(lambda: make_booking(service, "10:00")) is UnavailableReason.NOTICE
    make_booking(service, "10:05", by_owner=True)
    make_booking(service, "11:00", by_owner=True)  # above the daily cap
    assert cause(lambda: make_booking(service, "14:00", by_owner=True)) is UnavailableReason.HOURS
    booking_actions.create_block(service.page, tomorrow("14:00"), tomorrow("16:00"), "Dentist")
    make_booking(service, "14:00", by_owner=True, ignore_rules=True)
    assert cause(lambda: make_booking(service, "11:15", by_owner=True, ignore_rules=True)) is UnavailableReason.TAKEN


def test_a_request_waits_for_approval_and_releases_its_time_when_it_expires(
    account: Account, time_machine: Any
) -> None:
    service = make_service(account, approval=True)
    booking, other = make_booking(service, "10:00", days=3), make_booking(service, "11:00", days=3)
    assert (booking.status, booking.pending_reason) == (Status.PENDING, "approval")
    assert cause(lambda: make_booking(service, "10:00", days=3, by_owner=True)) is UnavailableReason.TAKEN
    assert booking_actions.approve_booking(booking) and not booking_actions.approve_booking(booking)
    assert (booking.status, booking.hold_until) == (Status.CONFIRMED, None)
    time_machine.move_to(clock.now() + timedelta(hours=12))
    assert other.current_status(clock.now()) is Status.EXPIRED
    with pytest.raises(OperationNotAllowedError, match="has expired"):
        booking_actions.approve_booking(other)
    make_booking(service, "11:00", days=3, by_owner=True)
    assert Booking.objects.get(pk=other.pk).status == Status.EXPIRED, "flipped by whoever came next"


def test_an_approval_checks_the_time_again_and_a_declined_request_is_cancelled(account: Account) -> None:
    service = make_service(account, approval=True)
    booking = make_booking(service, "10:00")
    booking_actions.create_block(service.page, tomorrow("10:15"), tomorrow("10:20"))
    assert cause(lambda: booking_actions.approve_booking(booking)) is UnavailableReason.BLOCKED
    assert booking_actions.decline_booking(booking, "Away") and not booking_actions.decline_booking(booking)
    assert (booking.status, booking.reason, booking.sequence) == (Status.CANCELLED, "Away", 1)
    with pytest.raises(OperationNotAllowedError, match="Only open requests"):
        booking_actions.approve_booking(booking)


def test_a_late_payment_confirms_the_booking_only_if_its_time_is_still_available(
    service: Service, time_machine: Any
) -> None:
    early, late, lost = (make_booking(service, at, days=3, pay_within=timedelta(minutes=30))
                         for at in ("10:00", "11:00", "12:00"))  # fmt: skip
    with pytest.raises(OperationNotAllowedError, match="waiting for payment"):
        booking_actions.approve_booking(early)
    assert booking_actions.confirm_paid(early) and booking_actions.confirm_paid(early)
    time_machine.move_to(clock.now() + timedelta(minutes=30))
    booking_actions.create_booking(service, lost.starts_at, Guest(name="Ben"))
    assert booking_actions.confirm_paid(late) and late.status == Status.CONFIRMED
    assert not booking_actions.confirm_paid(lost) and lost.status == Status.EXPIRED
    assert booking_actions.cancel_booking(late) and not booking_actions.confirm_paid(late), (
        "the money of what was cancelled goes back"
    )


def test_a_rescheduled_booking_retains_its_length_and_does_not_block_itself(service: Service) -> None:
    booking = make_booking(service, "10:00")
    Service.objects.filter(pk=service.pk).update(buffer_after=15, duration=60, interval=15)
    booking = Booking.objects.get()
    uid = booking.uid
    assert booking_actions.move_booking(booking, tomorrow("10:15"), sequence=0)
    assert (booking.sequence, booking.uid, booking.ends_at) == (1, uid, tomorrow("10:45"))
    assert booking.blocked_until == tomorrow("11:00"), "its length stays, the buffers are those of now"
    assert booking.local_start.endswith("T10:15")
    with pytest.raises(BookingChangedError):
        booking_actions.move_booking(booking, tomorrow("12:00"), sequence=0)
    assert not booking_actions.move_booking(booking, tomorrow("10:15"))
    make_booking(Service.objects.get(), "14:00")
    assert cause(lambda: booking_actions.move_booking(booking, tomorrow("14:30"))) is UnavailableReason.TAKEN
    assert Booking.objects.get(pk=booking.pk).starts_at == tomorrow("10:15")
    booking_actions.cancel_booking(booking)
    with pytest.raises(OperationNotAllowedError, match="is canceled"):
        booking_actions.move_booking(booking, tomorrow("16:00"))


def test_a_booking_without_its_service_can_still_be_rescheduled(service: Service) -> None:
    booking = make_booking(service, "10:00")
    Service._base_manager.filter(pk=service.pk).delete()
    booking = Booking.objects.get()
    assert booking.service is None and booking.service_name.startswith("Cut")
    assert booking_actions.move_booking(booking, tomorrow("10:05"))


def test_a_cancelled_booking_stays_cancelled_and_its_time_is_available_at_once(service: Service) -> None:
    booking = make_booking(service, "10:00")
    assert booking_actions.cancel_booking(booking, "Ill") and not booking_actions.cancel_booking(booking)
    assert (booking.status, booking.sequence, booking.reason) == (Status.CANCELLED, 1, "Ill")
    make_booking(service, "10:00", guest=Guest(name="Ben"))


def test_attendance_is_recorded_after_the_start(service: Service, time_machine: Any) -> None:
    booking = make_booking(service, "10:00")
    with pytest.raises(OperationNotAllowedError, match="hasn’t started"):
        booking_actions.set_outcome(booking, "attended")
    time_machine.move_to(tomorrow("10:00"))
    booking_actions.set_outcome(booking, "no_show")
    booking_actions.update_details(booking, owner_note="Rang at ten")
    assert Booking.objects.values_list("outcome", "owner_note").get() == ("no_show", "Rang at ten")
    booking_actions.cancel_booking(booking)
    with pytest.raises(OperationNotAllowedError, match="is canceled"):
        booking_actions.set_outcome(booking, "")


def test_a_booking_stores_its_local_time_to_detect_changes_of_the_zone(account: Account) -> None:
    service = make_service(account, max_days_ahead=700)
    service.page.time_zone = "Europe/London"
    start = datetime(clock.now().year + 1, 7, 1, 9, 0, tzinfo=UTC)
    booking = booking_actions.create_booking(service, start, ADA)
    assert booking.local_start == f"{start.year}-07-01T10:00" and booking.starts_at == start
