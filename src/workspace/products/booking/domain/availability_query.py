"""What is free on a page as it stands in the database: gathers by a few queries what `availability.py` judges by."""

from __future__ import annotations

from collections import Counter
from datetime import UTC, date, datetime, time, timedelta

from workspace.delivery.calendars import busy
from workspace.lib import clock
from workspace.products.booking.models import Block, Booking, BookingPage, Service
from workspace.products.booking.models.booking import kind_of
from workspace.products.booking.rules.availability import Availability, Terms
from workspace.products.booking.rules.busy_times import Kind, Occupied, Taken

# No visit with its buffers, no window, and no zone's distance from UTC reaches further from a local date.
AROUND = timedelta(days=3)
NEAREST = timedelta(days=7)
_TAKEN = (
    "protected_from",
    "protected_until",
    "starts_at",
    "ends_at",
    "status",
    "waiting_for",
    "name",
    "pk",
    "service",
    "local_date",
)


def availability_of(
    page: BookingPage,
    terms: Terms,
    first: date,
    last: date,
    *,
    service: Service | None = None,
    now: datetime | None = None,
    without: Booking | None = None,
    ignoring_blocks: bool = False,
) -> Availability:
    """For times on these local dates. The cap counts what is booked of `service`; `without` is a booking that is not in
    its own way."""
    now = now or clock.now()
    start = datetime.combine(first, time.min, UTC) - AROUND
    end = datetime.combine(last, time.min, UTC) + AROUND
    rows = Booking.objects.filter(Booking.live(now), resource=page.resource_id)
    rows = rows.filter(protected_until__gt=start, protected_from__lt=end).order_by()
    if without is not None:
        rows = rows.exclude(pk=without.pk)
    booked, counts = [], Counter[date]()
    for from_, until, begins, ends, status, waiting_for, name, id, service_id, local_date in rows.values_list(*_TAKEN):
        kind = kind_of(status, waiting_for)
        span = Taken(_seconds(from_), _seconds(until), _seconds(begins), _seconds(ends), kind, f"{name} ({id})")
        booked.append(span)
        counts[local_date] += service is not None and service_id == service.pk
    return Availability(
        opening=page.opening(first - AROUND, last + AROUND),
        terms=terms,
        booked=Occupied(booked),
        blocked=Occupied([] if ignoring_blocks else _blocked(page, start, end)),
        counts=counts,
        now=-int(-now.timestamp() // 1),  # up: a time that has begun has passed
    )


def around(page: BookingPage, terms: Terms, start: datetime, **how: object) -> Availability:
    """For a time, and for those that lie nearest to it."""
    day = start.astimezone(page.zone).date()
    return availability_of(page, terms, day - NEAREST, day + NEAREST, **how)  # type: ignore[arg-type]


def _blocked(page: BookingPage, start: datetime, end: datetime) -> list[Taken]:
    found = []
    blocks = Block.objects.filter(resource=page.resource_id, ends_at__gt=start, starts_at__lt=end).order_by()
    for begins, ends, reason, id in blocks.values_list("starts_at", "ends_at", "reason", "pk"):
        found.append(_whole(begins, ends, Kind.BLOCK, f"{reason} ({id})" if reason else id))
    events = busy(page.account, start, end, zone=page.zone, page_id=page.pk)
    return [*found, *(_whole(one.start, one.end, Kind.EVENT, one.title) for one in events)]


def _whole(begins: datetime, ends: datetime, kind: Kind, about: str) -> Taken:
    start, end = _seconds(begins), -int(-ends.timestamp() // 1)
    return Taken(start, end, start, end, kind, about)


def _seconds(moment: datetime) -> int:
    return int(moment.timestamp())
