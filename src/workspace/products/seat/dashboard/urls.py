from __future__ import annotations

from django.urls import path

from workspace.products.seat.dashboard import pages
from workspace.products.seat.dashboard.frame import FRAME

urlpatterns = [
    path("", pages.charts, name="seat"),
    path("/new", pages.new, name="seat-new"),
    *FRAME.addresses({"": pages.plan}),
]
