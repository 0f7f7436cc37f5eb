"""URLs of waivers: the dashboard and guest pages."""

from __future__ import annotations

from django.urls import include, path

from workspace.products.waiver.models import Waiver
from workspace.products.waiver.public import kiosk_views, unsubscribe_views, views
from workspace.public_site.guest_urls import guest_urlpatterns

urlpatterns = [
    path("app/waiver", include("workspace.products.waiver.dashboard.urls")),
    *guest_urlpatterns(
        Waiver,
        page=views.page,
        qr_file_name="waiver",
        embed_views={"": views.sign_page},
        preview=views.share_preview_at,
        parts={"/sign": views.sign_page, "/kiosk": kiosk_views.kiosk_page, "/quiet": unsubscribe_views.unsubscribe},
    ),
]
