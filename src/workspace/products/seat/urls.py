"""URLs of seating charts: the dashboard and guest pages."""

from __future__ import annotations

from django.urls import include, path

from workspace.products.seat.models import Chart
from workspace.products.seat.public import views
from workspace.public_site.guest_urls import guest_urlpatterns

urlpatterns = [
    path("app/seat", include("workspace.products.seat.dashboard.urls")),
    *guest_urlpatterns(
        Chart, page=views.page, qr_file_name="seat", preview=views.share_preview_at, parts={"/find": views.find_table}
    ),
]
