from __future__ import annotations

from django.urls import path

from workspace.products.booking.dashboard import bookings, editing, listing
from workspace.products.booking.dashboard.frame import FRAME

urlpatterns = [
    path("", listing.pages, name="booking-pages"),
    path("/new", listing.new),
    *FRAME.addresses({"": bookings.bookings, "edit": editing.edit, "look": editing.look}),
]
