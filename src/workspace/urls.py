"""Every address, on one screen."""

from __future__ import annotations

from django.urls import include, path, re_path

from workspace.interfaces.files import download, made
from workspace.interfaces.rest.views import run
from workspace.products import NAMES

handler404 = "workspace.interfaces.failures.missing"
handler500 = "workspace.interfaces.failures.failed"

urlpatterns = [
    path("files/<str:id>", download),
    path("files/<slug:word>/<slug:verb>", made),
    path("", include("workspace.interfaces.sign_in.urls")),
    path("", include("workspace.interfaces.account_pages.urls")),
    path("", include("workspace.interfaces.oauth.urls")),
    path("", include("workspace.dashboard.urls")),
    path("", include("workspace.delivery.urls")),
    path("", include("workspace.brand.urls")),
    path("", include("workspace.publishing.urls")),
    *(path("", include(f"workspace.products.{name}.urls")) for name in NAMES),
    path("api/v1/", include("workspace.interfaces.rest.urls")),
    re_path("^api/", run),
]
