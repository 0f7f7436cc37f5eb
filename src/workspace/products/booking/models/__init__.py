"""Tables of booking pages, services and bookings."""

from workspace.products.booking.models.booking import LIVE_STATUSES, AttendanceStatus, Booking, PendingReason, Status
from workspace.products.booking.models.page import KIND, Block, BookingPage, DateOverride, Resource
from workspace.products.booking.models.service import Service

__all__ = [
    "KIND",
    "LIVE_STATUSES",
    "AttendanceStatus",
    "Block",
    "Booking",
    "BookingPage",
    "DateOverride",
    "PendingReason",
    "Resource",
    "Service",
    "Status",
]
