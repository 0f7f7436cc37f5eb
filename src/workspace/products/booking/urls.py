from __future__ import annotations

from django.urls import include, path

from workspace.products.booking import pages
from workspace.products.booking.models import BookingPage
from workspace.publishing.guest_urls import guest_addresses

urlpatterns = [
    path("app/booking", include("workspace.products.booking.dashboard.urls")),
    *guest_addresses(
        BookingPage,
        page=pages.page,
        code="booking",
        face=pages.face_at,
        parts={"/times": pages.times, "/book": pages.details, "/booked": pages.booked},
    ),
]
