"""URLs of notice boards: the dashboard and guest pages."""

from __future__ import annotations

from django.urls import include, path

from workspace.products.pinboard.models import NoticeBoard
from workspace.products.pinboard.public import views
from workspace.public_site.guest_urls import guest_urlpatterns

urlpatterns = [
    path("app/pinboard", include("workspace.products.pinboard.dashboard.urls")),
    *guest_urlpatterns(NoticeBoard, page=views.show_page, qr_file_name="notice-board", preview=views.share_preview_at),
]
