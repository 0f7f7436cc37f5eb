from __future__ import annotations

from django.urls import include, path

from workspace.products.seat import pages
from workspace.products.seat.models import Chart
from workspace.publishing.guest_urls import guest_addresses

urlpatterns = [
    path("app/seat", include("workspace.products.seat.dashboard.urls")),
    *guest_addresses(Chart, page=pages.page, code="seat", face=pages.face_at, parts={"/find": pages.find}),
]
