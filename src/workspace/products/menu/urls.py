"""URLs of menus: the dashboard and guest pages."""

from __future__ import annotations

from django.urls import include, path, re_path

from workspace.products.menu.models import Menu
from workspace.products.menu.public import views
from workspace.public_site.guest_urls import guest_urlpatterns

urlpatterns = [
    path("app/menu", include("workspace.products.menu.dashboard.urls")),
    re_path(r"^[mM]/sw\.js$", views.service_worker, name="menu-worker"),
    *guest_urlpatterns(
        Menu, page=views.page, qr_file_name="menu", preview=views.share_preview_at, parts={"/print": views.print_page}
    ),
]
