from __future__ import annotations

from django.urls import include, path

from workspace.products.booking.models import BookingPage
from workspace.products.booking.public import booking_views, guest_link_views, views
from workspace.public_site.guest_urls import guest_addresses

_LINK = r"/visit/(?P<token>[A-Za-z0-9_-]+)"
_STEPS = {"/times": views.times, "/zones": views.zones, "/book": booking_views.details}
# also while the page is paused: who has booked can see it, and call it off
_VISIT = {
    "/booked": guest_link_views.booked,
    _LINK: guest_link_views.visit,
    f"{_LINK}/move": guest_link_views.move,
    f"{_LINK}/cancel": guest_link_views.cancel,
    f"{_LINK}/pay": guest_link_views.pay,
    rf"{_LINK}\.ics": guest_link_views.file,
}

urlpatterns = [
    path("app/booking", include("workspace.products.booking.dashboard.urls")),
    *guest_addresses(
        BookingPage,
        page=views.page,
        code="booking",
        face=views.face_at,
        framed={"": views.page, **_STEPS, **_VISIT},
        parts=_STEPS,
        standing=_VISIT,
    ),
]
