"""Queries for an account's booking pages, services and bookings."""

from __future__ import annotations

from django.db.models import QuerySet

from workspace.accounts.models import Account
from workspace.lib.errors import NotFoundError
from workspace.products.booking import messages
from workspace.products.booking.models import Booking, BookingPage, Service
from workspace.publishing.serializers import with_public_state
from workspace.storage.database.compiled_function import compile_once


@compile_once
def pages_for(account: Account) -> QuerySet[BookingPage]:
    return with_public_state(account.booking_pages.all()).select_related("publication", "resource")


def get_page(account: Account, id: str) -> BookingPage:
    """Return a booking page together with its public state. Raise NotFoundError if it does not exist."""
    return pages_for.get(id, messages.PAGE_NOT_FOUND, account)


def get_service(page: BookingPage, id: str) -> Service:
    """Return a service of a page. Raise NotFoundError if it does not exist."""
    return services_for.get(id, messages.SERVICE_NOT_FOUND, page)


@compile_once
def services_for(page: BookingPage) -> QuerySet[Service]:
    """Return the services of a page in order."""
    return page.services.all()


@compile_once
def offered_services(page: BookingPage) -> QuerySet[Service]:
    """Return the services that guests can book, in order."""
    return page.services.filter(hidden=False)


@compile_once
def bookings_for(account: Account) -> QuerySet[Booking]:
    return Booking.objects.filter(account=account).select_related("page__account", "service", "resource")


@compile_once
def bookings_of(page: BookingPage) -> QuerySet[Booking]:
    """Return all bookings of a page."""
    return page.bookings.all()


def get_booking(account: Account, id: str, page: BookingPage | None = None) -> Booking:
    """Return a booking, which must belong to the page if one is given. Raise NotFoundError if it does not exist."""
    booking = bookings_for.get(id, messages.BOOKING_NOT_FOUND, account)
    if page is not None:
        if booking.page_id != page.pk:
            raise NotFoundError(messages.BOOKING_NOT_FOUND)
        booking.page = page
    booking.account = account
    return booking
