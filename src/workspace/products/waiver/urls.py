from __future__ import annotations

from django.urls import include, path

from workspace.products.waiver.models import Waiver
from workspace.products.waiver.public import kiosk_views, unsubscribe_views, views
from workspace.public_site.guest_urls import guest_addresses

urlpatterns = [
    path("app/waiver", include("workspace.products.waiver.dashboard.urls")),
    *guest_addresses(
        Waiver,
        page=views.page,
        code="waiver",
        framed={"": views.sign},
        face=views.face_at,
        parts={"/sign": views.sign, "/kiosk": kiosk_views.kiosk_at, "/quiet": unsubscribe_views.quiet},
    ),
]
