"""Every address, on one screen."""

from __future__ import annotations

from django.urls import include, path, re_path

from workspace.interfaces.files import download
from workspace.interfaces.health import healthz
from workspace.interfaces.rest.views import run

urlpatterns = [
    path("healthz", healthz),
    path("files/<str:id>", download),
    path("", include("workspace.interfaces.sign_in.urls")),
    path("", include("workspace.interfaces.account_pages.urls")),
    path("", include("workspace.interfaces.oauth.urls")),
    path("", include("workspace.dashboard.urls")),
    path("", include("workspace.delivery.urls")),
    path("", include("workspace.publishing.urls")),
    path("", include("workspace.products.qr.urls")),
    path("", include("workspace.products.links.urls")),
    path("", include("workspace.products.card.urls")),
    path("", include("workspace.products.menu.urls")),
    path("", include("workspace.products.reviews.urls")),
    path("api/v1/", include("workspace.interfaces.rest.urls")),
    re_path("^api/", run),
]
