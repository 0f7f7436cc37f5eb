from __future__ import annotations

from django.urls import include, path

from workspace.products.menu.models import Menu
from workspace.products.menu.public import views
from workspace.public_site.guest_urls import guest_addresses

urlpatterns = [
    path("app/menu", include("workspace.products.menu.dashboard.urls")),
    *guest_addresses(Menu, page=views.page, code="menu", face=views.face_at, parts={"/print": views.sheet}),
]
