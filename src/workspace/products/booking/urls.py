"""URLs of booking pages: the dashboard and guest pages."""

from __future__ import annotations

from django.urls import include, path

from workspace.products.booking.models import BookingPage
from workspace.products.booking.public import booking_views, guest_link_views, views
from workspace.public_site.guest_urls import guest_urlpatterns

_LINK_PATTERN = r"/visit/(?P<token>[A-Za-z0-9_-]+)"
_STEP_PATHS = {"/times": views.times, "/zones": views.zones, "/book": booking_views.enter_details}
# available even while the page is paused, so that guests can view and cancel their bookings
_VISIT_PATHS = {
    "/booked": guest_link_views.return_from_payment,
    _LINK_PATTERN: guest_link_views.booking_page,
    f"{_LINK_PATTERN}/move": guest_link_views.move,
    f"{_LINK_PATTERN}/cancel": guest_link_views.cancel,
    f"{_LINK_PATTERN}/pay": guest_link_views.pay_booking,
    rf"{_LINK_PATTERN}\.ics": guest_link_views.calendar_file,
}

urlpatterns = [
    path("app/booking", include("workspace.products.booking.dashboard.urls")),
    *guest_urlpatterns(
        BookingPage,
        page=views.page,
        qr_file_name="booking",
        preview=views.share_preview_at,
        embed_views={"": views.page, **_STEP_PATHS, **_VISIT_PATHS},
        parts=_STEP_PATHS,
        always_available=_VISIT_PATHS,
    ),
]
