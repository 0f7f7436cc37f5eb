from __future__ import annotations

from django.urls import include, path

from workspace.products.seat.models import Chart
from workspace.products.seat.public import views
from workspace.public_site.guest_urls import guest_addresses

urlpatterns = [
    path("app/seat", include("workspace.products.seat.dashboard.urls")),
    *guest_addresses(Chart, page=views.page, code="seat", face=views.face_at, parts={"/find": views.find}),
]
