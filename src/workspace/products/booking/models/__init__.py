"""Tables of booking pages, services and bookings."""

from workspace.products.booking.models.booking import LIVE, Booking, Outcome, Status, Waiting
from workspace.products.booking.models.page import KIND, Block, BookingPage, Override, Resource
from workspace.products.booking.models.service import Service

__all__ = [
    "KIND",
    "LIVE",
    "Block",
    "Booking",
    "BookingPage",
    "Outcome",
    "Override",
    "Resource",
    "Service",
    "Status",
    "Waiting",
]
