from __future__ import annotations

from django.urls import include, path

from workspace.products.menu import pages
from workspace.products.menu.models import Menu
from workspace.publishing.guest_urls import guest_addresses

urlpatterns = [
    path("app/menu", include("workspace.products.menu.dashboard.urls")),
    *guest_addresses(Menu, page=pages.page, code="menu", face=pages.face_at, parts={"/print": pages.sheet}),
]
