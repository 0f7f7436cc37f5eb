"""Bookings as events: in the calendars of their owner, who sees whom they expect, and in the guest's, by mail."""

from __future__ import annotations

from collections.abc import Collection, Iterable

from django.conf import settings

from workspace.accounts.models import Account
from workspace.delivery.calendars import Pushed, Source, push
from workspace.lib import clock
from workspace.lib.ics import Event
from workspace.products.booking.domain import guest_links
from workspace.products.booking.models import Booking, Status

MOST = 2000  # written into a calendar that is chosen later


def put(booking: Booking) -> None:
    """Have it stand in the owner's calendars as it is now, in the caller's transaction. What still waits for an answer
    or a payment does not stand there; it keeps its time all the same."""
    push(booking.account, booking.pk, _owners(booking), page_id=booking.page_id)


def take_away(booking: Booking) -> None:
    push(booking.account, booking.pk, None, page_id=booking.page_id)


def _owners(booking: Booking) -> Event | None:
    if booking.status != Status.CONFIRMED:
        return None
    told = [booking.name, booking.phone, booking.email]
    told += [f"{one['label']} {one['text']}" for one in booking.answers]
    return _event(
        booking,
        title=f"{booking.service_name}: {booking.name}",
        description="\n".join(filter(None, [*told, booking.note])),
        url=f"{settings.BASE_URL}{booking.owners_path}",
    )


def guests(booking: Booking) -> Event:
    """As its guest has it: cancelled where it does not take place."""
    return _event(
        booking,
        title=f"{booking.service_name}, {booking.account.name}",
        description=guest_links.url_of(booking),
        url=guest_links.url_of(booking),
    )


def _event(booking: Booking, *, title: str, description: str, url: str) -> Event:
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


def _own(account: Account, ids: Collection[str]) -> Collection[str]:
    return set(account.bookings.filter(pk__in=list(ids)).values_list("pk", flat=True))


def _coming(account: Account) -> Iterable[Pushed]:
    found = account.bookings.filter(status=Status.CONFIRMED, starts_at__gte=clock.now())
    for booking in found.select_related("page", "account")[:MOST]:
        if (event := _owners(booking)) is not None:
            yield Pushed(booking.pk, event, booking.page_id)


def _pages(account: Account) -> Iterable[tuple[str, str]]:
    return account.booking_pages.filter(binned_at=None).values_list("pk", "name")


SOURCE = Source("booking", own=_own, coming=_coming, pages=_pages)
