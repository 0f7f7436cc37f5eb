"""All URL routes except those of the API, which are in `interfaces/rest/direct_routing.py`."""

from __future__ import annotations

from django.urls import include, path

from workspace.interfaces.file_views import download, download_generated, download_takeout
from workspace.products import PRODUCT_NAMES

handler404 = "workspace.interfaces.error_handlers.not_found"
handler500 = "workspace.interfaces.error_handlers.server_error"

urlpatterns = [
    path("files/<str:id>", download),
    path("files/archive/<str:signed>", download_takeout),
    path("files/<slug:word>/<slug:verb>", download_generated),
    path("", include("workspace.interfaces.sign_in.urls")),
    path("", include("workspace.interfaces.account_pages.urls")),
    path("", include("workspace.interfaces.admin_pages.urls")),
    path("", include("workspace.interfaces.oauth.urls")),
    path("", include("workspace.dashboard.urls")),
    path("", include("workspace.delivery.urls")),
    path("", include("workspace.brand.urls")),
    path("", include("workspace.payments.urls")),
    path("", include("workspace.billing.urls")),
    path("", include("workspace.public_site.urls")),
    *(path("", include(f"workspace.products.{name}.urls")) for name in PRODUCT_NAMES),
]
