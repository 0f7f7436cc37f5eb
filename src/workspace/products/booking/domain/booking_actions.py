"""Operations on bookings. Each function is one transaction.

All of them use the check that also lists available times. The database also rejects overlaps.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any

from django.db import IntegrityError
from django.db.models import QuerySet

from workspace.delivery.calendars import uid_host
from workspace.lib import clock, ics
from workspace.lib.errors import ConflictError, OperationNotAllowedError
from workspace.lib.messages import Message
from workspace.owner_translation import owner_gettext
from workspace.payments import checkout
from workspace.products.booking import messages
from workspace.products.booking.domain import calendar_events, guest_links, payments
from workspace.products.booking.domain.availability_query import load_nearby_availability
from workspace.products.booking.domain.locks import (
    OWNER_EXEMPTIONS,
    BookingChangedError,
    SlotUnavailableError,
    booking_time_fields,
    build_booking_terms,
    check_slot,
    list_exempt_reasons,
    load_availability_without,
    lock_booking,
    lock_resource,
    update_booking,
)
from workspace.products.booking.domain.overlap_constraint import is_overlap_error
from workspace.products.booking.domain.status_texts import format_status
from workspace.products.booking.models import (
    KIND,
    AttendanceStatus,
    Block,
    Booking,
    BookingPage,
    PendingReason,
    Service,
    Status,
)
from workspace.products.booking.rules.availability import Availability, Cause, UnavailableReason
from workspace.publishing import live_blocks
from workspace.storage import journal
from workspace.storage.database.compiled_function import compile_once

APPROVAL_PERIOD = timedelta(hours=12)
REMINDER_LEAD_TIME = timedelta(hours=24)


@dataclass(frozen=True, slots=True, kw_only=True)
class Guest:
    """The person that a time is booked for."""

    name: str
    email: str = ""
    phone: str = ""
    answers: Sequence[dict[str, Any]] = ()
    language: str = ""
    zone: str = ""
    note: str = ""  # shown only to the owner


def create_booking(
    service: Service,
    start: datetime,
    guest: Guest,
    *,
    key: str = "",
    by_owner: bool = False,
    ignore_rules: bool = False,
    pay_within: timedelta | None = None,
) -> Booking:
    """Create a booking.

    If the page already has a booking with this `key`, return that one. `by_owner` skips the rules for notice, horizon,
    daily cap and grid. `ignore_rules` skips all rules except overlaps with other bookings. `pay_within` is how long the
    time is held for a payment. Raise SlotUnavailableError if the time is taken. Raise ConflictError if the key belongs
    to a different request.
    """
    booking = build_booking(service, start, guest, key=key, by_owner=by_owner, pay_within=pay_within)
    return save_booking(booking, ignore_rules=ignore_rules)


def build_booking(
    service: Service,
    start: datetime,
    guest: Guest,
    *,
    key: str = "",
    by_owner: bool = False,
    pay_within: timedelta | None = None,
) -> Booking:
    """Build a booking for `save_booking` before the transaction. The arguments are those of `create_booking`."""
    page, now = service.page, clock.now()
    booking = Booking(
        account=page.account,
        resource_id=page.resource_id,
        page=page,
        service=service,
        service_name=service.name,
        name=guest.name,
        email=guest.email,
        phone=guest.phone,
        answers=list(guest.answers),
        language=guest.language,
        guest_zone=guest.zone,
        owner_note=guest.note,
        price_minor=service.price_minor,
        due_minor=None if by_owner else service.due_minor or None,
        remind_at=reminder_time(start, now),
        by_owner=by_owner,
        dedupe_key=key,
        created_at=now,
        **booking_time_fields(service.build_terms(), start, page),
    )
    booking.search = booking.build_search_text()
    booking.uid = ics.event_uid(booking.pk, uid_host())
    guest_links.set_new_link(booking)
    if pay_within is not None:
        _set_pending_fields(booking, PendingReason.PAYMENT, now + pay_within)
    elif service.approval and not by_owner:
        _set_pending_fields(booking, PendingReason.APPROVAL, now + APPROVAL_PERIOD)
    return booking


def save_booking(booking: Booking, *, ignore_rules: bool = False) -> Booking:
    """Store a new booking and return it, or return the earlier booking with the same key.

    Raise the same errors as `create_booking`.
    """
    page, service, now = booking.page, booking.service, clock.now()
    assert service is not None
    with lock_resource(page.resource_id, page.account_id, now):
        key = booking.dedupe_key
        if key and (earlier := _bookings_of_key.fetch(page, key)):
            return _check_same_request(earlier[0], booking)
        availability = load_nearby_availability(
            page, service.build_terms(), booking.starts_at, service=service, now=now, ignoring_blocks=ignore_rules
        )
        check_slot(availability, booking.starts_at, list_exempt_reasons(booking.by_owner, ignore_rules))
        _insert_booking(booking, availability)
        calendar_events.push_booking_event(booking)
        return booking


@compile_once
def _bookings_of_key(page: BookingPage, key: str) -> QuerySet[Booking]:
    return Booking.objects.filter(page=page, dedupe_key=key).order_by()


def approve_booking(booking: Booking, *, ignore_rules: bool = False) -> bool:
    """Approve a request. Return whether this changed the booking.

    If an online payment is due, the booking then waits for it for at most a day. Raise SlotUnavailableError if the
    opening hours, a block or a calendar now exclude the time. Raise ToolError if the booking does not wait for
    approval.
    """
    now = clock.now()
    with lock_booking(booking, now):
        if booking.status == Status.CONFIRMED:
            return False
        if booking.status != Status.PENDING or booking.pending_reason != PendingReason.APPROVAL:
            raise OperationNotAllowedError(_no_request_message(booking))
        availability = load_availability_without(
            booking, booking.starts_at, now, build_booking_terms(booking), ignore_rules
        )
        check_slot(availability, booking.starts_at, list_exempt_reasons(True, ignore_rules))
        if booking.unpaid_minor and checkout.can_charge(booking.account, booking.unpaid_minor, booking.page.currency):
            until = min(now + payments.PAYMENT_PERIOD, booking.starts_at)
            update_booking(booking, now, pending_reason=PendingReason.PAYMENT, hold_until=until)
        else:
            _confirm_booking(booking, now)
        return True


def decline_booking(booking: Booking, reason: str = "") -> bool:
    """Decline a request. Return False if it was already cancelled.

    Raise OperationNotAllowedError if the booking does not wait for approval.
    """
    now = clock.now()
    with lock_booking(booking, now):
        if booking.status == Status.CANCELLED:
            return False
        if booking.status != Status.PENDING or booking.pending_reason != PendingReason.APPROVAL:
            raise OperationNotAllowedError(_no_request_message(booking))
        _cancel_booking(booking, now, reason)
        return True


def confirm_paid(booking: Booking) -> bool:
    """Confirm a booking after its payment, which may be late.

    Return False if the booking was cancelled or its time is no longer available. The caller must then refund the
    payment. Repeated calls for the same payment have no further effect.
    """
    now = clock.now()
    with lock_booking(booking, now):
        if booking.status == Status.CANCELLED:
            return False
        if booking.status == Status.EXPIRED:
            availability = load_availability_without(
                booking, booking.starts_at, now, build_booking_terms(booking), False
            )
            if availability.find_cause(int(booking.starts_at.timestamp()), OWNER_EXEMPTIONS) is not None:
                return False
        if booking.status != Status.CONFIRMED:
            _confirm_booking(booking, now)
        return True


def move_booking(
    booking: Booking,
    start: datetime,
    *,
    sequence: int | None = None,
    by_owner: bool = False,
    ignore_rules: bool = False,
    reason: str = "",
) -> bool:
    """Reschedule a booking. Return whether this changed it.

    The booking keeps its id, UID and length, and gets the current buffers of its service. `sequence` is the booking's
    sequence when the caller read it. Raise BookingChangedError if the booking has been rescheduled since,
    SlotUnavailableError if the time is unavailable, and OperationNotAllowedError if the booking is cancelled or
    expired.
    """
    now = clock.now()
    with lock_booking(booking, now):
        if sequence is not None and sequence != booking.sequence:
            raise BookingChangedError(messages.BOOKING_CHANGED_SINCE)
        if not booking.is_live(now):
            raise OperationNotAllowedError(messages.BOOKING_NOT_LIVE(status=format_status(booking.status)))
        if start == booking.starts_at:
            return False
        service = booking.service
        terms = service.build_terms(booking.duration) if service is not None else build_booking_terms(booking)
        availability = load_availability_without(booking, start, now, terms, ignore_rules)
        check_slot(availability, start, list_exempt_reasons(by_owner, ignore_rules))
        moved = {**booking_time_fields(terms, start, booking.page), "remind_at": reminder_time(start, now)}
        if booking.hold_until is not None:
            moved["hold_until"] = min(booking.hold_until, start)
        update_booking(booking, now, sequence=booking.sequence + 1, reason=reason, **moved)
        return True


def cancel_booking(booking: Booking, reason: str = "", *, by_guest: bool = False) -> bool:
    """Cancel a booking. Return False if it was already cancelled.

    Its time becomes available immediately, and online payments are refunded. Raise OperationNotAllowedError if it has
    expired.
    """
    now = clock.now()
    with lock_booking(booking, now):
        if booking.status == Status.CANCELLED:
            return False
        if booking.status == Status.EXPIRED:
            raise OperationNotAllowedError(messages.BOOKING_EXPIRED)
        _cancel_booking(booking, now, reason, by_guest)
        return True


def create_block(page: BookingPage, start: datetime, end: datetime, reason: str = "") -> Block:
    """Block a period of time. Existing bookings in it remain."""
    block = Block.objects.create(
        account=page.account, resource_id=page.resource_id, starts_at=start, ends_at=end, reason=reason
    )
    journal.record_new_rows(block)
    live_blocks.notify_changed(page.account_id, KIND)
    return block


def set_outcome(booking: Booking, text: str) -> None:
    """Record whether the client attended.

    This is possible from shortly before the start. Raise OperationNotAllowedError if it is too early or the booking is
    not confirmed.
    """
    if booking.status != Status.CONFIRMED:
        raise OperationNotAllowedError(
            messages.OUTCOME_NEEDS_CONFIRMED(status=format_status(booking.current_status(clock.now())))
        )
    now = clock.now()
    if text and booking.starts_at > now and not (text == AttendanceStatus.ATTENDED and booking.can_have_arrived(now)):
        raise OperationNotAllowedError(messages.OUTCOME_TOO_EARLY)
    journal.update_row(booking, outcome=text)


def update_details(booking: Booking, **fields: Any) -> None:
    """Update details of a booking and its client. This sends no emails."""
    if journal.update_row(booking, **fields):
        journal.update_row(booking, search=booking.build_search_text())
        calendar_events.push_booking_event(booking)


def _set_pending_fields(booking: Booking, reason: PendingReason, until: datetime) -> None:
    booking.status, booking.pending_reason = Status.PENDING, reason
    booking.hold_until = min(until, booking.starts_at)  # a hold ends at the latest when the appointment starts


def reminder_time(start: datetime, now: datetime) -> datetime | None:
    """Return the time one day before the start, or None if that time has passed."""
    at = start - REMINDER_LEAD_TIME
    return at if at > now else None


def _confirm_booking(booking: Booking, now: datetime) -> None:
    update_booking(booking, now, status=Status.CONFIRMED, pending_reason="", hold_until=None,
           remind_at=reminder_time(booking.starts_at, now))  # fmt: skip


def _insert_booking(booking: Booking, availability: Availability) -> None:
    try:
        booking.save(force_insert=True)
    except IntegrityError as problem:  # the checks before prevent this, except for writes that bypass these functions
        if is_overlap_error(problem):
            raise SlotUnavailableError(Cause(UnavailableReason.TAKEN), availability, booking.starts_at) from None
        raise


def _cancel_booking(booking: Booking, now: datetime, reason: str, by_guest: bool = False) -> None:
    payments.refund_booking(booking, owner_gettext("The appointment was canceled"))
    update_booking(
        booking,
        now,
        status=Status.CANCELLED,
        pending_reason="",
        hold_until=None,
        sequence=booking.sequence + 1,
        reason=reason,
        cancelled_at=now,
        cancelled_by_guest=by_guest,
        remind_at=None,
    )


def _check_same_request(earlier: Booking, booking: Booking) -> Booking:
    """Return the earlier booking with the same key. Raise ConflictError if this request differs from it."""
    if (earlier.service_id, earlier.email, earlier.name) != (booking.service_id, booking.email, booking.name):
        raise ConflictError(messages.DIFFERENT_REQUEST)
    return earlier


def _no_request_message(booking: Booking) -> Message:
    if booking.status == Status.PENDING:
        return messages.WAITS_FOR_PAYMENT
    if booking.status == Status.EXPIRED:
        return messages.REQUEST_EXPIRED
    return messages.NOT_A_REQUEST(status=format_status(booking.status))
