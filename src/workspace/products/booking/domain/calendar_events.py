"""Bookings as calendar events, in the owner's calendars and in invitations emailed to clients."""

from __future__ import annotations

from collections.abc import Collection, Iterable

from django.conf import settings

from workspace.accounts.models import Account
from workspace.delivery.calendars import EventSource, UpcomingEvent, push_event
from workspace.lib import clock
from workspace.lib.ics import Event
from workspace.products.booking.domain import guest_links
from workspace.products.booking.models import Booking, Status

MAX_EVENTS = 2000  # limit for a calendar that is connected later


def push_booking_event(booking: Booking) -> None:
    """Write a booking's current state to the owner's calendars, in the caller's transaction.

    A booking that waits for approval or payment is not written, but still blocks its time."""
    push_event(booking.account, booking.pk, _owner_event(booking), page_id=booking.page_id)


def remove_booking_event(booking: Booking) -> None:
    push_event(booking.account, booking.pk, None, page_id=booking.page_id)


def _owner_event(booking: Booking) -> Event | None:
    if booking.status != Status.CONFIRMED:
        return None
    lines = [booking.name, booking.phone, booking.email]
    lines += [f"{answer['label']} {answer['text']}" for answer in booking.answers]
    return _build_event(
        booking,
        title=f"{booking.service_name}: {booking.name}",
        description="\n".join(filter(None, [*lines, booking.owner_note])),
        url=f"{settings.BASE_URL}{booking.dashboard_path}",
    )


def guest_event(booking: Booking) -> Event:
    """Return the event for the client. If the appointment does not take place, the event has the status cancelled."""
    return _build_event(
        booking,
        title=f"{booking.service_name}, {booking.account.name}",
        description=guest_links.link_url(booking),
        url=guest_links.link_url(booking),
    )


def _build_event(booking: Booking, *, title: str, description: str, url: str) -> Event:
    zone = booking.page.zone
    return Event(
        booking.uid,
        booking.starts_at.astimezone(zone),
        booking.ends_at.astimezone(zone),
        title,
        booking.updated_at,
        sequence=booking.sequence,
        description=description,
        location=booking.page.place,
        url=url,
        status="confirmed" if booking.status == Status.CONFIRMED else "cancelled",
    )


def _find_own_ids(account: Account, ids: Collection[str]) -> Collection[str]:
    return set(account.bookings.filter(pk__in=list(ids)).values_list("pk", flat=True))


def _list_upcoming(account: Account) -> Iterable[UpcomingEvent]:
    bookings = account.bookings.filter(status=Status.CONFIRMED, starts_at__gte=clock.now())
    for booking in bookings.select_related("page", "account")[:MAX_EVENTS]:
        if (event := _owner_event(booking)) is not None:
            yield UpcomingEvent(booking.pk, event, booking.page_id)


def _list_pages(account: Account) -> Iterable[tuple[str, str]]:
    return account.booking_pages.filter(binned_at=None).values_list("pk", "name")


CALENDAR_SOURCE = EventSource(
    "booking", find_own_ids=_find_own_ids, list_upcoming=_list_upcoming, list_pages=_list_pages
)
