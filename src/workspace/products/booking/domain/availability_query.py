"""Loading the data for `availability.py`, which computes available times, from the database, with a few queries."""

from __future__ import annotations

from collections import Counter
from datetime import UTC, date, datetime, time, timedelta
from typing import Any

from django.db.models import QuerySet

from workspace.delivery.calendars import list_busy_periods
from workspace.lib import clock
from workspace.products.booking.models import Block, Booking, BookingPage, Service
from workspace.products.booking.models.booking import busy_kind
from workspace.products.booking.rules.availability import Availability, ServiceTerms
from workspace.products.booking.rules.busy_times import BusyKind, BusyTime, BusyTimes
from workspace.storage.database.compiled_function import compile_once

# No appointment with its buffers, no window and no UTC offset extends further from a local date.
SEARCH_MARGIN = timedelta(days=3)
NEAREST_RANGE = timedelta(days=7)
_BOOKING_COLUMNS = (
    "blocked_from",
    "blocked_until",
    "starts_at",
    "ends_at",
    "status",
    "pending_reason",
    "name",
    "pk",
    "service",
    "local_date",
)


def load_availability(
    page: BookingPage,
    terms: ServiceTerms,
    first: date,
    last: date,
    *,
    service: Service | None = None,
    now: datetime | None = None,
    ignored_booking: Booking | None = None,
    ignoring_blocks: bool = False,
) -> Availability:
    """Load the availability for times on these local dates.

    The daily cap counts the bookings of `service`. `ignored_booking` is left out, so that a booking does not block its
    own time.
    """
    now = now or clock.now()
    start = datetime.combine(first, time.min, UTC) - SEARCH_MARGIN
    end = datetime.combine(last, time.min, UTC) + SEARCH_MARGIN
    booked, counts = [], Counter[date]()
    for from_, until, begins, ends, status, waiting_for, name, id, service_id, local_date in _live_bookings.fetch(
        page.resource_id, now, start, end
    ):
        if ignored_booking is not None and id == ignored_booking.pk:
            continue
        kind = busy_kind(status, waiting_for)
        span = BusyTime(
            _to_timestamp(from_),
            _to_timestamp(until),
            _to_timestamp(begins),
            _to_timestamp(ends),
            kind,
            name,
            id,
        )
        booked.append(span)
        counts[local_date] += service is not None and service_id == service.pk
    return Availability(
        opening=page.opening_hours(first - SEARCH_MARGIN, last + SEARCH_MARGIN),
        terms=terms,
        bookings=BusyTimes(booked),
        busy_times=BusyTimes([] if ignoring_blocks else _load_busy_times(page, start, end)),
        counts=counts,
        now=-int(-now.timestamp() // 1),  # rounded up, because a time that has started is in the past
    )


def load_nearby_availability(page: BookingPage, terms: ServiceTerms, start: datetime, **how: object) -> Availability:
    """Load the availability for a time and for the available times nearest to it."""
    day = start.astimezone(page.zone).date()
    return load_availability(page, terms, day - NEAREST_RANGE, day + NEAREST_RANGE, **how)  # type: ignore[arg-type]


def _load_busy_times(page: BookingPage, start: datetime, end: datetime) -> list[BusyTime]:
    busy_times = []
    for begins, ends, reason, id in _blocks_between.fetch(page.resource_id, start, end):
        busy_times.append(_busy_time(begins, ends, BusyKind.BLOCK, reason, id))
    events = list_busy_periods(page.account, start, end, zone=page.zone, page_id=page.pk)
    return [*busy_times, *(_busy_time(event.start, event.end, BusyKind.EVENT, event.title) for event in events)]


def _busy_time(begins: datetime, ends: datetime, kind: BusyKind, about: str, id: str = "") -> BusyTime:
    start, end = _to_timestamp(begins), -int(-ends.timestamp() // 1)
    return BusyTime(start, end, start, end, kind, about, id)


def _to_timestamp(moment: datetime) -> int:
    return int(moment.timestamp())


@compile_once
def _live_bookings(
    resource_id: int, now: datetime, start: datetime, end: datetime
) -> QuerySet[Booking, tuple[Any, ...]]:
    rows = Booking.objects.filter(Booking.live_filter(now), resource=resource_id)
    return rows.filter(blocked_until__gt=start, blocked_from__lt=end).order_by().values_list(*_BOOKING_COLUMNS)


@compile_once
def _blocks_between(resource_id: int, start: datetime, end: datetime) -> QuerySet[Block, tuple[Any, ...]]:
    rows = Block.objects.filter(resource=resource_id, ends_at__gt=start, starts_at__lt=end)
    return rows.order_by().values_list("starts_at", "ends_at", "reason", "pk")
