from __future__ import annotations

from django.urls import include, path

from workspace.products.booking import filling, pages, visit_pages
from workspace.products.booking.models import BookingPage
from workspace.publishing.guest_urls import guest_addresses

_LINK = r"/visit/(?P<token>[A-Za-z0-9_-]+)"
_STEPS = {"/times": pages.times, "/zones": pages.zones, "/book": filling.details}
# also while the page is paused: who has booked can see it, and call it off
_VISIT = {
    "/booked": visit_pages.booked,
    _LINK: visit_pages.visit,
    f"{_LINK}/move": visit_pages.move,
    f"{_LINK}/cancel": visit_pages.cancel,
    f"{_LINK}/pay": visit_pages.pay,
    rf"{_LINK}\.ics": visit_pages.file,
}

urlpatterns = [
    path("app/booking", include("workspace.products.booking.dashboard.urls")),
    *guest_addresses(
        BookingPage,
        page=pages.page,
        code="booking",
        face=pages.face_at,
        framed={"": pages.page, **_STEPS, **_VISIT},
        parts=_STEPS,
        standing=_VISIT,
    ),
]
