from __future__ import annotations

from django.urls import include, path

from workspace.products.qr import pages
from workspace.products.qr.drawing import look_at
from workspace.products.qr.models import Code
from workspace.publishing.guest_urls import guest_addresses

urlpatterns = [
    path("app/qr", include("workspace.products.qr.dashboard.urls")),
    *guest_addresses(Code, page=None, code="", look=look_at, parts={r"\+": pages.inspect}, standing={"": pages.scan}),
]
