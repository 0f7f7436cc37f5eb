from __future__ import annotations

from django.urls import include, path

from workspace.products.waiver import kiosk_pages, pages, quiet_page
from workspace.products.waiver.models import Waiver
from workspace.publishing.guest_urls import guest_addresses

urlpatterns = [
    path("app/waiver", include("workspace.products.waiver.dashboard.urls")),
    *guest_addresses(
        Waiver,
        page=pages.page,
        code="waiver",
        framed={"": pages.sign},
        face=pages.face_at,
        parts={"/sign": pages.sign, "/kiosk": kiosk_pages.kiosk_at, "/quiet": quiet_page.quiet},
    ),
]
