"""URLs of the owner's pages for bookings."""

from __future__ import annotations

from django.urls import path

from workspace.dashboard.compressible_pages import mark_compressible
from workspace.dashboard.item_urls import build_item_urls
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
from workspace.products.booking.dashboard.item_layout import LAYOUT

_BOOKING_PATH = "/<str:id>/bookings/<str:booking>"
_SERVICE_PATH = "/<str:id>/services/<str:service>"

urlpatterns = [
    path("", list_views.pages, name="booking-pages"),
    path("/new", list_views.new),
    path("/<str:id>/book", phone_booking_views.book_by_phone),
    path("/<str:id>/why", slot_picker.explain_times),
    path("/<str:id>/sheet", booking_list_views.printed_day),
    path(_BOOKING_PATH, booking_views.booking),
    path(f"{_BOOKING_PATH}/act", booking_views.handle_action),
    path(f"{_BOOKING_PATH}/move", booking_views.move),
    path(f"{_BOOKING_PATH}/cancel", booking_views.cancel),
    path("/<str:id>/services/new", service_views.new),
    path(_SERVICE_PATH, service_views.service),
    path(f"{_SERVICE_PATH}/up", service_views.move_up),
    path(f"{_SERVICE_PATH}/remove", service_views.remove_service),
    path("/<str:id>/hours/day", hours_views.save_override),
    path("/<str:id>/hours/block", hours_views.create_block),
    path("/<str:id>/hours/block/<str:block>/remove", hours_views.delete_block),
    *build_item_urls(
        LAYOUT,
        {
            "": booking_list_views.bookings,
            "edit": edit_views.edit,
            "hours": hours_views.hours,
            "calendars": calendar_views.calendars,
            "look": edit_views.design,
        },
    ),
]
mark_compressible(urlpatterns)
