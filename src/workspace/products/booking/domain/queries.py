"""Queries for an account's booking pages, services and bookings."""

from __future__ import annotations

from django.db.models import QuerySet

from workspace.accounts.models import Account
from workspace.products.booking import messages
from workspace.products.booking.models import Booking, BookingPage, Service
from workspace.publishing.serializers import get_or_404, with_public_state


def pages_for(account: Account) -> QuerySet[BookingPage]:
    return with_public_state(account.booking_pages.all()).select_related("publication", "account", "resource")


def get_page(account: Account, id: str) -> BookingPage:
    """Return a booking page with its public state. Raise NotFoundError if it does not exist."""
    page = get_or_404(pages_for(account), id, messages.PAGE_NOT_FOUND)
    page.account = account
    return page


def get_service(page: BookingPage, id: str) -> Service:
    """Return a service of a page. Raise NotFoundError if it does not exist."""
    service: Service = get_or_404(Service.objects.filter(page=page), id, messages.SERVICE_NOT_FOUND)
    service.page = page
    return service


def bookings_for(account: Account) -> QuerySet[Booking]:
    return Booking.objects.filter(account=account).select_related("page__account", "service", "resource")


def get_booking(account: Account, id: str, page: BookingPage | None = None) -> Booking:
    """Return a booking, optionally only if it is on the page. Raise NotFoundError if it does not exist."""
    bookings = bookings_for(account)
    return get_or_404(bookings.filter(page=page) if page is not None else bookings, id, messages.BOOKING_NOT_FOUND)
