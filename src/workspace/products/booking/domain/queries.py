"""Find an account's booking pages, services and bookings."""

from __future__ import annotations

from django.db.models import QuerySet

from workspace.accounts.models import Account
from workspace.products.booking.models import Booking, BookingPage, Service
from workspace.publishing.serializers import one, shown

NO_PAGE = "There is no such booking page: svc_booking_pages shows yours with their ids"
NO_SERVICE = "There is no such service on this page: svc_booking_pages shows them with their ids"
NO_BOOKING = "There is no such booking: svc_booking_list shows them with their ids"


def pages_of(account: Account) -> QuerySet[BookingPage]:
    return shown(account.booking_pages.all()).select_related("publication", "account", "resource")


def page_of(account: Account, id: str) -> BookingPage:
    """Raises NotFound."""
    found = one(pages_of(account), id, NO_PAGE)
    found.account = account
    return found


def service_of(page: BookingPage, id: str) -> Service:
    """Raises NotFound."""
    found: Service = one(Service.objects.filter(page=page), id, NO_SERVICE)
    found.page = page
    return found


def bookings_of(account: Account) -> QuerySet[Booking]:
    return Booking.objects.filter(account=account).select_related("page__account", "service", "resource")


def booking_of(account: Account, id: str, page: BookingPage | None = None) -> Booking:
    """Raises NotFound."""
    found = bookings_of(account)
    return one(found.filter(page=page) if page is not None else found, id, NO_BOOKING)
