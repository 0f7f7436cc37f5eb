from __future__ import annotations

from django.urls import include, path, re_path

from workspace.products.qr import pages

SLUG = r"(?P<slug>[^/+.\x00]{1,50})"
urlpatterns = [
    path("app/qr", include("workspace.products.qr.dashboard.urls")),
    re_path(rf"^[qQ]/{SLUG}$", pages.scan, name="qr-scan"),
    re_path(rf"^[qQ]/{SLUG}\+$", pages.inspect, name="qr-inspect"),
    re_path(rf"^[qQ]/{SLUG}\.(?P<form>svg|png)$", pages.picture, name="qr-picture"),
]
