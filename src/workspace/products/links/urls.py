"""URLs of link pages: the dashboard and guest pages."""

from __future__ import annotations

from django.urls import include, path, re_path

from workspace.products.links.models import Page
from workspace.products.links.public import views
from workspace.public_site.guest_urls import guest_urlpatterns

urlpatterns = [
    path("app/links", include("workspace.products.links.dashboard.urls")),
    re_path(r"^[lL]/themes/(?P<name>[a-z]{1,20})\.(?P<mark>[0-9a-f]{10})\.css$", views.theme_css, name="links-theme"),
    *guest_urlpatterns(
        Page,
        page=views.page,
        qr_file_name="links",
        preview=views.share_preview_at,
        parts={"/(?P<part>[a-z0-9_]{1,40})": views.click},
    ),
]
