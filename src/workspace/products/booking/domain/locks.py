"""The locks and checks at the start of all operations on bookings.

An operation first locks the resource, so that operations on the same resource run one after another. It then expires
bookings that were not paid or approved in time.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator
from contextlib import contextmanager
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from typing import Any

from django.db.models import QuerySet

from workspace.lib.errors import ConflictError
from workspace.products.booking import messages
from workspace.products.booking.domain import calendar_events, unavailable_reasons
from workspace.products.booking.domain.availability_query import load_nearby_availability
from workspace.products.booking.models import KIND, Booking, BookingPage, Resource, Status
from workspace.products.booking.rules.availability import Availability, Cause, ServiceTerms, UnavailableReason
from workspace.publishing import live_blocks
from workspace.storage import journal
from workspace.storage.database.compiled_function import compile_once
from workspace.storage.database.transactions import write_transaction

OWNER_EXEMPTIONS = frozenset(
    [UnavailableReason.NOTICE, UnavailableReason.HORIZON, UnavailableReason.CAP, UnavailableReason.GRID]
)  # rules for guests that do not apply to the owner
ALL_EXEMPTIONS = OWNER_EXEMPTIONS | {UnavailableReason.PAST, UnavailableReason.CLOSED, UnavailableReason.HOURS}


class SlotUnavailableError(ConflictError):
    """The requested time is unavailable.

    `cause` is the reason. `nearest_times` are up to three available times (aware, UTC) around the requested time.
    `guest_message` is the message for the guest, in their language.
    """

    def __init__(self, cause: Cause, availability: Availability, start: datetime) -> None:
        free, zone = availability.find_nearest(int(start.timestamp())), availability.opening.zone
        reason = unavailable_reasons.describe_for_owner(cause, availability.terms, zone)
        local = f"{start.astimezone(zone):%Y-%m-%d %H:%M}"
        nearest = unavailable_reasons.describe_nearest(free, zone)
        super().__init__(messages.UNAVAILABLE(time=local, reason=reason, nearest=nearest))
        self.cause = cause
        self.guest_message = str(unavailable_reasons.describe_for_guests(cause, availability.terms))
        self.nearest_times = [datetime.fromtimestamp(moment, UTC) for moment in free]


class BookingChangedError(ConflictError):
    """The booking has changed since the caller read it."""


@contextmanager
def lock_resource(resource_id: int, account_id: str, now: datetime) -> Iterator[None]:
    """Lock a resource of the account in a write transaction, and expire bookings whose hold has ended."""
    with write_transaction():
        Resource.lock_row(resource_id)
        expire_bookings(resource_id, now)
        yield
        live_blocks.notify_changed(account_id, KIND)


def expire_bookings(resource_id: int, now: datetime) -> int:
    """Expire bookings that were not paid or approved in time. Return how many expired.

    The caller must hold the lock of the resource.
    """
    if not _late_bookings.exists(now):
        return 0
    late = Booking.objects.filter(resource=resource_id, status=Status.PENDING, hold_until__lte=now)
    return late.update(status=Status.EXPIRED, updated_at=now, remind_at=None, expiry_notice_pending=True)


@compile_once
def _late_bookings(now: datetime) -> QuerySet[Booking, str]:
    """Return the bookings of all resources that were not paid or approved in time. An index contains only these few."""
    late = Booking.objects.filter(status=Status.PENDING, hold_until__lte=now)
    return late.order_by("hold_until").values_list("pk", flat=True)


@contextmanager
def lock_booking(booking: Booking, now: datetime) -> Iterator[None]:
    """Lock the resource of a booking and reload the booking."""
    with lock_resource(booking.resource_id, booking.account_id, now):
        booking.reload_columns()
        yield


def list_exempt_reasons(by_owner: bool, ignore_rules: bool) -> Collection[UnavailableReason]:
    """Return the reasons to ignore when checking whether a time is available."""
    return ALL_EXEMPTIONS if ignore_rules else OWNER_EXEMPTIONS if by_owner else ()


def load_availability_without(
    booking: Booking, start: datetime, now: datetime, terms: ServiceTerms, ignore_rules: bool
) -> Availability:
    return load_nearby_availability(
        booking.page,
        terms,
        start,
        service=booking.service,
        now=now,
        ignored_booking=booking,
        ignoring_blocks=ignore_rules,
    )


def check_slot(availability: Availability, start: datetime, exempt: Collection[UnavailableReason]) -> None:
    """Raise SlotUnavailableError if no appointment can start at this time."""
    start = start.astimezone(UTC)  # an offset may have seconds and fractions of seconds
    cause = availability.find_cause(int(start.timestamp()), exempt)
    if cause is None and (start.second or start.microsecond):
        cause = Cause(UnavailableReason.GRID)
    if cause is not None:
        raise SlotUnavailableError(cause, availability, start)


def booking_time_fields(terms: ServiceTerms, start: datetime, page: BookingPage) -> dict[str, Any]:
    """Return the values of a booking's time columns, with the local time in the page's time zone."""
    start = start.astimezone(UTC)
    end = start + timedelta(minutes=terms.duration)
    local = start.astimezone(page.zone)
    return {
        "starts_at": start,
        "ends_at": end,
        "blocked_from": start - timedelta(minutes=terms.before),
        "blocked_until": end + timedelta(minutes=terms.after),
        "local_start": f"{local:%Y-%m-%dT%H:%M}",
        "local_date": local.date(),
        "time_zone": page.time_zone,
    }


def build_booking_terms(booking: Booking) -> ServiceTerms:
    """Build the terms of a booking: the terms of its service, with the booking's own duration and buffers."""
    usual = (
        booking.service.build_terms()
        if booking.service is not None
        else ServiceTerms(duration=booking.duration, interval=1)
    )
    minute = timedelta(minutes=1)
    before = int((booking.starts_at - booking.blocked_from) / minute)
    after = int((booking.blocked_until - booking.ends_at) / minute)
    return replace(usual, duration=booking.duration, before=before, after=after)


def update_booking(booking: Booking, now: datetime, **fields: Any) -> None:
    """Update a booking and its calendar event."""
    journal.update_row(booking, updated_at=now, **fields)
    calendar_events.push_booking_event(booking)
