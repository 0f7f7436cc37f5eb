"""Until when guests may cancel or move a visit by themselves, through their own link."""

from __future__ import annotations

from datetime import datetime, timedelta

from workspace.products.booking.models import Booking, PendingReason, Service

# After booking a guest may put a slip of the finger right, however near the visit is: nobody has planned by it yet.
GRACE_PERIOD = timedelta(minutes=30)


def cancel_deadline(booking: Booking) -> datetime | None:
    """The last moment; None where its service does not let guests cancel."""
    return _compute_deadline(booking, booking.service.cancel_until if booking.service is not None else None)


def move_deadline(booking: Booking) -> datetime | None:
    """The last moment; None where its service does not let guests move."""
    return _compute_deadline(booking, booking.service.move_until if booking.service is not None else None)


def needs_approval_to_move(booking: Booking) -> bool:
    """What its owner has said yes to is not moved by its guest alone."""
    asks = booking.service is not None and booking.service.approval
    return asks and booking.pending_reason != PendingReason.APPROVAL and not booking.by_owner


def can_guest_change(booking: Booking) -> bool:
    """Whether its guest may cancel and move it, some time at least."""
    return (
        cancel_deadline(booking) is not None
        and move_deadline(booking) is not None
        and not needs_approval_to_move(booking)
    )


def promised_deadline(service: Service, start: datetime, now: datetime) -> datetime | None:
    """The deadline for what is booked now: None where it cannot be cancelled, or no longer than the grace lasts."""
    last = None if service.cancel_until is None else start - timedelta(hours=service.cancel_until)
    return last if last is not None and last > now + GRACE_PERIOD else None


def _compute_deadline(booking: Booking, hours: int | None) -> datetime | None:
    if hours is None:
        return None
    last = booking.starts_at - timedelta(hours=hours)
    if booking.by_owner:  # who rang did not slip
        return last
    return min(max(last, booking.created_at + GRACE_PERIOD), booking.starts_at)
