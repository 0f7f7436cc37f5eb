"""Every address, on one screen, but for the API's: `interfaces/rest/middleware.py`."""

from __future__ import annotations

from django.urls import include, path

from workspace.interfaces.file_views import download, made, taken
from workspace.products import NAMES

handler404 = "workspace.interfaces.error_handlers.missing"
handler500 = "workspace.interfaces.error_handlers.failed"

urlpatterns = [
    path("files/<str:id>", download),
    path("files/taken/<str:signed>", taken),
    path("files/<slug:word>/<slug:verb>", made),
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
    *(path("", include(f"workspace.products.{name}.urls")) for name in NAMES),
]
