from __future__ import annotations

from django.urls import path

from workspace.dashboard.compressible import mark_compressible
from workspace.products.booking.dashboard import (
    booking_list_views,
    booking_views,
    calendar_views,
    edit_views,
    hours_views,
    list_views,
    phone_booking_views,
    service_views,
    slot_picker,
)
from workspace.products.booking.dashboard.layout import FRAME

_ONE = "/<str:id>/bookings/<str:booking>"
_SERVICE = "/<str:id>/services/<str:service>"

urlpatterns = [
    path("", list_views.pages, name="booking-pages"),
    path("/new", list_views.new),
    path("/<str:id>/book", phone_booking_views.book),
    path("/<str:id>/why", slot_picker.why),
    path("/<str:id>/sheet", booking_list_views.day_sheet),
    path(_ONE, booking_views.booking),
    path(f"{_ONE}/act", booking_views.act),
    path(f"{_ONE}/move", booking_views.move),
    path(f"{_ONE}/cancel", booking_views.cancel),
    path("/<str:id>/services/new", service_views.new),
    path(_SERVICE, service_views.service),
    path(f"{_SERVICE}/up", service_views.order),
    path(f"{_SERVICE}/remove", service_views.remove),
    path("/<str:id>/hours/day", hours_views.override),
    path("/<str:id>/hours/block", hours_views.block),
    path("/<str:id>/hours/block/<str:block>/remove", hours_views.unblock),
    *FRAME.addresses(
        {
            "": booking_list_views.bookings,
            "edit": edit_views.edit,
            "hours": hours_views.hours,
            "calendars": calendar_views.calendars,
            "look": edit_views.look,
        }
    ),
]
mark_compressible(urlpatterns)
