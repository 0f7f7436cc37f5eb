"""URLs of QR codes: the dashboard and guest pages."""

from __future__ import annotations

from django.urls import include, path

from workspace.products.qr.domain.code_style import style_for_address
from workspace.products.qr.models import Code
from workspace.products.qr.public import views
from workspace.public_site.guest_urls import guest_urlpatterns

urlpatterns = [
    path("app/qr", include("workspace.products.qr.dashboard.urls")),
    *guest_urlpatterns(
        Code,
        page=None,
        qr_file_name="",
        qr_style=style_for_address,
        parts={r"\+": views.inspect},
        always_available={"": views.scan},
    ),
]
