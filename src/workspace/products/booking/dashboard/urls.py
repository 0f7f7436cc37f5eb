from __future__ import annotations

from django.urls import path

from workspace.dashboard.compressible import mark_compressible
from workspace.products.booking.dashboard import (
    booking,
    bookings,
    by_phone,
    calendars,
    editing,
    free,
    hours,
    listing,
    services,
)
from workspace.products.booking.dashboard.frame import FRAME

_ONE = "/<str:id>/bookings/<str:booking>"
_SERVICE = "/<str:id>/services/<str:service>"

urlpatterns = [
    path("", listing.pages, name="booking-pages"),
    path("/new", listing.new),
    path("/<str:id>/book", by_phone.book),
    path("/<str:id>/why", free.why),
    path("/<str:id>/sheet", bookings.day_sheet),
    path(_ONE, booking.booking),
    path(f"{_ONE}/act", booking.act),
    path(f"{_ONE}/move", booking.move),
    path(f"{_ONE}/cancel", booking.cancel),
    path("/<str:id>/services/new", services.new),
    path(_SERVICE, services.service),
    path(f"{_SERVICE}/up", services.order),
    path(f"{_SERVICE}/remove", services.remove),
    path("/<str:id>/hours/day", hours.override),
    path("/<str:id>/hours/block", hours.block),
    path("/<str:id>/hours/block/<str:block>/remove", hours.unblock),
    *FRAME.addresses(
        {
            "": bookings.bookings,
            "edit": editing.edit,
            "hours": hours.hours,
            "calendars": calendars.calendars,
            "look": editing.look,
        }
    ),
]
mark_compressible(urlpatterns)
