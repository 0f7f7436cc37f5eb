"""The deadlines for guests to cancel or reschedule a booking through their link."""

from __future__ import annotations

from datetime import datetime, timedelta

from workspace.products.booking.models import Booking, PendingReason, Service

# After booking, a guest may correct a mistake, however soon the appointment is, because no one relies on it yet.
GRACE_PERIOD = timedelta(minutes=30)


def cancel_deadline(booking: Booking) -> datetime | None:
    """Return the deadline for cancelling, or None if the service does not let guests cancel."""
    return _compute_deadline(booking, booking.service.cancel_until if booking.service is not None else None)


def move_deadline(booking: Booking) -> datetime | None:
    """Return the deadline for rescheduling, or None if the service does not let guests reschedule."""
    return _compute_deadline(booking, booking.service.move_until if booking.service is not None else None)


def needs_approval_to_move(booking: Booking) -> bool:
    """Return whether the guest needs the owner to reschedule, because the owner approved this booking."""
    asks = booking.service is not None and booking.service.approval
    return asks and booking.pending_reason != PendingReason.APPROVAL and not booking.by_owner


def can_guest_change(booking: Booking) -> bool:
    """Return whether guests may cancel and reschedule this booking, even if the deadlines have passed."""
    return (
        cancel_deadline(booking) is not None
        and move_deadline(booking) is not None
        and not needs_approval_to_move(booking)
    )


def promised_deadline(service: Service, start: datetime, now: datetime) -> datetime | None:
    """Return the deadline to show before booking.

    Return None if the booking cannot be cancelled, or only within the grace period.
    """
    last = None if service.cancel_until is None else start - timedelta(hours=service.cancel_until)
    return last if last is not None and last > now + GRACE_PERIOD else None


def _compute_deadline(booking: Booking, hours: int | None) -> datetime | None:
    if hours is None:
        return None
    last = booking.starts_at - timedelta(hours=hours)
    if booking.by_owner:  # the client called, so a mistake is unlikely
        return last
    return min(max(last, booking.created_at + GRACE_PERIOD), booking.starts_at)
