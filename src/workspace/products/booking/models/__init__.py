"""Tables of booking pages, services and bookings."""

from workspace.products.booking.models.booking import Booking
from workspace.products.booking.models.booking_status import LIVE_STATUSES, AttendanceStatus, PendingReason, Status
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
