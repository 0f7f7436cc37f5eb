"""What all acts on bookings begin with. Whoever acts holds the resource first, so that two on one resource follow one
another, and lets what nobody paid or answered in time expire."""

from __future__ import annotations

from collections.abc import Collection, Iterator
from contextlib import contextmanager
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from typing import Any

from workspace.lib.errors import Conflict
from workspace.products.booking.domain import calendar_events, unavailable_reasons
from workspace.products.booking.domain.availability_query import around
from workspace.products.booking.models import KIND, Booking, BookingPage, Resource, Status
from workspace.products.booking.rules.availability import Availability, Cause, Terms, Why
from workspace.publishing import live_blocks
from workspace.storage import journal
from workspace.storage.database.transactions import writing

OWNERS = frozenset([Why.NOTICE, Why.HORIZON, Why.CAP, Why.GRID])  # what an owner sets and is not held to
IGNORED = OWNERS | {Why.PAST, Why.CLOSED, Why.HOURS}


class NotFree(Conflict):
    """`cause`: why; `nearest`: up to three free times (aware, UTC) around the one that was asked for; `told`: the same
    for the guest, in their language."""

    def __init__(self, cause: Cause, asked: Availability, start: datetime) -> None:
        free, zone = asked.nearest(int(start.timestamp())), asked.opening.zone
        why = unavailable_reasons.for_owner(cause, asked.terms, zone)
        local = f"{start.astimezone(zone):%Y-%m-%d %H:%M}"
        super().__init__(f"{local} is not free: {why}. {unavailable_reasons.nearest(free, zone)}")
        self.cause = cause
        self.told = unavailable_reasons.for_guests(cause, asked.terms)
        self.nearest = [datetime.fromtimestamp(moment, UTC) for moment in free]


class Moved(Conflict):
    """The booking is not as whoever acts has seen it."""


@contextmanager
def holding(resource: Resource, now: datetime) -> Iterator[None]:
    with writing():
        resource.hold()
        expire(resource, now)
        yield
        live_blocks.changed(resource.account_id, KIND)


def expire(resource: Resource, now: datetime) -> int:
    """Let what nobody paid or answered in time go; how many. Within a write that holds the resource."""
    late = Booking.objects.filter(resource=resource, status=Status.PENDING, hold_until__lte=now)
    return late.update(status=Status.EXPIRED, updated_at=now, remind_at=None, owes_word=True)


@contextmanager
def acting_on(booking: Booking, now: datetime) -> Iterator[None]:
    """With the booking as it is by then."""
    with holding(booking.resource, now):
        booking.refresh_from_db()
        yield


def exempt(by_owner: bool, ignore_rules: bool) -> Collection[Why]:
    return IGNORED if ignore_rules else OWNERS if by_owner else ()


def asked(booking: Booking, start: datetime, now: datetime, terms: Terms, ignore_rules: bool) -> Availability:
    return around(
        booking.page, terms, start, service=booking.service, now=now, without=booking, ignoring_blocks=ignore_rules
    )


def check(asked: Availability, start: datetime, exempt: Collection[Why]) -> None:
    start = start.astimezone(UTC)  # an offset may have seconds, and parts of them
    cause = asked.judge(int(start.timestamp()), exempt)
    if cause is None and (start.second or start.microsecond):
        cause = Cause(Why.GRID)
    if cause is not None:
        raise NotFree(cause, asked, start)


def times(terms: Terms, start: datetime, page: BookingPage) -> dict[str, Any]:
    start = start.astimezone(UTC)
    end = start + timedelta(minutes=terms.duration)
    local = start.astimezone(page.zone)
    return {
        "starts_at": start,
        "ends_at": end,
        "protected_from": start - timedelta(minutes=terms.before),
        "protected_until": end + timedelta(minutes=terms.after),
        "local_start": f"{local:%Y-%m-%dT%H:%M}",
        "local_date": local.date(),
        "time_zone": page.time_zone,
    }


def terms_of(booking: Booking) -> Terms:
    """Its own: its length, and the buffers that were copied onto it."""
    usual = booking.service.terms() if booking.service is not None else Terms(duration=booking.duration, interval=1)
    minute = timedelta(minutes=1)
    before = int((booking.starts_at - booking.protected_from) / minute)
    after = int((booking.protected_until - booking.ends_at) / minute)
    return replace(usual, duration=booking.duration, before=before, after=after)


def change(booking: Booking, now: datetime, **fields: Any) -> None:
    journal.change(booking, updated_at=now, **fields)
    calendar_events.put(booking)
